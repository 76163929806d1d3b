import GRDB
import Synchronization

/// Records what each commit of the store's writer changes, for those who follow it.
///
/// On the writer's queue triggers append the keys and old values of the rows that statements write to a buffer, and each commit
/// hands it over with its number. All else happens elsewhere. Without anything that is followed a commit costs a few atomic
/// operations.
final class ChangeCapture: Sendable {
  struct State {
    var pending: PendingChanges
    var programs: [CaptureProgram] = []
    var onCommit: (@Sendable () -> Void)?
  }

  let sequence = CommitSequence()
  /// Guards what was committed and not taken, and what waits for it.
  let state: Lock<State>
  /// Guards which columns are captured. Empty while that is uncertain because the schema changed.
  let layouts = Lock<[RecordType: CaptureLayout]>([:])
  let isPending = Atomic(false)
  let touched = TouchedTables()
  /// Used on the writer's queue only, which is the lock that guards it.
  nonisolated(unsafe) let writer: CaptureWriter

  /// Whether a column with another collation than its record declares is an obstacle: what is captured is right, but Swift
  /// would compare it wrongly.
  let requiresDeclaredCollations: Bool

  /// - Parameter limit: How many bytes one transaction may capture, and how many may wait to be taken. Of what exceeds it, only
  ///   the names of the tables are kept.
  init(limit: Int = 16 << 20, requiresDeclaredCollations: Bool = true) {
    self.requiresDeclaredCollations = requiresDeclaredCollations
    state = Lock(State(pending: PendingChanges(limit: limit)))
    writer = CaptureWriter(limit: limit)
  }
}

// MARK: - Following, from any thread

extension ChangeCapture {
  /// Called on the writer's queue after each commit that left something to take. Must return at once.
  var onCommit: (@Sendable () -> Void)? {
    get { state.withLock { $0.onCommit } }
    set { state.withLock { $0.onCommit = newValue } }
  }

  /// The last commit.
  var lastCommit: UInt64 { sequence.number }

  /// Whether something is to be taken, of any commit.
  var hasPending: Bool { isPending.load(ordering: .acquiring) }

  /// Whether the columns are captured from the last commit on.
  func covers(_ needs: some Sequence<CaptureNeed>) -> Bool {
    layouts.withLock { layouts in needs.allSatisfy { layouts[$0.table]?.covers($0.columns) ?? false } }
  }

  /// Why changes of captured columns don't tell what becomes of a query that needs them; nil when they do.
  func obstacle(to needs: some Sequence<CaptureNeed>) -> CaptureObstacle? {
    layouts.withLock { layouts in needs.lazy.compactMap { layouts[$0.table]?.obstacle(to: $0) }.first }
  }

  /// Which columns of a table are captured; nil for none.
  func layout(of table: RecordType) -> CaptureLayout? {
    layouts.withLock { $0[table] }
  }

  /// Whether the database declares a captured column with another type than its record.
  var hasLooseColumns: Bool {
    layouts.withLock { layouts in layouts.values.contains { !$0.looseColumns.isEmpty } }
  }

  /// Has commits tell when a statement may have written one of these tables.
  ///
  /// What other connections write is noticed from the next ``install(_:on:)`` on, also one without needs.
  ///
  /// - Parameter tables: Their names, in any case. They replace those given before.
  func follow(tables: Set<String>) {
    touched.follow(tables)
  }

  /// Notes the state before a snapshot begins.
  func beginNaming() -> NamingAttempt {
    sequence.beginNaming()
  }

  /// The commit that a snapshot shows, after its first read; nil if that can't be told, because a commit was under way.
  ///
  /// Every snapshot that ``take(through:)`` is called for must have its name from here, or from ``name(onWriter:)``.
  func confirm(_ attempt: NamingAttempt) -> UInt64? {
    sequence.confirm(attempt)
  }

  /// Takes everything that commits up to one captured. Linear in the captured rows.
  ///
  /// One taker, which names the snapshot of each take after the take before.
  func take(through commit: UInt64) -> CapturedChanges {
    let moment = sequence.takeMomentOfSnapshot()
    let (segments, flags, programs) = state.withLock { state in
      let (segments, flags) = state.pending.take(through: commit, snapshotAt: moment)
      isPending.store(!state.pending.isEmpty, ordering: .releasing)
      return (segments, flags, state.programs)
    }
    var changes = flags
    changes.add(segments, programs)
    return changes
  }
}
