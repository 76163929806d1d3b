/// A consumer of a count or another single value.
final class ValueConsumer<Value: Sendable>: LiveConsumer {
  private let feed: LiveFeed<LiveReading<Value>>
  private var last: LiveReading<Value>?
  private var lastVersion: UInt64?

  init(_ feed: LiveFeed<LiveReading<Value>>, makeQuery: @escaping @Sendable (LiveCore) -> LiveQuery) {
    self.feed = feed
    super.init(window: 1, makeQuery: makeQuery)
  }

  override func publish(_ query: LiveQuery, commit: Commit?) -> (@MainActor @Sendable () -> Void)? {
    guard query.commit != nil || query.failure != nil else { return nil }
    guard query.failure == nil, case let (value?, version)? = (query as? ValueResult<Value>)?.result else {
      return put(LiveReading(value: last?.value, commit: last?.commit, state: query.state))
    }
    if let last, last.state.isCurrent, lastVersion == version { return nil }
    lastVersion = version
    return put(LiveReading(value: value, commit: commit, state: query.state))
  }

  override var isFollowing: Bool {
    get { feed.isFollowing }
    set { feed.isFollowing = newValue }
  }

  override func publishSuspended() -> (@MainActor @Sendable () -> Void)? {
    put(LiveReading(value: last?.value, commit: last?.commit, state: .suspended))
  }

  private func put(_ reading: LiveReading<Value>) -> (@MainActor @Sendable () -> Void)? {
    last = reading
    feed.publish(reading)
    return feed.takeOnMain
  }
}
