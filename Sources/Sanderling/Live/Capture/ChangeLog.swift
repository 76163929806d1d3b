import Synchronization

/// The changes of commits that turns have not taken yet. The writer's queue adds to it, and turns take from it.
final class ChangeLog: Sendable {
  /// The numbering of commits.
  let sequence: CommitSequence
  /// The tables for which statements that may write them are noted.
  let followed = FollowedTables()
  /// Guards the changes. Held while they are added or taken.
  private let pending: Lock<PendingChanges>
  private let isPending = Atomic(false)
  private let byteCount = Atomic(0)
  /// Whether the writer's queue will run a turn for the changes once it is free, before another thread is woken.
  private let hasPlannedTurn = Atomic(false)
  /// The number of unreported: changes that no commit reported.
  private let unreported = Atomic(0)

  /// - Parameter limit: The most bytes of changes. With more, only the names of the tables are kept.
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

  /// Notes that the writer's queue will run a turn for the changes once it is free.
  func planTurn() { hasPlannedTurn.store(true, ordering: .releasing) }

  /// - Returns: Whether the writer's queue was to run a turn. The caller must see to it now.
  func takePlannedTurn() -> Bool {
    hasPlannedTurn.load(ordering: .relaxed) && hasPlannedTurn.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The number of unreported: outside changes, schema changes, and statements that failed after some rows. While it is
  /// unchanged, the database differs from the taken changes only by the store's commits, as of the last check.
  var unreportedCount: Int { unreported.load(ordering: .acquiring) }

  /// Counts an unreported change after it was added. A reader that reads the number before its snapshot takes all counted
  /// unreported.
  func noteUnreported() { unreported.add(1, ordering: .acquiringAndReleasing) }

  // MARK: Turns

  /// Takes all changes of the commits up to one. Linear in the captured rows.
  ///
  /// There is one taker, which names the snapshot of each take after the take before.
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
