import Sanderling

/// What the app asks of a run: to wait, to go on, to end.
final class RunControl: Sendable {
  private struct State {
    var isPaused = false
    var isRunning = false
    var isCancelled = false
    var task: Task<SyncSummary, any Error>?
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiter = 0
  }

  /// Guards what is asked.
  private let state = Lock(State())

  /// - Returns: Whether no other run is under way.
  func begin() -> Bool {
    state.withLock { state in
      if state.isRunning { return false }
      state.isRunning = true
      state.isCancelled = false
      return true
    }
  }

  func setTask(_ task: Task<SyncSummary, any Error>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func end() {
    state.withLock { state in
      state.isRunning = false
      state.task = nil
    }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = state.isRunning
      return state.task
    }
    task?.cancel()
  }

  func setPaused(_ isPaused: Bool) {
    let waiting = state.withLock { state in
      state.isPaused = isPaused
      if isPaused { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for waiter in waiting { waiter.resume() }
  }

  /// Waits while the run is paused.
  ///
  /// - Throws: `CancellationError`.
  func proceed(_ hub: ProgressHub) async throws {
    try Task.checkCancellation()
    guard state.withLock({ $0.isPaused }) else { return }
    let phase = hub.current.phase
    hub.tell(.paused)
    await wait()
    try Task.checkCancellation()
    hub.tell(phase)
  }

  private func wait() async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let goesOn = state.withLock { state in
          if !state.isPaused || Task.isCancelled { return true }
          state.waiting[number] = continuation
          return false
        }
        if goesOn { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
    }
  }
}
