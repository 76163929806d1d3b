import Sanderling

/// Tells those who follow a server that this device wrote to it, or that the app wants to know now.
///
/// A mutation that the server acknowledged leaves the outbox when a look that began later is over, and a record in
/// conflict is to be pulled. Neither should have to wait for the next look that would come by itself.
final class HTTPOwnWrites: Sendable {
  private struct State {
    var listeners: [Int: @Sendable () -> Void] = [:]
    var lastListener = 0
    /// The number of the last look that began.
    var lastLook = 0
    /// Whether a look may find why something was in conflict. One that stays in conflict, whatever is pulled, waits for the next look.
    var isConflictNews = true
  }

  /// Guards who listens.
  private let state = Lock(State())
  /// The looks that failed since the server wasn't there.
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

  /// A look begins.
  ///
  /// - Returns: Its number.
  func beginLook() -> Int {
    state.withLock { state in
      state.lastLook += 1
      return state.lastLook
    }
  }

  /// Has all followers look now. A follower that looks already, looks once more then.
  ///
  /// - Returns: The number of the last look that began before.
  func lookNow() -> Int {
    let (listeners, last) = state.withLock { (Array($0.listeners.values), $0.lastLook) }
    for listener in listeners { listener() }
    return last
  }

  /// A look found something.
  func found() { state.withLock { $0.isConflictNews = true } }

  /// The server answered.
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
