import Sanderling

/// The value that a consumer of a sequence received at one time.
struct Observation: Sendable {
  let rows: [[StorageValue]]
  let commit: Commit?
  let isCurrent: Bool
  /// The error of a failed result.
  var error: String?
  var sections: ShownSections?
}

/// The values that one consumer of a sequence received. Its task writes them and the round reads them.
final class ConsumerLog: Sendable {
  private struct State {
    var unread: [Observation] = []
    var last: Observation?
    var problem: String?
    /// Whether the consumer takes values now.
    var isOpen = true
    var paused: CheckedContinuation<Void, Never>?
    var waiting: CheckedContinuation<Void, Never>?
  }

  let name: String
  /// Guards the observations and the tasks that wait for more.
  private let state = Lock(State())

  init(_ name: String) {
    self.name = name
  }

  func add(_ observation: Observation, problem: String?) {
    let waiting = state.withLock { state in
      if let before = state.last?.commit, let commit = observation.commit, commit < before, state.problem == nil {
        state.problem = "commit \(commit.number) came after commit \(before.number)"
      }
      state.problem = state.problem ?? problem
      state.unread.append(observation)
      state.last = observation
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// The observations since the last call, and the problem found so far.
  func take() -> (observations: [Observation], problem: String?) {
    state.withLock { state in
      defer { state.unread = [] }
      return (state.unread, state.problem)
    }
  }

  /// Waits until the last observation satisfies a condition.
  ///
  /// - Returns: Whether an observation satisfies the condition; false if the time ran out.
  func wait(until isSatisfied: @Sendable (Observation?) -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      wake()
    }
    defer { timer.cancel() }
    while true {
      if isSatisfied(state.withLock { $0.last }) { return true }
      if ContinuousClock.now >= deadline { return false }
      await withCheckedContinuation { continuation in
        let isDone = state.withLock { state in
          if isSatisfied(state.last) || ContinuousClock.now >= deadline { return true }
          state.waiting = continuation
          return false
        }
        if isDone { continuation.resume() }
      }
    }
  }

  var last: Observation? { state.withLock { $0.last } }

  private func wake() {
    let waiting = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  // MARK: Slow consumers

  /// Lets the consumer take values, or makes it pause before the next value.
  func setOpen(_ isOpen: Bool) {
    let paused = state.withLock { state in
      state.isOpen = isOpen
      guard isOpen else { return CheckedContinuation<Void, Never>?.none }
      defer { state.paused = nil }
      return state.paused
    }
    paused?.resume()
  }

  /// Waits until the consumer may take another value.
  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.paused = continuation }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}
