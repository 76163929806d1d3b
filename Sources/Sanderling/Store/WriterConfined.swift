import GRDB

/// A value that belongs to the queue of a writer.
///
/// Sendable is safe: reading the value needs the writer's connection, which isn't Sendable and which GRDB passes only
/// on the writer's queue. Other connections are refused.
struct WriterConfined<Value>: @unchecked Sendable {
  private let value: Value
  private let database: ObjectIdentifier

  init(_ value: Value, on db: Database) {
    self.value = value
    database = ObjectIdentifier(db)
  }

  /// The value, for code on the writer's queue.
  ///
  /// - Precondition: `db` is the connection with which the value was made.
  func value(on db: Database) -> Value {
    precondition(ObjectIdentifier(db) == database, "The value belongs to the writer's connection")
    return value
  }
}
