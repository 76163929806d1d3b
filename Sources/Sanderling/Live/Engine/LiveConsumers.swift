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
    if query.failure == nil, let rows = (query as? any RowsSource<Element>)?.rows(window: window) {
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
      RowDifference(from: last.rows, to: snapshot.rows).isEmpty
    {
      return nil
    }
    last = snapshot
    feed.publish(snapshot)
    return feed.takeOnMain
  }
}

/// A query that has rows of a type.
protocol RowsSource<Element>: LiveQuery {
  associatedtype Element: Sendable
  func rows(window: Int) -> (rows: LiveRows<Element>, hasMore: Bool)
}

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
    guard query.failure == nil, let source = query as? any RowsSource<Element> else {
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
    guard query.failure == nil, let source = query as? any ValueSource<Value>, let value = source.value else {
      return put(LiveReading(value: last?.value, commit: last?.commit, state: query.state))
    }
    if let last, last.state.isCurrent, lastVersion == source.version { return nil }
    lastVersion = source.version
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

/// A query that has one value of a type.
protocol ValueSource<Value>: LiveQuery {
  associatedtype Value: Sendable
  var value: Value? { get }
  /// Differs when the value does.
  var version: UInt64 { get }
}
