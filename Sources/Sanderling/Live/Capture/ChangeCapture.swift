import GRDB
import SanderlingSQLite

/// Records what each commit of a store's writer changes. Belongs to the writer's queue.
///
/// Triggers append the keys and old values of the rows that statements write to a buffer, and each commit hands it over to the
/// log with its number. Without anything that is followed a commit costs a few atomic operations.
///
/// GRDB does not tell observers of a statement that fails outside of a transaction, nor of INSERT OR ROLLBACK. The rows that such a statement
/// captured remain in the buffer, and do no harm in the next commit. They are the rows before the statement, and the table still has them,
/// unless another connection wrote. The capture looks for such writes first.
///
/// GRDB does not report the end of a commit in two cases. In one, the statement failed and keeps its changes (UPDATE OR FAIL outside of a
/// transaction). In the other, it was not stepped to its end (INSERT … RETURNING with only one row read). Then no snapshot can be named until
/// the next commit or rollback, or until someone asks for a name on the writer's queue: each of them completes the commit.
final class ChangeCapture {
  let log: ChangeLog
  private let tell: @Sendable () -> Void
  private let buffer: CaptureBuffer
  private let requiresDeclaredCollations: Bool
  private var triggers: CaptureTriggerSet
  private var touched: TouchedTables
  private var versions = VersionWatch()
  /// Looks for writes of other processes; nil in tests of capture alone.
  private let outside: OutsideWatch?
  /// The connection, from the first goal on. Valid whenever GRDB calls its observers.
  private var connection: OpaquePointer?
  /// Whether the transaction under way is capture's own, which counts as no commit.
  private var isInstalling = false
  /// Whether triggers may be gone or wrong, since a schema changed.
  private var isUncertain = false
  /// Whether nothing is captured, since the schema is being changed by the store.
  private var isSuspended = false

  /// - Parameters:
  ///   - limit: How many bytes one transaction may capture.
  ///   - tell: Called on the writer's queue after each commit that left something to take. Returns at once.
  init(
    log: ChangeLog, outside: OutsideWatch? = nil, limit: Int = ChangeLog.defaultLimit,
    requiresDeclaredCollations: Bool = true, tell: @escaping @Sendable () -> Void
  ) {
    self.log = log
    self.outside = outside
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

// MARK: - What is captured

extension ChangeCapture {
  /// Captures the goal's tables, and no others, from the next commit on.
  ///
  /// Outside of a transaction.
  ///
  /// - Returns: The state of capture; nil while the store changes the schema. The log reports the change of the schema
  ///   afterwards.
  /// - Throws: Errors of the database. Capture is then unchanged, or has fewer tables and the log reports a change of
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
      return CaptureState(layouts: [:], obstacles: goal.tables.mapValues { _ in obstacle })
    }
    let before = Set(triggers.layouts.keys)
    let obstacles: [RecordType: CaptureObstacle]
    do {
      obstacles = try changingTriggers(db) {
        try triggers.capture(goal.tables, isUncertain: isUncertain, on: db)
      }
    } catch {
      // Results that follow a table stand by the captured rows of the table.
      if !before.subtracting(triggers.layouts.keys).isDisjoint(with: goal.tables.keys) { noteSchema() }
      throw error
    }
    isUncertain = false
    if !goal.isWatching { endWatching() }
    return CaptureState(layouts: triggers.layouts, obstacles: obstacles)
  }

  private func endWatching() {
    versions.end()
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

// MARK: - What the store tells

extension ChangeCapture: WriterListener {
  func statementWillWrite(_ kind: DatabaseEventKind) {
    guard isActive else { return }
    // The app's own transaction came before the look at an earlier commit. The look must not wait for its end.
    if log.takeLookAhead() { tell() }
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
    let isNew = note(findings(db), commit: commit, moment: nil)
    let hasLeft = publish(commit) || isNew
    // Readers that name this commit must find the rows as it left them.
    sequence.complete()
    if hasLeft { tell() }
  }

  func didRollback(_ db: Database) {
    versions.transactionEnded()
    if sequence.isUnderWay {
      // Either another observer made the commit fail, or this is the end of a later transaction. The rows captured before the commit are
      // right in both cases.
      buffer.removeUnsealed()
      return completeLostCommit()
    }
    buffer.removeAll()
    touched.removeAll()
  }

  func schemaWillChange(_ db: Database) throws {
    try requireNoTransaction(db)
    completeLostCommit()
    // The followed results stay at this commit until the change is over.
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
    // The remaining triggers are no longer its own: removing them later is no change of the schema to be reported.
    triggers = CaptureTriggerSet(buffer, requiresDeclaredCollations: requiresDeclaredCollations)
    endWatching()
    buffer.removeAll()
    touched.removeAll()
    if sequence.isUnderWay { sequence.cancel() }
  }

  private func noteSchema() {
    let (commit, moment) = (sequence.number, sequence.moment)
    log.add { $0.noteSchema(commit: commit, noticedAt: moment) }
    log.noteSurprise()
    tell()
  }
}

// MARK: - Snapshots that the writer's queue waits for, and others' writes

extension ChangeCapture {
  /// The commit that a snapshot shows which begins while the writer's queue waits for it.
  ///
  /// Outside of a transaction that writes.
  func name(_ db: Database) -> UInt64 {
    completeLostCommit()
    return sequence.nameOnWriter()
  }

  /// Looks whether another connection or process wrote since the last look, and whether the schema is another. ``ChangeLog/take(through:)``
  /// reports the findings, again and again until the snapshot that it is called for began afterwards.
  ///
  /// Outside of a transaction.
  ///
  /// - Returns: Whether anything is other than it was.
  @discardableResult
  func look(_ db: Database) -> Bool {
    completeLostCommit()
    let findings = findings(db)
    if note(findings, commit: sequence.number, moment: sequence.moment) { tell() }
    return !findings.isEmpty
  }

  /// Whether the last look saw all that other connections have written.
  func hasSeenOutsideChanges(_ db: Database) -> Bool { versions.isCurrent(db) }

  /// Completes a commit whose end was not reported, and forgets the rows that failed statements captured since: once others may have written,
  /// these are no longer the rows before the next commit.
  private func completeLostCommit() {
    if isInWriteTransaction { return }
    guard sequence.isUnderWay else {
      buffer.removeAll()
      touched.removeAll()
      return
    }
    guard publish(sequence.number + 1) else { return sequence.cancel() }
    sequence.complete()
    log.noteSurprise()
    tell()
  }

  private func findings(_ db: Database) -> VersionWatch.Findings {
    if isSuspended { return [] }
    var findings = versions.look(db)
    // Other stores of the connection have triggers of their own.
    if findings.contains(.temporarySchema), triggers.isIntact(db) { findings.remove(.temporarySchema) }
    if !findings.isDisjoint(with: [.schema, .temporarySchema]) { isUncertain = true }
    return findings
  }

  /// - Parameter moment: When no commit brought it about.
  /// - Returns: Whether there is something to take.
  private func note(_ findings: VersionWatch.Findings, commit: UInt64, moment: Int?) -> Bool {
    guard findings.contains(.data) || isUncertain else { return false }
    let isUncertain = isUncertain
    log.add { pending in
      if findings.contains(.data) { pending.noteOutside(commit: commit, noticedAt: moment) }
      if isUncertain { pending.noteSchema(commit: commit, noticedAt: moment) }
    }
    log.noteSurprise()
    return true
  }

  /// Hands over the captured rows.
  ///
  /// - Returns: Whether there is something to take.
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
