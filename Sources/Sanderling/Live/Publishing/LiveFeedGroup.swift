/// Feeds whose values are shown together. The group gets a report of each new value. After a turn has published to all
/// consumers, the group composes the values, so that all of them are of one commit.
protocol LiveFeedGroup: AnyObject, Sendable {
  /// Tells the group from consumers and from other groups.
  var id: LiveConsumerID { get }

  /// A feed of the group got a value, or began or ceased to contain all processed commits.
  ///
  /// - Parameter part: The group's name of the feed; nil for its first feed.
  func feedChanged(_ part: RowID?, isFollowing: Bool)

  /// Composes the values of the feeds.
  ///
  /// - Parameter commit: The commit that the following feeds contain.
  /// - Returns: The deliveries for the main actor.
  func compose(at commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery]
}

/// The place of a feed in a group.
struct LiveFeedMembership: Sendable {
  /// The feed holds its group until the group releases the feed.
  let group: any LiveFeedGroup
  let part: RowID?
}
