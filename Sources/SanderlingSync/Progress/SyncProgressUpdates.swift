/// How far a synchronisation is, the present state first, then the newest at any time.
///
/// Each iteration is a consumer of its own. States that come and go while it is busy are passed over. It ends when the task is cancelled or
/// the synchronisation is let go of.
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
