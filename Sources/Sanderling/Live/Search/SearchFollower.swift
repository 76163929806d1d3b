/// Reports when a search must be read again, or can't be followed. The session makes it when it begins, and releases it
/// at its end.
@MainActor
final class SearchFollower {
  private let source: LiveSource<LiveReading<UInt64>>
  private let subscription: LiveSubscription<LiveReading<UInt64>>

  /// - Parameter receive: Takes the states: `current` for each change, and when the tables are followed from then on. It must not hold the
  ///   follower.
  init(_ engine: LiveEngine, _ changes: ChangeSignal, receive: @escaping @MainActor (LiveState) -> Void) {
    source = LiveSource(engine: engine, request: changes.request, window: 1)
    subscription = LiveSubscription(source, feed: LiveFeed(target: Receiver(receive)))
    subscription.start()
  }

  /// Tries again to follow the tables.
  func retry() {
    source.retry()
  }

  /// Separate from the follower, because pending deliveries may hold it.
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
