import Synchronization

/// The changes of commits that turns have not taken yet. The writer's queue adds changes, and turns take them.
final class ChangeLog: Sendable {
  /// The numbering of commits.
  let sequence: CommitSequence
  /// The tables that rerun queries read. Statements that may write these tables are noted.
  let followed = FollowedTables()
  /// Guards the changes. The lock is held while changes are added or taken.
  private let pending: Lock<PendingChanges>
  private let isPending = Atomic(false)
  private let byteCount = Atomic(0)
  /// Whether the writer's queue will run a turn for the changes once the queue is free. If a transaction begins first,
  /// another thread runs the turn.
  private let hasPlannedTurn = Atomic(false)
  /// The number of unreported changes, which no commit reported.
  private let unreported = Atomic(0)

  /// - Parameter limit: The most bytes of changes. With more, only the names of the tables are kept.
  init(sequence: CommitSequence, limit: Int = defaultLimit) {
    self.sequence = sequence
    pending = Lock(PendingChanges(limit: limit))
  }

  static let defaultLimit = 16 << 20

  /// The last commit.
  var lastCommit: UInt64 { sequence.number }

  /// Whether there are changes of any commit to take.
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

  /// - Returns: Whether a turn was planned. If so, the caller must run the turn, or wake a thread that does.
  func takePlannedTurn() -> Bool {
    hasPlannedTurn.load(ordering: .relaxed) && hasPlannedTurn.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// The number of unreported changes: outside changes, schema changes, and statements that failed after some rows.
  /// While the number stays the same, the database differs from the taken changes only by commits of the store, as of
  /// the last check.
  var unreportedCount: Int { unreported.load(ordering: .acquiring) }

  /// Counts an unreported change after the change was added. So a reader that reads the number before its snapshot
  /// takes all counted changes.
  func noteUnreported() { unreported.add(1, ordering: .acquiringAndReleasing) }

  // MARK: Turns

  /// Takes all changes up to and including a commit. Linear in the captured rows.
  ///
  /// Only turns take changes. Each turn names its snapshot after the turn before has taken its changes.
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
