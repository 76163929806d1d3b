import Sanderling

/// Tells everyone who asks how far a synchronisation is, at most once a frame but for the last time.
final class ProgressHub: Sendable {
  private struct State {
    var current = SyncProgress()
    var start: ContinuousClock.Instant?
    var told: ContinuousClock.Instant?
    var listeners: [Int: AsyncStream<SyncProgress>.Continuation] = [:]
    var lastListener = 0
    /// How many tasks wait while the run is paused, and the phase before.
    var pausedCount = 0
    var phaseBefore = SyncProgress.Phase.idle

    /// Under the lock: otherwise an older state could be told last, and stay.
    mutating func tell(isUrgent: Bool) {
      let now = ContinuousClock.now
      if let start { current.duration = now - start }
      if !isUrgent, let told, now - told < ProgressHub.interval { return }
      told = now
      for listener in listeners.values { listener.yield(current) }
    }
  }

  private static let interval = Duration.seconds(1) / 60

  /// Guards the progress and its listeners.
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

  /// The source gave a batch.
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

  /// - Parameter phase: nil for the same.
  func tell(_ phase: SyncProgress.Phase?, isUrgent: Bool = true) {
    state.withLock { state in
      if let phase {
        if state.pausedCount > 0 { state.phaseBefore = phase } else { state.current.phase = phase }
      }
      state.tell(isUrgent: isUrgent)
    }
  }

  /// Work waits until the run is resumed. Of several tasks, all count.
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

  /// The present state, then the newest whenever it is asked for.
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
