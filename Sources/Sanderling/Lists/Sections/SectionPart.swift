/// One query of a sectioned list: the headers, or the rows of an open section.
struct SectionPart<Element: Sendable>: Sendable {
  typealias Published = LiveSnapshot<Element>

  let source: LiveSource<Published>
  let subscription: LiveSubscription<Published>

  /// Creates a query and its subscription, which isn't started yet.
  ///
  /// - Parameter section: The section of the rows; nil for the headers.
  init(
    _ definition: RowsDefinition<Element>, of section: RowID?, in group: any LiveFeedGroup, _ engine: LiveEngine,
    window: Int, isSuspended: Bool
  ) {
    source = LiveSource(engine: engine, request: definition.request(among: engine.forms), window: window)
    if isSuspended { source.setSuspended(true) }
    subscription = LiveSubscription(
      source, feed: LiveFeed(membership: LiveFeedMembership(group: group, part: section)))
  }

  var id: LiveConsumerID { subscription.id }
  var newest: Published? { subscription.feed.newest?.value }

  /// The newest content, if it contains all processed commits; nil otherwise.
  var current: Published? {
    guard subscription.feed.isFollowing, let newest, newest.state.isCurrent else { return nil }
    return newest
  }
}
