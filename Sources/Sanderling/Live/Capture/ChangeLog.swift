import Synchronization

/// The changes of commits that no turn has taken. The writer's queue adds to it, and turns take from it.
final class ChangeLog: Sendable {
  /// How commits are numbered.
  let sequence: CommitSequence
  /// The tables whose writing statements are noted.
  let followed = FollowedTables()
  /// Guards the changes. Held while they are added or taken.
  private let pending: Lock<PendingChanges>
  private let isPending = Atomic(false)
  private let byteCount = Atomic(0)
  /// Whether the writer's queue will process the changes once it is free, before the engine is woken.
  private let hasLookAhead = Atomic(false)
  /// The number of unannounced findings.
  private let surprises = Atomic(0)

  /// - Parameter limit: The greatest number of bytes that may wait. Beyond it, only the names of the tables are kept.
  init(sequence: CommitSequence, limit: Int = defaultLimit) {
    self.sequence = sequence
    pending = Lock(PendingChanges(limit: limit))
  }

  static let defaultLimit = 16 << 20

  /// The last commit.
  var lastCommit: UInt64 { sequence.number }

  /// Whether there are changes to take, of any commit.
  var hasPending: Bool { isPending.load(ordering: .acquiring) }

  /// Whether the changes are only a few rows.
  var isSmall: Bool { byteCount.load(ordering: .relaxed) <= 1024 }

  // MARK: The writer's queue

  /// Adds changes.
  func add(_ change: (inout PendingChanges) -> Void) {
    pending.withLock { pending in
      change(&pending)
      byteCount.store(pending.hasNotes ? .max : pending.byteCount, ordering: .relaxed)
      isPending.store(!pending.isEmpty, ordering: .releasing)
    }
  }

  /// Notes that the writer's queue will process the changes once it is free.
  func setLookAhead() { hasLookAhead.store(true, ordering: .releasing) }

  /// - Returns: Whether the writer's queue was to look, which is now the caller's to see to.
  func takeLookAhead() -> Bool {
    hasLookAhead.load(ordering: .relaxed) && hasLookAhead.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The number of unannounced findings: outside changes, changed schemas, and statements that failed after some rows.
  /// While the number is the same, the database differs from the taken changes only by the store's commits, as of the
  /// last look.
  var surpriseCount: Int { surprises.load(ordering: .acquiring) }

  /// Counts a finding that was added to the changes. A turn that reads the number before its snapshot begins takes all
  /// counted findings.
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
