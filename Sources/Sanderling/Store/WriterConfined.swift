import GRDB

/// A value that belongs to the queue of a writer. It is reached with the writer's connection, which GRDB hands out on that
/// queue only.
struct WriterConfined<Value>: @unchecked Sendable {
  // Safe: `Database` is not sendable, so that only the writer's queue has the writer's. Another connection's is
  // refused.
  private let value: Value
  private let database: ObjectIdentifier

  init(_ value: Value, on db: Database) {
    self.value = value
    database = ObjectIdentifier(db)
  }

  /// - Precondition: `db` is the connection on which the value was made.
  func value(on db: Database) -> Value {
    precondition(ObjectIdentifier(db) == database, "The value belongs to the writer's connection")
    return value
  }
}
