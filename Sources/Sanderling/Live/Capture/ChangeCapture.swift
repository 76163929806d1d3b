import GRDB
import SanderlingSQLite

/// Records the changes of each commit of a store's writer. Belongs to the writer's queue.
///
/// Triggers append the keys and old values of written rows to a buffer, and each commit passes it to the log with its
/// number. Without live results a commit costs a few atomic operations.
///
/// GRDB reports no failure of a statement outside of a transaction, and no INSERT OR ROLLBACK. The rows that such a
/// statement captured remain in the buffer, and do no harm in the next commit. They are the rows before the statement,
/// and the table still has them, unless another connection wrote. The capture checks for such writes first.
///
/// GRDB does not report the end of a commit in two cases. In the first, the statement failed and keeps its changes
/// (UPDATE OR FAIL outside of a transaction). In the second, it was not stepped to its end (INSERT … RETURNING with
/// only one row read). Then no snapshot can be named until the commit is completed. The next commit or rollback
/// completes it, and so does a request for a name on the writer's queue.
final class ChangeCapture {
  let log: ChangeLog
  private let tell: @Sendable () -> Void
  private let buffer: CaptureBuffer
  private let requiresDeclaredCollations: Bool
  private var triggers: CaptureTriggerSet
  private var touched: TouchedTables
  private var versions = VersionWatch()
  private var written = LoggedTables()
  /// Looks for writes of other processes; nil in tests of capture alone.
  private let outside: OutsideWatch?
  /// The histories of the store's records; nil if no record has one.
  private let history: HistoryTables?
  private let historyNames: Set<String>
  /// The connection, from the first goal on. Valid whenever GRDB calls its observers.
  private var connection: OpaquePointer?
  /// Whether the running transaction is capture's own, which has no commit number.
  private var isInstalling = false
  /// Whether triggers may be gone or wrong, since a schema changed.
  private var isUncertain = false
  /// Whether capture is removed while the store changes the schema.
  private var isSuspended = false

  /// - Parameters:
  ///   - limit: The most bytes that one transaction may capture.
  ///   - tell: Called on the writer's queue after each commit with changes to take. Returns at once.
  init(
    log: ChangeLog, outside: OutsideWatch? = nil, history: HistoryTables? = nil, limit: Int = ChangeLog.defaultLimit,
    requiresDeclaredCollations: Bool = true, tell: @escaping @Sendable () -> Void
  ) {
    self.log = log
    self.outside = outside
    self.history = history
    historyNames = Set(history?.records.map(\.table.name.asciiLowercased) ?? [])
    self.tell = tell
    buffer = CaptureBuffer(limit: limit)
    self.requiresDeclaredCollations = requiresDeclaredCollations
    triggers = CaptureTriggerSet(buffer, requiresDeclaredCollations: requiresDeclaredCollations)
    touched = TouchedTables(log.followed)
  }

  private var sequence: CommitSequence { log.sequence }

  private var isActive: Bool { versions.isWatching || !triggers.isEmpty || touched.isFollowing }

  private var isInWriteTransaction: Bool {
    connection.map { sqlite3_txn_state($0, "main") == SQLITE_TXN_WRITE } ?? false
  }
}

// MARK: - Goals

extension ChangeCapture {
  /// Establishes a goal from the next commit on, and captures nothing else.
  ///
  /// Outside of a transaction.
  ///
  /// - Returns: The state of capture; nil while the store changes the schema, after which the log reports that change.
  /// - Throws: Errors of the database. Then capture is unchanged, or has fewer tables and the log reports a change of
  ///   the schema.
  func pursue(_ goal: CaptureGoal, on db: Database) throws -> CaptureState? {
    try requireNoTransaction(db)
    if isSuspended { return nil }
    connection = db.sqliteConnection
    completeLostCommit()
    if goal.isWatching {
      // A commit that comes before the versions are read is among them. A later commit causes an event.
      outside?.begin(db)
      look(db)
      versions.begin(db)
    }
    log.followed.replace(by: goal.followedTables)
    if db.configuration.readonly {
      let obstacle = CaptureObstacle("the store is read-only")
      isUncertain = false
      if !goal.isWatching { endWatching() }
      return CaptureState(
        layouts: [:], obstacles: goal.tables.mapValues { _ in obstacle }, history: try historyImages(db))
    }
    let before = Set(triggers.layouts.keys)
    let obstacles: [RecordType: CaptureObstacle]
    do {
      obstacles = try changingTriggers(db) {
        try triggers.capture(goal.tables, isUncertain: isUncertain, on: db)
      }
    } catch {
      // The live results of a table that lost its capture must be prepared again.
      if !before.subtracting(triggers.layouts.keys).isDisjoint(with: goal.tables.keys) { noteSchema() }
      throw error
    }
    isUncertain = false
    if !goal.isWatching { endWatching() }
    return CaptureState(layouts: triggers.layouts, obstacles: obstacles, history: try historyImages(db))
  }

  private func historyImages(_ db: Database) throws -> HistoryImages {
    try history.map { try HistoryImages($0, triggers.layouts, db) } ?? .none
  }

  private func endWatching() {
    versions.end()
    written = LoggedTables()
    outside?.end()
  }

  private func changingTriggers<Value>(_ db: Database, _ body: () throws -> Value) rethrows -> Value {
    isInstalling = true
    defer {
      isInstalling = false
      versions.noteOwnTriggers(db)
    }
    do {
      return try body()
    } catch {
      triggers.forgetLost(db)
      throw error
    }
  }

  /// Apps that allow themselves unsafe transactions can leave one open on the writer.
  private func requireNoTransaction(_ db: Database) throws {
    if db.isInsideTransaction {
      throw DatabaseError(resultCode: .SQLITE_BUSY, message: "a transaction was left open on the writer's connection")
    }
  }
}

// MARK: - Events of the store

extension ChangeCapture: WriterListener {
  func statementWillWrite(_ kind: DatabaseEventKind) {
    guard isActive else { return }
    // The app's transaction precedes the planned turn on the writer's queue. Another thread runs that turn now.
    if log.takePlannedTurn() { tell() }
    if !buffer.isEmpty, !sequence.isUnderWay, !isInWriteTransaction { buffer.removeAll() }
    if isInstalling { return }
    if touched.isFollowing { touched.note(kind) }
    if kind.isOfSchema { touched.noteSchema() }
  }

  func transactionWillEnd(_ db: Database) {
    if versions.isWatching, isInWriteTransaction { versions.prepareCommit(db) }
  }

  func willCommit() {
    buffer.seal()
    sequence.begin()
  }

  func didCommit(_ db: Database) {
    if isInstalling { return sequence.cancel() }
    defer { versions.transactionEnded() }
    guard isActive || !buffer.isEmpty || !touched.isEmpty else { return sequence.complete() }
    let commit = sequence.number + 1
    let isNew = note(findings(db, isAtCommit: true), commit: commit, moment: nil, db)
    let hasLeft = publish(commit) || isNew
    // Completed last: a snapshot named by this commit must find its changes in the log.
    sequence.complete()
    if hasLeft { tell() }
  }

  func didRollback(_ db: Database) {
    versions.transactionEnded()
    if sequence.isUnderWay {
      // Either another observer made the commit fail, or this is the end of a later transaction. The rows captured
      // before the commit are right in both cases.
      buffer.removeUnsealed()
      return completeLostCommit()
    }
    buffer.removeAll()
    touched.removeAll()
  }

  func schemaWillChange(_ db: Database) throws {
    try requireNoTransaction(db)
    completeLostCommit()
    // The live results stay at this commit until the change ends.
    noteSchema()
    try changingTriggers(db) { try triggers.removeAll(on: db) }
    isSuspended = true
  }

  func schemaDidChange(_ db: Database) {
    completeLostCommit()
    isSuspended = false
    isUncertain = true
    _ = versions.look(db)
    noteSchema()
  }

  func leave(_ db: Database, of writer: any DatabaseWriter) {
    isInstalling = true
    CaptureRemains.leave(triggers, db, of: writer)
    isInstalling = false
    // The remaining triggers are no longer its own, so their later removal is no change of the schema to report.
    triggers = CaptureTriggerSet(buffer, requiresDeclaredCollations: requiresDeclaredCollations)
    endWatching()
    buffer.removeAll()
    touched.removeAll()
    if sequence.isUnderWay { sequence.cancel() }
  }

  private func noteSchema() {
    let (commit, moment) = (sequence.number, sequence.moment)
    log.add { $0.noteSchema(commit: commit, noticedAt: moment) }
    log.noteUnreported()
    tell()
  }
}

// MARK: - Snapshots on the writer's queue, and outside changes

extension ChangeCapture {
  /// The commit of a snapshot that begins while the writer's queue waits.
  ///
  /// Outside of a transaction that writes.
  func name(_ db: Database) -> UInt64 {
    completeLostCommit()
    return sequence.nameOnWriter()
  }

  /// Checks for outside changes and schema changes since the last check. ``ChangeLog/take(through:)`` reports the
  /// findings repeatedly, until a snapshot that began after the check.
  ///
  /// Outside of a transaction.
  ///
  /// - Returns: Whether there were such changes.
  @discardableResult
  func look(_ db: Database) -> Bool {
    completeLostCommit()
    if versions.isWatching { written.look(db) }
    let findings = findings(db)
    if note(findings, commit: sequence.number, moment: sequence.moment, db) { tell() }
    return !findings.isEmpty
  }

  /// Whether the last look saw everything that other connections have written. True if the numbers can't be read now, or
  /// could not at the last look: SQLite then counts its own error as a change.
  func hasSeenOutsideChanges(_ db: Database) -> Bool {
    versions.isUnreadable || versions.compareData(db) != .different
  }

  /// Looks for outside changes if the version numbers differ from the numbers that were last read.
  ///
  /// - Returns: Whether the numbers could be read. While another connection's lock prevents the reads, the known
  ///   numbers stay as they are,
  ///   so that a later look finds the difference.
  func lookForOutsideChanges(_ db: Database) -> Bool {
    if versions.isWatching { written.look(db) }
    switch versions.compareData(db) {
    case .same:
      written.wereOwn()
      return true
    case .unreadable: return false
    case .different:
      look(db)
      return true
    }
  }

  /// Completes a commit whose end was not reported. Otherwise drops the rows that failed statements captured: once
  /// another connection may have written, these may differ from the rows before the next commit.
  private func completeLostCommit() {
    if isInWriteTransaction { return }
    guard sequence.isUnderWay else {
      buffer.removeAll()
      touched.removeAll()
      return
    }
    guard publish(sequence.number + 1) else { return sequence.cancel() }
    sequence.complete()
    log.noteUnreported()
    tell()
  }

  private func findings(_ db: Database, isAtCommit: Bool = false) -> VersionWatch.Findings {
    if isSuspended { return [] }
    var findings = versions.look(db, isAtCommit: isAtCommit)
    // Other stores on the connection have triggers of their own.
    if findings.contains(.temporarySchema), triggers.isIntact(db) { findings.remove(.temporarySchema) }
    if findings.hasSchema { isUncertain = true }
    return findings
  }

  /// Notes findings.
  ///
  /// While the capture is uncertain, each commit counts as a change of the schema. A check outside of a commit does not:
  /// a change of the schema has the writer check again, and the capture stays uncertain while its triggers can't be made.
  ///
  /// - Parameter moment: The moment of the check; nil for findings at a commit.
  /// - Returns: Whether there are changes to take.
  private func note(_ findings: VersionWatch.Findings, commit: UInt64, moment: Int?, _ db: Database) -> Bool {
    let hasSchema = findings.hasSchema || isUncertain && moment == nil
    guard findings.contains(.data) || hasSchema else { return false }
    var tables: Set<String>?
    if findings.contains(.data), !hasSchema, moment != nil {
      let candidates = log.followed.all.union(triggers.layouts.keys.map(\.table.name.asciiLowercased))
      // The results of tables with a history need no answer.
      if !candidates.isSubset(of: historyNames) { tables = written.take(db, among: candidates) }
    }
    log.add { pending in
      if findings.contains(.data) { pending.noteOutside(commit: commit, in: tables, noticedAt: moment) }
      if hasSchema { pending.noteSchema(commit: commit, noticedAt: moment) }
    }
    log.noteUnreported()
    return true
  }

  /// Passes the captured rows to the log.
  ///
  /// - Returns: Whether there are changes to take.
  private func publish(_ commit: UInt64) -> Bool {
    let hasRows = !buffer.isEmpty
    let hasTables = !touched.isEmpty
    guard hasRows || hasTables else { return false }
    let programs = buffer.programs
    let (bytes, overflowed) = hasRows ? buffer.takeAll() : ([], [])
    let tables = hasTables ? touched.takeAll() : []
    log.add { pending in
      if !bytes.isEmpty { pending.add(PendingChanges.Segment(commit: commit, bytes: bytes, programs: programs)) }
      for table in overflowed { pending.noteOverflow(table, commit: commit) }
      for table in tables { pending.noteTouched(table, commit: commit) }
    }
    return true
  }
}
