import Sanderling

/// What the app asks of a run: to wait, to go on, to end.
final class RunControl: Sendable {
  private struct State {
    var isPaused = false
    var isRunning = false
    var isCancelled = false
    var task: Task<SyncSummary, any Error>?
  }

  /// What is asked.
  private let state = AwaitedState(State())

  /// - Returns: Whether no other run is under way.
  func begin() -> Bool {
    state.update { state in
      if state.isRunning { return false }
      state.isRunning = true
      state.isCancelled = false
      return true
    }
  }

  func setTask(_ task: Task<SyncSummary, any Error>) {
    let isCancelled = state.update { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func end() {
    state.update { state in
      state.isRunning = false
      state.task = nil
    }
  }

  func cancel() {
    let task = state.update { state in
      state.isCancelled = state.isRunning
      return state.task
    }
    task?.cancel()
  }

  func setPaused(_ isPaused: Bool) {
    state.update { $0.isPaused = isPaused }
  }

  /// Waits while the run is paused.
  ///
  /// - Throws: `CancellationError`.
  func proceed(_ hub: ProgressHub) async throws {
    try Task.checkCancellation()
    guard state.current.isPaused else { return }
    hub.pause()
    await state.wait { !$0.isPaused }
    hub.resume()
    try Task.checkCancellation()
  }
}
