/// Feeds whose values are shown together. Its feeds notify it of new values. Once a turn has updated all consumers, the
/// engine asks it to compose the values. All of them are then of one commit.
protocol LiveFeedGroup: AnyObject, Sendable {
  /// The identity of the group among consumers and other groups.
  var id: LiveConsumerID { get }

  /// Notes that a feed received a value, or began or ceased to be current at all processed commits.
  ///
  /// - Parameter part: The group's identifier of the feed; nil for its first feed.
  func feedChanged(_ part: RowID?, isFollowing: Bool)

  /// Composes the feeds' values.
  ///
  /// - Parameter commit: The commit at which following feeds are current.
  /// - Returns: The deliveries for the main actor, by consumer.
  func compose(at commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery]
}

/// The place of a feed in a group.
struct LiveFeedMembership: Sendable {
  /// Retained until the group releases the feed.
  let group: any LiveFeedGroup
  let part: RowID?
}
