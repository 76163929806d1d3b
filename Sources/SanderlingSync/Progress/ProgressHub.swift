import Sanderling

/// Sends a synchronisation's progress to all subscribers, at most once per frame except for the last value.
final class ProgressHub: Sendable {
  private struct State {
    var current = SyncProgress()
    var start: ContinuousClock.Instant?
    var told: ContinuousClock.Instant?
    var listeners: [Int: AsyncStream<SyncProgress>.Continuation] = [:]
    var lastListener = 0
    /// The number of tasks waiting during a pause, and the phase before.
    var pausedCount = 0
    var phaseBefore = SyncProgress.Phase.idle

    /// Called under the lock; otherwise an older state could be sent last, and stay.
    mutating func tell(isUrgent: Bool) {
      let now = ContinuousClock.now
      if let start { current.duration = now - start }
      if !isUrgent, let told, now - told < ProgressHub.interval { return }
      told = now
      for listener in listeners.values { listener.yield(current) }
    }
  }

  private static let interval = Duration.seconds(1) / 60

  /// Guards the progress and its subscribers.
  private let state = Lock(State())

  var current: SyncProgress { state.withLock { $0.current } }

  func begin() {
    state.withLock { state in
      state.current = SyncProgress()
      state.start = .now
    }
    tell(.pulling, isUrgent: true)
  }

  /// - Returns: The progress of the run.
  func end() -> SyncProgress {
    tell(.idle, isUrgent: true)
    return current
  }

  /// The source delivered a batch.
  func received(_ batch: SyncBatch) {
    state.withLock { state in
      state.current.counts.received += batch.changes.count + batch.repeatedCount
      state.current.counts.superseded += batch.repeatedCount
      state.current.remaining = batch.remaining
    }
    tell(nil, isUrgent: false)
  }

  func add(_ counts: SyncCounts) {
    state.withLock { $0.current.counts += counts }
    tell(nil, isUrgent: false)
  }

  /// - Parameter phase: Nil to keep the phase.
  func tell(_ phase: SyncProgress.Phase?, isUrgent: Bool = true) {
    state.withLock { state in
      if let phase {
        if state.pausedCount > 0 { state.phaseBefore = phase } else { state.current.phase = phase }
      }
      state.tell(isUrgent: isUrgent)
    }
  }

  /// Counts a task that waits until the run is resumed. Several tasks may wait.
  func pause() {
    state.withLock { state in
      if state.pausedCount == 0 { state.phaseBefore = state.current.phase }
      state.pausedCount += 1
      state.current.phase = .paused
      state.tell(isUrgent: true)
    }
  }

  func resume() {
    state.withLock { state in
      state.pausedCount -= 1
      if state.pausedCount > 0 { return }
      state.current.phase = state.phaseBefore
      state.tell(isUrgent: true)
    }
  }

  /// The current state, then the newest state at each request.
  func listen() -> AsyncStream<SyncProgress> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = continuation
        continuation.yield(state.current)
        return state.lastListener
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
      }
    }
  }

  func close() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.finish() }
  }
}
