import Sanderling

/// The values that a recorder has collected, and the number of them that were taken.
final class Recording<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    /// The number of values that were taken.
    var taken = 0
    var hasEnded = false
    var lastTicket: UInt64 = 0
    var waiting: [UInt64: CheckedContinuation<Void, any Error>] = [:]

    mutating func takeWaiting() -> some Collection<CheckedContinuation<Void, any Error>> {
      defer { waiting = [:] }
      return waiting.values
    }
  }

  /// Guards the values and the tasks that wait for more. No task is resumed while the lock is held.
  private let state = Lock(State())

  var values: [Value] { state.withLock(\.values) }

  func append(_ value: Value) {
    let waiting = state.withLock { state in
      state.values.append(value)
      return state.takeWaiting()
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Ends the recording: no value follows.
  func end() {
    let (waiting, count) = state.withLock { state in
      state.hasEnded = true
      return (state.takeWaiting(), state.values.count)
    }
    for continuation in waiting { continuation.resume(throwing: LiveRecorderError.ended(recorded: count)) }
  }

  /// Returns the first value that was not taken yet.
  func take() -> Value? {
    state.withLock { state in
      guard state.taken < state.values.count else { return nil }
      defer { state.taken += 1 }
      return state.values[state.taken]
    }
  }

  func takeAll() -> [Value] {
    state.withLock { state in
      defer { state.taken = state.values.count }
      return Array(state.values[state.taken...])
    }
  }

  /// Waits until there is a value that was not taken yet.
  func waitForMore() async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if state.taken < state.values.count { return .success(()) }
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.hasEnded { return .failure(LiveRecorderError.ended(recorded: state.values.count)) }
          state.waiting[ticket] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiting.removeValue(forKey: ticket) }
      continuation?.resume(throwing: CancellationError())
    }
  }
}
