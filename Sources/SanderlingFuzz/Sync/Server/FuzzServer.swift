import Foundation
import GRDB
import Sanderling

/// The server of the fuzzer's devices, with its data in a file of its own.
///
/// It records for the checks all values of each cell, and the mutation that was sent with each number.
final class FuzzServer: Sendable {
  enum Rule: String, CaseIterable, Sendable {
    /// A mutation must be based on the current version.
    case match
    /// A mutation must be based on the current version. The server remembers numbers, so that it applies each mutation
    /// once.
    case matchOnce
    /// The last write wins; repeated mutations are recognised by their numbers.
    case lastWins
  }

  let rule: Rule
  let path: String
  /// Guards the file and the random generator.
  private let state: Lock<State>

  private struct State {
    var database: DatabaseQueue
    var random: SeededGenerator
  }

  init(_ rule: Rule, path: String, _ random: SeededGenerator) throws {
    self.rule = rule
    self.path = path
    let database = try Self.open(path)
    try database.write { db in
      try db.execute(sql: ServerTables.schema)
      try ServerTables.seed(db)
    }
    state = Lock(State(database: database, random: random))
  }

  /// Opens a server on an existing file.
  init(reopening path: String, _ rule: Rule, _ random: SeededGenerator) throws {
    self.rule = rule
    self.path = path
    state = Lock(State(database: try Self.open(path), random: random))
  }

  /// Adds notes, and edits some of the existing ones.
  func add(rows count: Int) throws {
    try state.withLock { try $0.database.write { db in try ServerEdits.add(count, db) } }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Ends as a process does, and starts again from the file.
  func restart() throws {
    try state.withLock { state in
      try state.database.close()
      state.database = try Self.open(path)
    }
  }

  func close() throws { try state.withLock { try $0.database.close() } }

  func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
    try state.withLock { try $0.database.read(body) }
  }

  /// Makes an edit by a client that is none of the devices.
  func edit() throws {
    try state.withLock { state in
      var random = state.random
      try state.database.write { db in try ServerEdits.edit(db, &random) }
      state.random = random
    }
  }

  /// Forgets all deletions so far: a device with an older cursor must restart.
  func cutLog() throws {
    try state.withLock { try $0.database.write { db in try ServerTables.cut(db) } }
  }

  func answer(_ request: WireRequest, isCalm: Bool) throws -> WireAnswer {
    try state.withLock { state in
      var random = state.random
      defer { state.random = random }
      if let pull = request.pull {
        return WireAnswer(
          batch: try state.database.read { db in try ServerLog(db).page(pull, &random, isCalm: isCalm) })
      }
      // Each mutation is a transaction: mutations after the end of the process are not stored.
      let outcomes = try (request.push ?? []).map { mutation in
        try state.database.write { db in
          try ServerMutations(db, rule).take(mutation, mood: isCalm ? .fair : .random(&random))
        }
      }
      return WireAnswer(outcomes: outcomes)
    }
  }
}
