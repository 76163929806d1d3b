import GRDB
import GRDBSQLite
import Synchronization

// What the store's observer tells, on the writer's queue.
//
// GRDB tells observers nothing of a statement that fails outside of a transaction, nor of INSERT OR ROLLBACK. What such a
// statement captured remains in the buffer, and does no harm in the next commit: it is what the rows were before, and still are,
// unless others wrote, which is looked for before.
// Nor does GRDB tell the end of a commit by a statement that failed and keeps what it did (UPDATE OR FAIL outside of a
// transaction), or that was not stepped to its end (INSERT … RETURNING, of which one row was read). Then no snapshot can be
// named until the next commit or rollback, or until someone asks for a name on the writer's queue: each of them completes it.
extension ChangeCapture {
  var isActive: Bool { !writer.slots.isEmpty || touched.isFollowing }

  /// Notes what a statement that is about to run may write.
  func statementWillWrite(_ kind: DatabaseEventKind) {
    guard isActive else { return }
    if !writer.buffer.isEmpty, !sequence.isUnderWay, !writer.isInWriteTransaction { writer.buffer.removeAll() }
    if touched.isFollowing { touched.note(kind) }
  }

  /// Reads, as the last thing in a transaction that holds the write lock, what is compared after its commit: nobody else
  /// commits in between, and outside of a transaction reading takes locks, which cost more than all the rest.
  func prepareCommit(_ db: Database) {
    if isActive, writer.versions != nil, writer.isInWriteTransaction {
      writer.versionsToCommit = ConnectionVersions(db, &writer.versionStatements)
    }
  }

  func willCommit() {
    writer.buffer.seal()
    sequence.begin()
  }

  func didCommit(_ db: Database) {
    if writer.isInstalling { return sequence.cancel() }
    defer { writer.versionsToCommit = nil }
    guard isActive || !writer.buffer.isEmpty || !touched.isEmpty else { return sequence.complete() }
    let commit = sequence.number + 1
    let isNew = lookAtVersions(db, commit: commit)
    let hasLeft = publish(commit) || isNew
    // Readers that name this commit must find what it left.
    sequence.complete()
    if hasLeft { onCommit?() }
  }

  func didRollback(_ db: Database) {
    writer.versionsToCommit = nil
    if sequence.isUnderWay {
      // Either another observer made the commit fail, or this is the end of a later transaction. What was captured before the
      // commit is right in both cases.
      writer.buffer.removeUnsealed()
      return completeLostCommit()
    }
    writer.buffer.removeAll()
    touched.removeAll()
  }

  /// The commit that a snapshot shows which begins while the writer's queue waits for it, as in `asyncConcurrentRead`.
  ///
  /// On the writer's queue, outside of a transaction that writes.
  func name(onWriter db: Database) -> UInt64 {
    completeLostCommit()
    return sequence.nameOnWriter()
  }

  /// Looks whether another connection or process wrote since the last look. For stores that are told of nothing else.
  ///
  /// On the writer's queue, outside of a transaction. What is noticed is told by ``take(through:)``, again and again until the
  /// snapshot that it is for began afterwards.
  ///
  /// - Returns: Whether one did.
  @discardableResult
  func lookForOutsideChanges(_ db: Database) -> Bool {
    completeLostCommit()
    let before = writer.versions
    guard isActive, lookAtVersions(db, commit: sequence.number, moment: sequence.moment) else { return false }
    onCommit?()
    return before != writer.versions
  }

  /// Completes a commit of which only the beginning was told, and forgets what statements captured that failed since: once
  /// others may have written, it is no longer what the rows were before the next commit.
  func completeLostCommit() {
    if writer.isInWriteTransaction { return }
    guard sequence.isUnderWay else {
      writer.buffer.removeAll()
      touched.removeAll()
      return
    }
    guard publish(sequence.number + 1) else { return sequence.cancel() }
    sequence.complete()
    onCommit?()
  }

  /// Hands over what was captured.
  ///
  /// - Returns: Whether there is something to take.
  private func publish(_ commit: UInt64) -> Bool {
    let hasRows = !writer.buffer.isEmpty
    let hasTables = !touched.isEmpty
    guard hasRows || hasTables else { return false }
    let (bytes, overflowed) = hasRows ? writer.buffer.takeAll() : ([], [])
    let tables = hasTables ? touched.takeAll() : []
    state.withLock { state in
      if !bytes.isEmpty { state.pending.add(bytes, commit: commit, state.programs) }
      for table in overflowed { state.pending.noteOverflow(table, commit: commit) }
      for table in tables { state.pending.noteTouched(table, commit: commit) }
      isPending.store(true, ordering: .releasing)
    }
    return true
  }

  /// Compares the connection's numbers with those of the last look.
  ///
  /// - Parameter moment: When no commit brought it about.
  /// - Returns: Whether there is something to take.
  func lookAtVersions(_ db: Database, commit: UInt64, moment: Int? = nil) -> Bool {
    let now = writer.versionsToCommit ?? ConnectionVersions(db, &writer.versionStatements)
    defer { writer.versions = now ?? writer.versions }
    guard let before = writer.versions else { return false }
    // What can't be read counts as changed.
    let isOtherData = now.map { !$0.hasSameData(as: before) } ?? true
    if let now, !now.hasSameSchema(as: before) {
      writer.isUncertain = true
      layouts.withLock { $0 = [:] }
    }
    let isUncertain = writer.isUncertain
    guard isOtherData || isUncertain else { return false }
    state.withLock { state in
      if isOtherData { state.pending.noteOutside(commit: commit, noticedAt: moment) }
      if isUncertain { state.pending.noteSchema(commit: commit, noticedAt: moment) }
      isPending.store(true, ordering: .releasing)
    }
    return true
  }
}
