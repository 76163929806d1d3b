import GRDB

/// A query that is read at the snapshot of a turn that is over.
struct LiveLoad: Sendable {
  let query: Int
  /// Tells it from other loads of the query.
  let number: UInt64
  let read: @Sendable (Database) throws -> Void
}
