import GRDB

/// A load of a query, at the snapshot of a turn that has ended.
struct LiveLoad: Sendable {
  let query: TurnConfined<FollowedQuery>
  /// The number of the load among the loads of the query.
  let number: UInt32
  let read: @Sendable (Database) throws -> Void
}
