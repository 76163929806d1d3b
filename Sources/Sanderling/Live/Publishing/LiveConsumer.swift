/// A consumer of a live query, in one engine.
struct LiveConsumerID: Hashable, Sendable {
  let number: UInt64
}

/// A consumer of a query's values, whatever their type. Confined to the engine's turns.
protocol QueryConsumer: AnyObject {
  var key: LiveQueryKey { get }
  /// How many rows it shows.
  var window: Int { get }
  /// The group that shows the values of several consumers together; nil if there is none.
  var group: (any LiveFeedGroup)? { get }

  func resize(_ window: Int)

  /// Gets its values from a query with its key from now on; from none for nil.
  func follow(_ query: (any LiveQuery)?)

  /// Puts the query's content into the feed, unless the feed has it.
  ///
  /// - Returns: The delivery to the main actor, if it is wanted and there is anything new.
  func publish(_ commit: Commit) -> MainDeliveries.Delivery?

  /// Puts a state into the feed. The last content stays.
  func publish(_ state: LiveState) -> MainDeliveries.Delivery?

  /// Notes whether the last published content contains all processed commits.
  func setFollowing(_ isFollowing: Bool)
}

/// A consumer that leaves its content in a feed.
final class LiveConsumer<Presentation: LivePresentation>: QueryConsumer {
  typealias Published = Presentation.Published

  let key: LiveQueryKey
  private let feed: LiveFeed<Published>
  private var query: (any LiveQuery<Presentation.Content>)?
  private(set) var window: Int
  var group: (any LiveFeedGroup)? { feed.group }

  init(_ key: LiveQueryKey, _ feed: LiveFeed<Published>, window: Int) {
    self.key = key
    self.feed = feed
    self.window = window
  }

  func resize(_ window: Int) {
    self.window = window
  }

  func follow(_ query: (any LiveQuery)?) {
    self.query = query.map { Presentation.presented($0) }
    setFollowing(false)
  }

  func publish(_ commit: Commit) -> MainDeliveries.Delivery? {
    guard let content = query?.content(window: window) else { return nil }
    let published: Published
    do { published = try Presentation.published(content, at: commit) } catch { return publish(.failed(error)) }
    if let last = feed.newest?.value, last.state.isCurrent, last.hasSameContent(as: published) { return nil }
    return put(published)
  }

  func publish(_ state: LiveState) -> MainDeliveries.Delivery? {
    put((feed.newest?.value ?? .unread).inState(state))
  }

  func setFollowing(_ isFollowing: Bool) {
    feed.isFollowing = isFollowing
  }

  private func put(_ published: Published) -> MainDeliveries.Delivery? {
    feed.publish(published)
    return feed.delivery
  }
}
