import Synchronization

/// The number of complete commits, and whether a commit is under way. Readers use it to name the commit of a snapshot.
///
/// A commit becomes visible to readers at some moment between ``begin()`` and ``complete()``. A snapshot contains
/// exactly the complete commits if no commit was under way before it began, and the sequence is unchanged after its
/// first read.
final class CommitSequence: Sendable {
  /// Twice the number of complete commits, plus one while a commit is under way. Only the writer's queue changes it.
  private let state = Atomic<UInt64>(0)
  /// The number of snapshots whose naming began.
  private let begunNamings = Atomic(0)
  /// The least ordinal of a named snapshot since the last take. Signed, because Swift 6.3 compares unsigned numbers as
  /// signed ones for a minimum.
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

  /// The present moment. Snapshots that began before it may lack earlier events; later ones contain them.
  var moment: Int { begunNamings.load(ordering: .sequentiallyConsistent) }

  /// Takes a moment after which the snapshot of the current take began; nil if unknown.
  ///
  /// Snapshots that other readers named meanwhile make the moment earlier, never later.
  func takeMomentOfSnapshot() -> Int? {
    let ordinal = firstNaming.exchange(.max, ordering: .sequentiallyConsistent)
    return ordinal == .max ? nil : ordinal - 1
  }
}

/// The state before a snapshot began, from which ``CommitSequence/confirm(_:)`` makes the snapshot's name.
struct NamingAttempt: Sendable {
  fileprivate let state: UInt64
  fileprivate let ordinal: Int
}
