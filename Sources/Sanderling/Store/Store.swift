public import GRDB

/// A database of records.
public final class Store: Sendable {
  let writer: any DatabaseWriter
  let commits = CommitObserver()
  private let queue = WriteQueue()
  public let path: String

  public init(path: String, schema: [any StoredRecord.Type], configuration: GRDB.Configuration = Configuration(), migrator: DatabaseMigrator? = nil) throws {
    self.path = path
    writer = try DatabasePool(path: path, configuration: configuration)
    try SchemaMigration.open(writer, schema: Schema(schema), migrator: migrator)
    writer.add(transactionObserver: commits, extent: .databaseLifetime)
  }
  public init(inMemory schema: [any StoredRecord.Type]) throws {
    path = ":memory:"
    writer = try DatabaseQueue()
    try SchemaMigration.open(writer, schema: Schema(schema), migrator: nil)
    writer.add(transactionObserver: commits, extent: .databaseLifetime)
  }

  @discardableResult
  public func write<Value: Sendable>(
    _ name: String, priority: WritePriority = .userInitiated, _ body: @Sendable (WriteTransaction) throws -> Value
  ) async throws -> Written<Value> {
    try await queue.run(priority) {
      try await writer.writeWithoutTransaction { db in
        var value: Value?
        try db.inTransaction(.immediate) {
          value = try body(WriteTransaction(db, recorder: nil))
          return .commit
        }
        return Written(value: value!, commit: commits.lastCommit)
      }
    }
  }
  public func read<Value: Sendable>(_ body: @Sendable (ReadTransaction) throws -> Value) async throws -> Value {
    try await writer.read { db in try body(ReadTransaction(db, recorder: nil)) }
  }
  public func fetch<Root, Output>(_ query: Selection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }
}
