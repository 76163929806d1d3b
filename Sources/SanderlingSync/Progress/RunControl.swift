import Sanderling

/// The app's requests to a run: pause, resume, end.
final class RunControl: Sendable {
  private struct State {
    var isPaused = false
    var isRunning = false
    /// The number of the run, from 1.
    var number = 0
    var isCancelled = false
    var task: Task<SyncSummary, any Error>?
    /// The source's last poll after which the records equalled the source: ``SyncBatch/endOfLook``.
    var lastLook = 0
  }

  /// The requests, and the state of the run.
  private let state = AwaitedState(State())

  /// - Returns: Whether no other run is active.
  func begin() -> Bool {
    state.update { state in
      if state.isRunning { return false }
      state.isRunning = true
      state.number += 1
      state.isCancelled = false
      state.lastLook = 0
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

  func noteCaughtUp(_ look: Int?) { state.update { $0.lastLook = look ?? $0.lastLook } }

  /// Asks the source of the active run to poll now, and waits for the end of that poll.
  ///
  /// - Parameter ask: Requests the poll: ``LookingSource/lookNow()``. Without a number, the run must end.
  /// - Returns: Whether the source polled. If not, the run had ended before.
  /// - Throws: The error that ends the run, and `CancellationError`.
  func look(_ ask: () -> Int?) async throws -> Bool {
    let before = state.current
    let last = ask() ?? .max
    await state.wait { !$0.isRunning || $0.number != before.number || $0.lastLook > last }
    try Task.checkCancellation()
    let now = state.current
    if now.number == before.number, now.lastLook > last { return true }
    _ = try await before.task?.value
    return false
  }
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
