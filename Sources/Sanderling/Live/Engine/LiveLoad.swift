import GRDB

/// A read of a query at the snapshot of an earlier turn.
struct LiveLoad: Sendable {
  let query: TurnConfined<FollowedQuery>
  /// Identifies the load among the query's loads.
  let number: UInt32
  let read: @Sendable (Database) throws -> Void
}
