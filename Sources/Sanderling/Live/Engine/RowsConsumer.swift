/// A consumer of a live list.
final class RowsConsumer<Element: Sendable>: LiveConsumer {
  private let feed: LiveFeed<LiveSnapshot<Element>>
  private var last: LiveSnapshot<Element>?

  init(
    _ feed: LiveFeed<LiveSnapshot<Element>>, window: Int, makeQuery: @escaping @Sendable (LiveCore) -> LiveQuery
  ) {
    self.feed = feed
    super.init(window: window, makeQuery: makeQuery)
  }

  override func publish(_ query: LiveQuery, commit: Commit?) -> (@MainActor @Sendable () -> Void)? {
    // The rows of the query before stay until those of its successor are read.
    guard query.commit != nil || query.failure != nil else { return nil }
    var snapshot = LiveSnapshot(
      rows: last?.rows ?? LiveRows(), commit: last?.commit, state: query.state, hasMore: last?.hasMore ?? false)
    if query.failure == nil, let rows = (query as? RowsResult<Element>)?.rows(window: window) {
      snapshot = LiveSnapshot(rows: rows.rows, commit: commit, state: query.state, hasMore: rows.hasMore)
    }
    return put(snapshot)
  }

  override var isFollowing: Bool {
    get { feed.isFollowing }
    set { feed.isFollowing = newValue }
  }

  override func publishSuspended() -> (@MainActor @Sendable () -> Void)? {
    put(
      LiveSnapshot(
        rows: last?.rows ?? LiveRows(), commit: last?.commit, state: .suspended, hasMore: last?.hasMore ?? false))
  }

  private func put(_ snapshot: LiveSnapshot<Element>) -> (@MainActor @Sendable () -> Void)? {
    if let last, last.state.isCurrent, snapshot.state.isCurrent, last.hasMore == snapshot.hasMore,
      last.rows.stamps == snapshot.rows.stamps
    {
      return nil
    }
    last = snapshot
    feed.publish(snapshot)
    return feed.takeOnMain
  }
}
