import Observation
import Synchronization

/// Reads a value on the main actor, and reads it again after each of its changes.
@MainActor
final class RecordedObservation<Value: Sendable> {
  private let recording: Recording<Value>
  private let read: @MainActor () -> Value
  /// Whether the value changed since the last read. Set on the thread that makes the change.
  private nonisolated let isOutdated = Atomic(false)
  private nonisolated let isStopped = Atomic(false)

  init(_ recording: Recording<Value>, _ read: @escaping @MainActor () -> Value) {
    self.recording = recording
    self.read = read
  }

  /// Makes the first read.
  func begin() {
    readAndTrack()
  }

  /// Reads again if the value changed since the last read.
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
      // Observation calls this before the value changes, so the value is read in a later turn of the main actor.
      guard let self else { return }
      isOutdated.store(true, ordering: .releasing)
      Task { @MainActor in self.catchUp() }
    }
    recording.append(value)
  }
}
