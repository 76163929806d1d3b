/// The progress of a synchronisation: first the present state, then the newest state each time.
///
/// Each iteration is a separate subscriber. A busy subscriber misses older states. The sequence ends when the task is
/// cancelled or the session is released.
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
