import Foundation
import GRDB
import Sanderling

/// The server of the fuzzer's devices, whose data are in a file of its own.
///
/// It keeps for the checks what it was told: what each cell ever was, and what each number was sent with.
final class FuzzServer: Sendable {
  enum Rule: String, CaseIterable, Sendable {
    /// A mutation must be based on the version that there is.
    case match
    /// The same, and numbers are remembered, so that each mutation is applied once.
    case matchOnce
    /// What comes last is there, and what came before is known by its number.
    case lastWins
  }

  let rule: Rule
  let path: String
  /// Guards the file, and what happens next.
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

  /// Begins with what is in a file.
  init(reopening path: String, _ rule: Rule, _ random: SeededGenerator) throws {
    self.rule = rule
    self.path = path
    state = Lock(State(database: try Self.open(path), random: random))
  }

  /// Adds notes, and edits some that there are.
  func add(rows count: Int) throws {
    try state.withLock { try $0.database.write { db in try ServerEdits.add(count, db) } }
  }

  private static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Ends as a process does, and begins again with what is in the file.
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

  /// Does what somebody does who isn't one of the devices.
  func edit() throws {
    try state.withLock { state in
      var random = state.random
      try state.database.write { db in try ServerEdits.edit(db, &random) }
      state.random = random
    }
  }

  /// Forgets what was deleted up to now: who knows less has to begin anew.
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
      // Each is a transaction: what comes after the end of the process isn't there.
      let outcomes = try (request.push ?? []).map { mutation in
        try state.database.write { db in
          try ServerMutations(db, rule).take(mutation, mood: isCalm ? .fair : .random(&random))
        }
      }
      return WireAnswer(outcomes: outcomes)
    }
  }
}
