import GRDB

/// A query that is read at the snapshot of a turn that is over.
struct LiveLoad: Sendable {
  let query: TurnConfined<FollowedQuery>
  /// Tells it from other loads of the query.
  let number: UInt32
  let read: @Sendable (Database) throws -> Void
}
