/// The snapshots of a live list, the newest at any time.
///
/// Each iteration is a subscriber of its own. It receives the current snapshot at once, then the newest snapshot
/// whenever it asks and a new one exists. Older snapshots are skipped while it is busy, so a slow subscriber costs no
/// memory. The rows are followed while an iterator exists. Iterating ends when the task is cancelled; errors are states
/// of a snapshot.
public struct LiveSnapshots<Row: Sendable>: AsyncSequence, Sendable {
  public typealias Element = LiveSnapshot<Row>

  let source: LiveSource<LiveSnapshot<Row>>

  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: LiveSubscription(source, feed: LiveFeed()))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let subscription: LiveSubscription<LiveSnapshot<Row>>
    private var last: UInt64 = 0

    init(subscription: LiveSubscription<LiveSnapshot<Row>>) {
      self.subscription = subscription
    }

    public mutating func next() async -> LiveSnapshot<Row>? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveSnapshot<Row>? {
      guard let (snapshot, number) = await subscription.next(after: last, isolation: actor) else { return nil }
      last = number
      return snapshot
    }
  }
}

/// The changes of a live list. Each is the step from the last snapshot that this subscriber received to the newest.
///
/// The first change inserts all rows. Differences contain readable rows only: a row that becomes unreadable is removed,
/// and inserted when it becomes readable. Otherwise like ``LiveSnapshots``.
public struct LiveChanges<Row: Sendable>: AsyncSequence, Sendable {
  public typealias Element = LiveChange<Row>

  let snapshots: LiveSnapshots<Row>

  public func makeAsyncIterator() -> Iterator {
    Iterator(snapshots: snapshots.makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    private var snapshots: LiveSnapshots<Row>.Iterator
    private var rows = LiveRows<Row>()

    init(snapshots: LiveSnapshots<Row>.Iterator) {
      self.snapshots = snapshots
    }

    public mutating func next() async -> LiveChange<Row>? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveChange<Row>? {
      guard let snapshot = await snapshots.next(isolation: actor) else { return nil }
      defer { rows = snapshot.rows }
      return LiveChange(difference: RowDifference(from: rows, to: snapshot.rows), snapshot: snapshot)
    }
  }
}

/// The readings of a live count or value, the newest at any time. Otherwise like ``LiveSnapshots``.
public struct LiveReadings<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Element = LiveReading<Value>

  let source: LiveSource<LiveReading<Value>>

  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: LiveSubscription(source, feed: LiveFeed()))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let subscription: LiveSubscription<LiveReading<Value>>
    private var last: UInt64 = 0

    init(subscription: LiveSubscription<LiveReading<Value>>) {
      self.subscription = subscription
    }

    public mutating func next() async -> LiveReading<Value>? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> LiveReading<Value>? {
      guard let (reading, number) = await subscription.next(after: last, isolation: actor) else { return nil }
      last = number
      return reading
    }
  }
}
