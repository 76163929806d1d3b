import Observation
import Synchronization

/// Reads something on the main actor again whenever it changes.
@MainActor
final class RecordedObservation<Value: Sendable> {
  private let recording: Recording<Value>
  private let read: @MainActor () -> Value
  /// Whether something changed since it was read. Set wherever the change is made.
  private nonisolated let isOutdated = Atomic(false)
  private nonisolated let isStopped = Atomic(false)

  init(_ recording: Recording<Value>, _ read: @escaping @MainActor () -> Value) {
    self.recording = recording
    self.read = read
  }

  /// Reads for the first time.
  func begin() {
    readAndTrack()
  }

  /// Reads again if something changed.
  func catchUp() {
    if !isStopped.load(ordering: .acquiring), isOutdated.exchange(false, ordering: .acquiringAndReleasing) {
      readAndTrack()
    }
  }

  nonisolated func stop() {
    isStopped.store(true, ordering: .releasing)
  }

  private func readAndTrack() {
    let value = withObservationTracking(read) { [weak self] in
      // Called before the value changes: it is read in a later turn of the main actor.
      guard let self else { return }
      isOutdated.store(true, ordering: .releasing)
      Task { @MainActor in self.catchUp() }
    }
    recording.append(value)
  }
}
