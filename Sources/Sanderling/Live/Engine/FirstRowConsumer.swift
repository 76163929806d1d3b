/// A consumer of the first row of a query.
final class FirstRowConsumer<Element: Sendable>: LiveConsumer {
  private let feed: LiveFeed<LiveReading<Element>>
  private var last: LiveReading<Element>?
  private var lastRow: LiveRow<Element>?

  init(_ feed: LiveFeed<LiveReading<Element>>, makeQuery: @escaping @Sendable (LiveCore) -> LiveQuery) {
    self.feed = feed
    super.init(window: 1, makeQuery: makeQuery)
  }

  override func publish(_ query: LiveQuery, commit: Commit?) -> (@MainActor @Sendable () -> Void)? {
    guard query.commit != nil || query.failure != nil else { return nil }
    guard query.failure == nil, let source = query as? RowsResult<Element> else {
      return put(LiveReading(value: last?.value, commit: last?.commit, state: query.state))
    }
    let row = source.rows(window: 1).rows.first
    if let last, last.state.isCurrent, row?.id == lastRow?.id, row?.version == lastRow?.version { return nil }
    lastRow = row
    return put(LiveReading(value: row?.element, commit: commit, state: query.state))
  }

  override var isFollowing: Bool {
    get { feed.isFollowing }
    set { feed.isFollowing = newValue }
  }

  override func publishSuspended() -> (@MainActor @Sendable () -> Void)? {
    put(LiveReading(value: last?.value, commit: last?.commit, state: .suspended))
  }

  private func put(_ reading: LiveReading<Element>) -> (@MainActor @Sendable () -> Void)? {
    last = reading
    feed.publish(reading)
    return feed.takeOnMain
  }
}
