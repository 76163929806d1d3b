import Synchronization

/// What was committed and waits to be looked at. The writer's queue adds to it, and turns take from it.
final class ChangeLog: Sendable {
  /// How commits are numbered.
  let sequence: CommitSequence
  /// The tables of which it is noted that statements may have written them.
  let followed = FollowedTables()
  /// Guards what waits. Held while it is added to or taken.
  private let pending: Lock<PendingChanges>
  private let isPending = Atomic(false)
  private let byteCount = Atomic(0)
  /// Whether the writer's queue will look at what waits once it is free, before others are told of it.
  private let hasLookAhead = Atomic(false)
  /// How often something was found that no commit told of.
  private let surprises = Atomic(0)

  /// - Parameter limit: How many bytes may wait to be taken. Of what exceeds it, only the names of the tables are kept.
  init(sequence: CommitSequence, limit: Int = defaultLimit) {
    self.sequence = sequence
    pending = Lock(PendingChanges(limit: limit))
  }

  static let defaultLimit = 16 << 20

  /// The last commit.
  var lastCommit: UInt64 { sequence.number }

  /// Whether something is to be taken, of any commit.
  var hasPending: Bool { isPending.load(ordering: .acquiring) }

  /// Whether what waits is a few rows.
  var isSmall: Bool { byteCount.load(ordering: .relaxed) <= 1024 }

  // MARK: The writer's queue

  /// Adds to what waits.
  func add(_ change: (inout PendingChanges) -> Void) {
    pending.withLock { pending in
      change(&pending)
      byteCount.store(pending.hasNotes ? .max : pending.byteCount, ordering: .relaxed)
      isPending.store(!pending.isEmpty, ordering: .releasing)
    }
  }

  /// Notes that the writer's queue will look at what waits once it is free.
  func setLookAhead() { hasLookAhead.store(true, ordering: .releasing) }

  /// - Returns: Whether the writer's queue was to look, which is now the caller's to see to.
  func takeLookAhead() -> Bool {
    hasLookAhead.load(ordering: .relaxed) && hasLookAhead.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// How often something was found that no commit told of: what others wrote, another schema, statements that failed after some rows.
  /// While it is the same, the database differs from what turns have taken by the store's commits only, as of the last look.
  var surpriseCount: Int { surprises.load(ordering: .acquiring) }

  /// Counts a surprise that was added to what waits: who reads the number before the snapshot of a take takes all that it counts.
  func noteSurprise() { surprises.add(1, ordering: .acquiringAndReleasing) }

  // MARK: Turns

  /// Takes everything that commits up to one left. Linear in the captured rows.
  ///
  /// One taker, which names the snapshot of each take after the take before.
  func take(through commit: UInt64) -> CapturedChanges {
    let moment = sequence.takeMomentOfSnapshot()
    let (segments, flags) = pending.withLock { pending in
      let taken = pending.take(through: commit, snapshotAt: moment)
      byteCount.store(pending.hasNotes ? .max : pending.byteCount, ordering: .relaxed)
      isPending.store(!pending.isEmpty, ordering: .releasing)
      return taken
    }
    var changes = flags
    changes.add(segments)
    return changes
  }
}
