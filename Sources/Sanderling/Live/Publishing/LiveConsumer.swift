/// A consumer of a live query, in one engine.
struct LiveConsumerID: Hashable, Sendable {
  let number: UInt64
}

/// One who is told of a query's values, whatever they are. Confined to the engine's turns.
protocol QueryConsumer: AnyObject {
  var key: LiveQueryKey { get }
  /// How many rows it shows.
  var window: Int { get }
  /// Who shows its values together with those of others, if anybody does.
  var group: (any LiveFeedGroup)? { get }

  func resize(_ window: Int)

  /// Gets its values from a query with its key from now on; from none for nil.
  func follow(_ query: (any LiveQuery)?)

  /// Puts what the query shows into the feed, unless that is there.
  ///
  /// - Returns: What takes it on the main actor, where that is wanted and there is something to take.
  func publish(_ commit: Commit) -> MainDeliveries.Delivery?

  /// Puts a state into the feed, in which what was shown last stays.
  func publish(_ state: LiveState) -> MainDeliveries.Delivery?

  /// Says whether what was published last stands for all commits that the engine has processed.
  func setFollowing(_ isFollowing: Bool)
}

/// A consumer that leaves what it gets in a feed.
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
