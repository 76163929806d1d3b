import Synchronization

/// How many commits there were, and whether one is under way, so that a reader can tell which commit its snapshot shows.
///
/// A commit becomes visible to readers at some moment between ``begin()`` and ``complete()``. A reader for which the sequence
/// was at rest, and the same, before its snapshot began and after its first read, sees exactly the commits that were complete.
final class CommitSequence: Sendable {
  /// Twice the number of complete commits, and one more while another is under way. Changed on the writer's queue only.
  private let state = Atomic<UInt64>(0)
  /// How many readers began to name a snapshot, and the last of them that did.
  private let begunNamings = Atomic<UInt64>(0)
  private let confirmedNaming = Atomic<UInt64>(0)

  /// The number of the last complete commit.
  var number: UInt64 { state.load(ordering: .acquiring) >> 1 }

  var isUnderWay: Bool { state.load(ordering: .relaxed) & 1 == 1 }

  // MARK: The writer

  func begin() {
    state.store(state.load(ordering: .relaxed) | 1, ordering: .sequentiallyConsistent)
  }

  func complete() {
    state.store((number + 1) << 1, ordering: .sequentiallyConsistent)
  }

  func cancel() {
    state.store(number << 1, ordering: .sequentiallyConsistent)
  }

  // MARK: Readers

  func beginNaming() -> NamingAttempt {
    NamingAttempt(
      state: state.load(ordering: .sequentiallyConsistent),
      ordinal: begunNamings.add(1, ordering: .sequentiallyConsistent).newValue)
  }

  func confirm(_ attempt: NamingAttempt) -> UInt64? {
    guard attempt.state & 1 == 0, state.load(ordering: .sequentiallyConsistent) == attempt.state else { return nil }
    noteNaming(attempt)
    return attempt.state >> 1
  }

  /// The name of a snapshot that begins while the writer's queue waits for it.
  func nameOnWriter() -> UInt64 {
    noteNaming(beginNaming())
    return number
  }

  private func noteNaming(_ attempt: NamingAttempt) {
    confirmedNaming.max(attempt.ordinal, ordering: .sequentiallyConsistent)
  }

  /// A moment before which snapshots may have begun without what happened before it.
  var moment: UInt64 { begunNamings.load(ordering: .sequentiallyConsistent) }

  /// Whether the last named snapshot began after a moment.
  func isNamed(after moment: UInt64) -> Bool {
    confirmedNaming.load(ordering: .sequentiallyConsistent) > moment
  }
}

/// The state before a snapshot began, of which ``ChangeCapture/confirm(_:)`` makes the snapshot's name.
struct NamingAttempt: Sendable {
  fileprivate let state: UInt64
  fileprivate let ordinal: UInt64
}
