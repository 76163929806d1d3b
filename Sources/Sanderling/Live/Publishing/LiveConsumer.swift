/// A consumer of a live query, in one engine.
struct LiveConsumerID: Hashable, Sendable {
  let number: UInt64
}

/// A consumer of a query's values, whatever their type. Confined to the engine's turns.
protocol QueryConsumer: AnyObject {
  var key: LiveQueryKey { get }
  /// The number of rows that it shows at most.
  var window: Int { get }
  /// The group that shows its values together with those of other consumers; nil for none.
  var group: (any LiveFeedGroup)? { get }

  func resize(_ window: Int)

  /// Takes the values of a query with its key from now on; no values with nil.
  func follow(_ query: (any LiveQuery)?)

  /// Puts the query's values into the feed, unless the newest value there has the same content.
  ///
  /// - Returns: The delivery for the main actor; nil when there is nothing to deliver.
  func publish(_ commit: Commit) -> MainDeliveries.Delivery?

  /// Puts a state into the feed, with the content of the newest value.
  func publish(_ state: LiveState) -> MainDeliveries.Delivery?

  /// Notes whether the newest value is current at all commits that the engine has processed.
  func setFollowing(_ isFollowing: Bool)
}

/// A consumer that puts its values into a feed.
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
