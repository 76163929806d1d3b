/// How far a synchronisation is, the present state first, then the newest at any time.
///
/// Each iteration is a subscriber of its own. Older states are skipped while it is busy. It ends when the task is cancelled or the session
/// is released.
public struct SyncProgressUpdates: AsyncSequence, Sendable {
  let hub: ProgressHub

  public func makeAsyncIterator() -> Iterator {
    Iterator(updates: hub.listen().makeAsyncIterator())
  }

  public struct Iterator: AsyncIteratorProtocol {
    var updates: AsyncStream<SyncProgress>.Iterator

    public mutating func next() async -> SyncProgress? {
      await updates.next()
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> SyncProgress? {
      await updates.next(isolation: actor)
    }
  }
}
