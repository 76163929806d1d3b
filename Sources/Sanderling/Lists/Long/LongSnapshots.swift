/// The snapshots of a long list. A slow subscriber receives only the newest. The sequence ends when the task is
/// cancelled.
public struct LongSnapshots<Element: Sendable>: AsyncSequence, Sendable {
  let source: LiveSource<LongSnapshot<Element>>

  public func makeAsyncIterator() -> Iterator {
    Iterator(subscription: LiveSubscription(source, feed: LiveFeed()))
  }

  public struct Iterator: AsyncIteratorProtocol {
    let subscription: LiveSubscription<LongSnapshot<Element>>
    private var last: UInt64 = 0

    init(subscription: LiveSubscription<LongSnapshot<Element>>) {
      self.subscription = subscription
    }

    public mutating func next() async -> LongSnapshot<Element>? {
      await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> LongSnapshot<Element>? {
      guard let (snapshot, number) = await subscription.next(after: last, isolation: actor) else { return nil }
      last = number
      return snapshot
    }
  }
}
