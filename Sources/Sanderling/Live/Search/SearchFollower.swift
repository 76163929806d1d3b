/// Reports when a search must be read again, or can't be followed. Made when the search begins. Ends when it is
/// released.
@MainActor
final class SearchFollower {
  private let source: LiveSource<LiveReading<UInt64>>
  private let subscription: LiveSubscription<LiveReading<UInt64>>

  /// - Parameter receive: Takes the states: `current` when the tables are followed, and then for each change. It must
  ///   not retain the follower.
  init(_ engine: LiveEngine, _ changes: ChangeSignal, receive: @escaping @MainActor (LiveState) -> Void) {
    source = LiveSource(engine: engine, request: changes.request, window: 1)
    subscription = LiveSubscription(source, feed: LiveFeed(target: Receiver(receive)))
    subscription.start()
  }

  /// Tries again to follow the tables.
  func retry() {
    source.retry()
  }

  /// A separate object from the follower, since a delivery that waits may retain it.
  private final class Receiver: LiveTarget {
    private let receive: @MainActor (LiveState) -> Void
    private var number: UInt64 = 0

    init(_ receive: @escaping @MainActor (LiveState) -> Void) {
      self.receive = receive
    }

    func take(_ newest: LiveReading<UInt64>, number: UInt64) {
      guard number > self.number else { return }
      self.number = number
      receive(newest.state)
    }
  }
}
