/// Feeds whose values are shown together. It is told of what comes into them and, once a turn has told all consumers, asked to put it
/// together: then all of them stand for one commit.
protocol LiveFeedGroup: AnyObject, Sendable {
  /// Tells the group from consumers and from other groups.
  var id: LiveConsumerID { get }

  /// A feed of the group got a value, or began or ceased to stand for all commits that the engine has processed.
  ///
  /// - Parameter part: The feed, by what the group calls it; nil for its first one.
  func feedChanged(_ part: RowID?, isFollowing: Bool)

  /// Puts together what the feeds hold.
  ///
  /// - Parameter commit: What feeds that follow stand for.
  /// - Returns: What takes it on the main actor.
  func compose(at commit: Commit) -> [LiveConsumerID: MainDeliveries.Delivery]
}

/// The place of a feed in a group.
struct LiveFeedMembership: Sendable {
  /// Held until the group lets go of the feed.
  let group: any LiveFeedGroup
  let part: RowID?
}
