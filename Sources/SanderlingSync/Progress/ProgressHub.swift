import Sanderling

/// Tells everyone who asks how far a synchronisation is, at most once a frame but for the last time.
final class ProgressHub: Sendable {
  private struct State {
    var current = SyncProgress()
    var start: ContinuousClock.Instant?
    var told: ContinuousClock.Instant?
    var listeners: [Int: AsyncStream<SyncProgress>.Continuation] = [:]
    var lastListener = 0
  }

  private static let interval = Duration.seconds(1) / 60

  /// Guards what is known and who listens.
  private let state = Lock(State())

  var current: SyncProgress { state.withLock { $0.current } }

  func begin() {
    state.withLock { state in
      state.current = SyncProgress()
      state.start = .now
    }
    tell(.pulling, isUrgent: true)
  }

  /// - Returns: What the run did.
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
    let told: (SyncProgress, [AsyncStream<SyncProgress>.Continuation])? = state.withLock { state in
      let now = ContinuousClock.now
      if let phase { state.current.phase = phase }
      if let start = state.start { state.current.duration = now - start }
      if !isUrgent, let told = state.told, now - told < Self.interval { return nil }
      state.told = now
      return (state.current, Array(state.listeners.values))
    }
    guard let (progress, listeners) = told else { return }
    for listener in listeners { listener.yield(progress) }
  }

  /// The present state, then the newest whenever it is asked for.
  func listen() -> AsyncStream<SyncProgress> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let (number, current) = state.withLock { state in
        state.lastListener += 1
        state.listeners[state.lastListener] = continuation
        return (state.lastListener, state.current)
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.listeners.removeValue(forKey: number) }
      }
      continuation.yield(current)
    }
  }

  func close() {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.finish() }
  }
}
