import Synchronization

/// How many commits there were, and whether one is under way, so that a reader can tell which commit its snapshot shows.
///
/// A commit becomes visible to readers at some moment between ``begin()`` and ``complete()``. A reader for which the sequence
/// was at rest, and the same, before its snapshot began and after its first read, sees exactly the commits that were complete.
final class CommitSequence: Sendable {
  /// Twice the number of complete commits, and one more while another is under way. Changed on the writer's queue only.
  private let state = Atomic<UInt64>(0)
  /// How many readers began to name a snapshot.
  private let begunNamings = Atomic(0)
  /// The first of them that named its snapshot since the last take. Signed, as Swift 6.3 takes the minimum of unsigned numbers as
  /// if they were.
  private let firstNaming = Atomic(Int.max)

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
    firstNaming.min(attempt.ordinal, ordering: .sequentiallyConsistent)
  }

  /// A moment: snapshots that began before it may not contain events from before it.
  var moment: Int { begunNamings.load(ordering: .sequentiallyConsistent) }

  /// A moment after which the snapshot of the take that asks began; nil for unknown.
  ///
  /// Snapshots that others named meanwhile make it earlier, never later.
  func takeMomentOfSnapshot() -> Int? {
    let ordinal = firstNaming.exchange(.max, ordering: .sequentiallyConsistent)
    return ordinal == .max ? nil : ordinal - 1
  }
}

/// The state before a snapshot began, from which ``ChangeCapture/confirm(_:)`` makes the snapshot's name.
struct NamingAttempt: Sendable {
  fileprivate let state: UInt64
  fileprivate let ordinal: Int
}
