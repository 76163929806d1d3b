import Foundation
import GRDB
import Sanderling
import Testing

/// A record with an assigned key and a unique column.
@Record(indexes: [.unique(on: \.ring)])
struct Bird: Hashable {
  var id: Int64?
  var ring: String
  var species: String
  var sightings = 0
}

/// A record with a key of two columns.
@Record
struct BirdTag: Hashable {
  @PrimaryKey @References(Bird.self, onDelete: .cascade) var birdID: Int64
  @PrimaryKey var tag: String
  var weight = 1
  static let bird = belongsTo(Bird.self, by: \.birdID)
}

let birdSchema: [any StoredRecord.Type] = [Bird.self, BirdTag.self]

/// The place of a store's rows. Both give the same results.
enum StoreKind: CaseIterable, Sendable {
  case file, memory
}

/// A folder that is removed when its test ends.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "sanderling-tests-\(UUID().uuidString)")

  init() {
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  func path(_ name: String = "store.sqlite") -> String {
    url.appending(path: name).path
  }

  var fileNames: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: url.path)) }
  }

  /// Makes a connection to the store's file like that of another process. It may leave transactions open.
  func otherConnection() throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    return try DatabaseQueue(path: path(), configuration: configuration)
  }

  func store(
    _ kind: StoreKind = .file, schema: [any StoredRecord.Type] = birdSchema, configuration: Configuration? = nil,
    tracing: StatementTracing = .allStatements
  ) throws -> Store {
    switch kind {
    case .file: try Store(path: path(), schema: schema, configuration: configuration, tracing: tracing)
    case .memory: try Store(inMemory: schema, configuration: configuration, tracing: tracing)
    }
  }
}

extension Store {
  /// All birds, in the order of their keys.
  var birds: [Bird] {
    get async throws { try await fetch(Bird.order { $0.id }) }
  }

  /// Returns the only column of a SELECT as integers.
  func numbers(_ sql: RawSQL) async throws -> [Int] {
    try await fetch(RawQuery(sql, as: Int.self))
  }

  /// Returns the only column of a SELECT as texts.
  func texts(_ sql: RawSQL) async throws -> [String] {
    try await fetch(RawQuery(sql, as: String.self))
  }
}

extension [StatementRecord] {
  /// The SQL of each statement, without statements that begin and end transactions and savepoints.
  var sql: [String] {
    map(\.sql).filter { sql in
      !["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA"].contains { sql.hasPrefix($0) }
    }
  }
}

extension DatabaseWriter {
  /// Runs SQL as an app does that doesn't use the store.
  func run(_ sql: String) throws {
    try writeWithoutTransaction { try $0.execute(sql: sql) }
  }
}
