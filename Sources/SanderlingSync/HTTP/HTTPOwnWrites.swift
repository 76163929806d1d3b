import Sanderling

/// Notifies the followers of a server that this device wrote to it, or that the app requests a poll.
///
/// An acknowledged mutation leaves the outbox when a poll ends that began later, and a record in conflict waits to be
/// pulled. Neither should wait for the next regular poll.
final class HTTPOwnWrites: Sendable {
  private struct State {
    var listeners: [Int: @Sendable () -> Void] = [:]
    var lastListener = 0
    /// The number of the last poll that began.
    var lastLook = 0
    /// Whether a poll may find the cause of a conflict. A permanent conflict waits for the next regular poll.
    var isConflictNews = true
  }

  /// Guards the listeners.
  private let state = Lock(State())
  /// The failed polls since the server became unreachable.
  let failedLooks = AwaitedState(FailedLooks())

  /// - Returns: The listener's number.
  func listen(_ listener: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = listener
      return state.lastListener
    }
  }

  func forget(_ number: Int) { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }

  /// Begins a poll.
  ///
  /// - Returns: The poll's number.
  func beginLook() -> Int {
    state.withLock { state in
      state.lastLook += 1
      return state.lastLook
    }
  }

  /// Makes all followers poll now. A follower that is already polling polls once more.
  ///
  /// - Returns: The number of the last poll that began before.
  func lookNow() -> Int {
    let (listeners, last) = state.withLock { (Array($0.listeners.values), $0.lastLook) }
    for listener in listeners { listener() }
    return last
  }

  /// Notes that a poll found a change.
  func found() { state.withLock { $0.isConflictNews = true } }

  /// Notes the server's answers.
  func note(_ outcomes: [MutationOutcome]) {
    let isAcknowledged = outcomes.contains(where: \.isAcknowledged)
    let listeners: [@Sendable () -> Void] = state.withLock { state in
      guard isAcknowledged || (state.isConflictNews && outcomes.contains(where: \.isConflict)) else { return [] }
      state.isConflictNews = isAcknowledged
      return Array(state.listeners.values)
    }
    for listener in listeners { listener() }
  }
}
