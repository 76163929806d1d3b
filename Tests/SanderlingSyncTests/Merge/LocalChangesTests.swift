import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct LocalChangesTests {
  @Record("notes") struct Note {
    @PrimaryKey var id: String
    var title: String
    var body: String?
  }

  private static let record = SyncedRecord(Note.self)
  private let outbox = Outbox(name: "test", records: [record])

  /// Makes a store whose note `a` equals the server's row, which has version 1.
  private func makeStore(_ record: SyncedRecord = record) async throws -> Store {
    let store = try Store(inMemory: [Note.self])
    try await store.write { (tx) throws in
      try OutboxSchema.install([record], on: tx.database)
      try SyncControl.applying(tx.database) {
        try tx.database.execute(sql: "INSERT INTO notes VALUES ('a', 'title', 'body')")
        try record.synced.setVersion("1", of: [.text("a")], tx.database)
      }
    }
    return store
  }

  private func pulled(_ title: String, _ body: String, version: String = "2") -> SyncChange {
    SyncChange(
      "notes", key: [.text("a")], .row(["id": .text("a"), "title": .text(title), "body": .text(body)]), version: version
    )
  }

  private func row(_ db: Database) throws -> [String]? {
    try Row.fetchOne(db, sql: "SELECT title, body FROM notes WHERE id = 'a'").map { [$0[0], $0[1]] }
  }

  @Test func mergeSkipsRowsWithoutPendingChanges() async throws {
    try await makeStore().write { (tx) throws in
      #expect(try Outbox(name: "test", records: [Self.record]).isEmpty(tx.database))
      #expect(try !Outbox.merge(pulled("x", "y"), of: Self.record, in: tx.database))
      #expect(try row(tx.database) == ["title", "body"])
      try tx.database.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try !Outbox(name: "test", records: [Self.record]).isEmpty(tx.database))
    }
  }

  @Test func columnsOfBothSidesAreMergedAndTheLocalOneIsSent() async throws {
    let store = try await makeStore()
    try await store.write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try Outbox.merge(pulled("title", "theirs"), of: Self.record, in: db))
      #expect(try row(db) == ["mine", "theirs"])
      let sent = try outbox.take(limit: 10, db)
      #expect(sent.map(\.mutation.content) == [.update(["title": .text("mine")])])
      #expect(sent.map(\.mutation.baseVersion) == ["2"])
    }
    #expect(try await ConflictLog(of: store, records: [Self.record]).conflicts().isEmpty)
  }

  @Test func changeThatTheServerAlreadyHasIsNotSent() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'same'")
      #expect(try Outbox.merge(pulled("same", "body"), of: Self.record, in: db))
      #expect(try Outbox(name: "test", records: [Self.record]).isEmpty(db))
      #expect(try Self.record.synced.version([.text("a")], db) == "2")
    }
  }

  @Test func lostServerValueIsLoggedAndRestoredByUndo() async throws {
    let store = try await makeStore()
    try await store.write { (tx) throws in
      try tx.database.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try Outbox.merge(pulled("theirs", "body"), of: Self.record, in: tx.database))
      #expect(try row(tx.database) == ["mine", "body"])
    }
    let log = ConflictLog(of: store, records: [Self.record])
    let conflict = try #require(try await log.conflicts().first)
    #expect(conflict.record == "notes" && conflict.key == [.text("a")] && conflict.side == .server)
    #expect(conflict.loss == .value(column: "title", lost: .text("theirs"), kept: .text("mine")))
    try await log.undo(conflict)
    #expect(try await log.conflicts().isEmpty)
    try await store.write { (tx) throws in
      #expect(try row(tx.database) == ["theirs", "body"])
      // The server already has this value, so nothing is pending.
      #expect(try outbox.take(limit: 10, tx.database).isEmpty)
    }
  }

  @Test(arguments: [DeletionPolicy.changeWins, .deletionWins])
  func deletionAgainstChangeIsUndone(policy: DeletionPolicy) async throws {
    let record = SyncedRecord(Note.self, conflicts: .merge.deletions(policy))
    let store = try await makeStore(record)
    try await store.write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try Outbox.merge(SyncChange("notes", key: [.text("a")], .deletion), of: record, in: db))
      #expect(try row(db) == (policy == .changeWins ? ["mine", "body"] : nil))
      #expect(try record.synced.version([.text("a")], db) == nil)
    }
    let log = ConflictLog(of: store, records: [record])
    let conflict = try #require(try await log.conflicts().first)
    #expect(
      conflict.loss
        == (policy == .changeWins
          ? .deletion : .row(["id": .text("a"), "title": .text("mine"), "body": .text("body")])))
    try await log.undo(conflict)
    try await store.write { (tx) throws in
      #expect(try row(tx.database) == (policy == .changeWins ? nil : ["mine", "body"]))
      let sent = try outbox.take(limit: 10, tx.database).map(\.mutation.content)
      #expect(
        sent
          == (policy == .changeWins
            ? [] : [.insertion(["id": .text("a"), "title": .text("mine"), "body": .text("body")])]))
    }
  }

  @Test func undoingAConflictOfADeletedRowThrows() async throws {
    let store = try await makeStore()
    try await store.write { (tx) throws in
      try tx.database.execute(sql: "UPDATE notes SET title = 'mine'")
      _ = try Outbox.merge(pulled("theirs", "body"), of: Self.record, in: tx.database)
      try tx.database.execute(sql: "DELETE FROM notes")
    }
    let log = ConflictLog(of: store, records: [Self.record])
    let conflict = try #require(try await log.conflicts().first)
    await #expect(throws: SyncTableError.notUndoable(record: "notes", reason: "the row was deleted")) {
      try await log.undo(conflict)
    }
    try await log.dismiss(conflict)
    #expect(try await log.conflicts().isEmpty)
  }

  /// A row that is pulled during a push may or may not contain the sent change. A difference is sent once more, and no
  /// shown change is undone.
  @Test func pullDuringAPushKeepsTheSentChange() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      let sent = try outbox.take(limit: 10, db)
      #expect(try Outbox.merge(pulled("title", "theirs"), of: Self.record, in: db))
      #expect(try row(db) == ["mine", "theirs"])
      // The repeated mutation is the same, whatever was pulled.
      #expect(try outbox.takeAgain(limit: 10, db).map(\.mutation) == sent.map(\.mutation))
      _ = try outbox.settle(sent[0], .acknowledged(version: "3"), db)
      #expect(try outbox.take(limit: 10, db).map(\.mutation.content) == [.update(["title": .text("mine")])])
    }
  }

  /// An insertion is sent again if another client deleted the row meanwhile, and the deletion was pulled. The server
  /// has no versions. It had applied the insertion before, and its answer was lost.
  @Test func insertionIsSentAgainAfterAPulledDeletion() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "INSERT INTO notes VALUES ('b', 'new', '')")
      let sent = try outbox.take(limit: 10, db)
      #expect(try Outbox.merge(SyncChange("notes", key: [.text("b")], .deletion), of: Self.record, in: db))
      _ = try outbox.takeAgain(limit: 10, db)
      _ = try outbox.settle(sent[0], .acknowledged(version: nil), db)
      #expect(try outbox.take(limit: 10, db).map(\.mutation.isInsertion) == [true])
    }
  }

  @Test func aChangeWhileSendingIsSentAfterwards() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'first'")
      let sent = try outbox.take(limit: 10, db)
      try db.execute(sql: "UPDATE notes SET body = 'second'")
      #expect(try outbox.take(limit: 10, db).isEmpty)
      _ = try outbox.settle(sent[0], .acknowledged(version: "2"), db)
      // A repeated outcome of the same mutation is ignored.
      _ = try outbox.settle(sent[0], .conflict, db)
      let next = try outbox.take(limit: 10, db)
      #expect(next.map(\.mutation.content) == [.update(["body": .text("second")])])
      #expect(next.map(\.mutation.baseVersion) == ["2"])
    }
  }

  /// A conflict after a lost answer is not another client's change if the pulled row has the values of this device. The
  /// server compares versions only, so the repeated mutation conflicts with itself.
  @Test func pulledRowWithTheDevicesValuesIsNoConflict() async throws {
    let record = SyncedRecord(Note.self, conflicts: .serverWins)
    try await makeStore(record).write { (tx) throws in
      let db = tx.database
      let outbox = Outbox(name: "test", records: [record])
      try db.execute(sql: "UPDATE notes SET title = 'first'")
      let sent = try outbox.take(limit: 10, db)
      try db.execute(sql: "UPDATE notes SET title = 'second'")
      _ = try outbox.takeAgain(limit: 10, db)
      _ = try outbox.settle(sent[0], .conflict, db)
      #expect(try Outbox.merge(pulled("first", "body"), of: record, in: db))
      #expect(try row(db) == ["second", "body"])
      #expect(try outbox.take(limit: 10, db).map(\.mutation.content) == [.update(["title": .text("second")])])
    }
  }

  @Test func departedRowIsDeletedAfterItsChangeIsAcknowledged() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try Outbox.merge(SyncChange("notes", key: [.text("a")], .departure), of: Self.record, in: db))
      #expect(try row(db) == ["mine", "body"])
      let sent = try outbox.take(limit: 10, db)
      _ = try outbox.settle(sent[0], .acknowledged(version: "2"), db)
      #expect(try row(db) == nil)
      #expect(try Outbox(name: "test", records: [Self.record]).isEmpty(db))
    }
  }

  /// A conflict policy doesn't undo changes that are being sent, because the server may have applied them.
  @Test func conflictPolicyDoesNotUndoAChangeBeingSent() async throws {
    let record = SyncedRecord(Note.self, conflicts: .serverWins)
    let store = try await makeStore(record)
    let outbox = Outbox(name: "test", records: [record])
    try await store.write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      let sending = try outbox.take(limit: 10, db)
      #expect(try Outbox.merge(pulled("theirs", "theirs"), of: record, in: db))
      #expect(try row(db) == ["mine", "theirs"])
      _ = try outbox.settle(sending[0], .conflict, db)
      #expect(try row(db) == ["theirs", "theirs"])
      #expect(try outbox.take(limit: 10, db).isEmpty)
      let lost = try String.fetchAll(db, sql: "SELECT lost FROM sanderling_sync_conflicts WHERE side = 'local'")
      #expect(lost == ["mine"])
    }
  }

  @Test func rowStaysDeletedWhileItsDeletionIsBeingSent() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "DELETE FROM notes")
      let sending = try outbox.take(limit: 10, db)
      #expect(try Outbox.merge(pulled("theirs", "body"), of: Self.record, in: db))
      #expect(try row(db) == nil)
      _ = try outbox.settle(sending[0], .conflict, db)
      #expect(try row(db) == ["theirs", "body"])
    }
  }

  /// The deletion of a row is kept as pending if the row's insertion is in conflict, possibly with itself. The answer
  /// to the insertion was lost, and the server compares versions only.
  @Test func deletionOfAnUncertainInsertionStaysPending() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "INSERT INTO notes VALUES ('b', 'mine', '')")
      let sent = try outbox.take(limit: 10, db)
      _ = try outbox.takeAgain(limit: 10, db)
      try db.execute(sql: "DELETE FROM notes WHERE id = 'b'")
      _ = try outbox.settle(sent[0], .conflict, db)
      #expect(try outbox.take(limit: 10, at: .beforePull, db).isEmpty)
      let content = SyncChange.Content.row(["title": .text("mine"), "body": .text("")])
      #expect(
        try Outbox.merge(
          SyncChange("notes", key: [.text("b")], content, version: "7"), of: Self.record, in: db))
      let deletions = try outbox.take(limit: 10, at: .beforePull, db).map(\.mutation)
      #expect(deletions.map(\.content) == [.deletion] && deletions.map(\.baseVersion) == ["7"])
    }
  }

  /// Deleting a row that another client changed is logged if the server may have this device's insertion of the row.
  /// The transport may deliver the insertion twice.
  @Test(arguments: [false, true])
  func lostDeletionOfAnUncertainInsertionIsLogged(isSentAgain: Bool) async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "INSERT INTO notes VALUES ('a2', 'mine', 'mine')")
      let sent = try outbox.take(limit: 10, db)
      if isSentAgain { _ = try outbox.takeAgain(limit: 10, db) }
      try db.execute(sql: "DELETE FROM notes WHERE id = 'a2'")
      _ = try outbox.settle(sent[0], .conflict, db)
      // Another client may have inserted the row too. Columns that the change leaves out may differ from the sent
      // values.
      let content = SyncChange.Content.row(["title": .text("theirs")])
      let change = SyncChange("notes", key: [.text("a2")], content, version: "7")
      #expect(try Outbox.merge(change, of: Self.record, in: db))
      let row = try Row.fetchOne(db, sql: "SELECT title, body FROM notes WHERE id = 'a2'")
      #expect(row == ["title": "theirs", "body": nil])
      let log = try Row.fetchAll(db, sql: "SELECT side, kind FROM sanderling_sync_conflicts WHERE key LIKE '%a2%'")
      #expect(log.map { [$0[0], $0[1]] as [String] } == [["local", "deletion"]])
      #expect(try outbox.take(limit: 10, db).isEmpty)
    }
  }

  /// A row that is deleted locally while its mutation is being sent doesn't come back before the answer.
  @Test func rowDeletedWhileBeingSentStaysDeletedUntilTheAnswer() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "INSERT INTO notes VALUES ('a2', 'mine', '')")
      let sent = try outbox.take(limit: 10, db)
      _ = try outbox.takeAgain(limit: 10, db)
      try db.execute(sql: "DELETE FROM notes WHERE id = 'a2'")
      let content = SyncChange.Content.row(["title": .text("theirs"), "body": .text("")])
      let change = SyncChange("notes", key: [.text("a2")], content, version: "7")
      #expect(try Outbox.merge(change, of: Self.record, in: db))
      #expect(try String.fetchOne(db, sql: "SELECT title FROM notes WHERE id = 'a2'") == nil)
      _ = try outbox.settle(sent[0], .conflict, db)
      // Another client changed the row. By the default policy that change wins over the deletion.
      #expect(try String.fetchOne(db, sql: "SELECT title FROM notes WHERE id = 'a2'") == "theirs")
      let lost = try String.fetchAll(
        db, sql: "SELECT kind FROM sanderling_sync_conflicts WHERE key LIKE '%a2%' AND side = 'local'")
      #expect(lost == ["deletion"])
    }
  }

  /// Stages a change, then acknowledges the insertion of a row with the same key. The staged change concerns the
  /// inserted row, or an earlier row of that key.
  private func withStaged(
    _ staged: SyncChange.Content, version: String?,
    _ body: @Sendable (Database, OutboxEntry?, Outbox.Settled, [SyncChange]) throws -> Void
  ) async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "INSERT INTO notes VALUES ('a2', 'mine', 'mine')")
      let sending = try outbox.take(limit: 10, db)[0]
      try db.execute(sql: StagedChanges.write, arguments: ["test", nil, 0, 0, 0])
      let key = [StorageValue.text("a2")]
      try StagedChanges.append(SyncChange("notes", key: key, staged, version: version), of: "test", db)
      let settled = try outbox.settle(sending, .acknowledged(version: "13"), db)
      let changes = try Row.fetchAll(db, sql: "SELECT key, payload FROM sanderling_sync_staged ORDER BY id").map {
        try SyncChange(record: "notes", key: $0[0], payload: $0[1])
      }
      try body(db, Self.record.entry(key, db), settled, changes)
    }
  }

  @Test(arguments: [SyncChange.Content.deletion, .row(["title": .text("theirs"), "body": .null])])
  func laterStagedVersionSupersedesAnAcknowledgedInsertion(staged: SyncChange.Content) async throws {
    try await withStaged(staged, version: "34") { _, entry, settled, changes in
      #expect(settled == .acknowledged && entry == nil)
      #expect(changes.map(\.version) == ["34"])
    }
  }

  @Test(arguments: [SyncChange.Content.deletion, .row(["title": .text("theirs"), "body": .null])])
  func earlierStagedVersionPrecedesAnAcknowledgedInsertion(staged: SyncChange.Content) async throws {
    try await withStaged(staged, version: "9") { _, entry, settled, changes in
      #expect(settled == .acknowledged && entry == nil)
      #expect(changes.map(\.version) == ["9", "13"])
    }
  }

  @Test(arguments: [nil, "x"])
  func insertionIsSentAgainIfAStagedDeletionMayBeNewer(version: String?) async throws {
    try await withStaged(.deletion, version: version) { db, entry, settled, changes in
      #expect(settled == .conflict && changes.count == 1)
      #expect(try Outbox.merge(changes[0], of: Self.record, in: db))
      let again = try outbox.take(limit: 10, db).map(\.mutation)
      #expect(again.map(\.baseVersion) == [nil])
      guard case .insertion = again.first?.content else {
        Issue.record("\(again)")
        return
      }
    }
  }

  /// A refused change leaves nothing pending and nothing quarantined if the server later has the same row.
  @Test func refusedChangeIsSettledWhenTheServerHasTheSameRow() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      _ = try outbox.settle(outbox.take(limit: 1, db)[0], .refused("no"), db)
      #expect(try Outbox.merge(pulled("mine", "body"), of: Self.record, in: db))
      #expect(try Outbox(name: "test", records: [Self.record]).isEmpty(db))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_quarantine") == 0)
    }
  }

  /// A change of a row that left the device is lost and logged if it is in conflict. The server doesn't send such a row
  /// any more, so the change can't be based on it.
  @Test func conflictingChangeOfADepartedRowIsLogged() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try Outbox.merge(SyncChange("notes", key: [.text("a")], .departure), of: Self.record, in: db))
      _ = try outbox.settle(outbox.take(limit: 10, db)[0], .conflict, db)
      #expect(try row(db) == nil)
      #expect(try Outbox(name: "test", records: [Self.record]).isEmpty(db))
      let lost = try String.fetchOne(db, sql: "SELECT lost FROM sanderling_sync_conflicts WHERE kind = 'row'")
      #expect(lost?.contains("mine") == true)
    }
  }

  @Test func conflictOfARefusedDepartedRowClearsTheQuarantine() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      try db.execute(sql: "UPDATE notes SET title = 'bad'")
      _ = try outbox.settle(outbox.take(limit: 10, db)[0], .refused("no"), db)
      try db.execute(sql: "UPDATE notes SET title = 'mine'")
      #expect(try Outbox.merge(SyncChange("notes", key: [.text("a")], .departure), of: Self.record, in: db))
      _ = try outbox.settle(outbox.take(limit: 10, db)[0], .conflict, db)
      #expect(try Outbox(name: "test", records: [Self.record]).isEmpty(db))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_quarantine") == 0)
    }
  }

  /// The insertion of a row has no base version, although a deleted row of the same key had one.
  @Test func insertionHasNoBaseVersion() async throws {
    try await makeStore().write { (tx) throws in
      let db = tx.database
      // The row is deleted as with a parent that the server deleted, without a pending change.
      try SyncControl.applying(db) { try db.execute(sql: "DELETE FROM notes") }
      try db.execute(sql: "INSERT INTO notes VALUES ('a', 'new', '')")
      #expect(try outbox.take(limit: 10, db).map(\.mutation.baseVersion) == [nil])
    }
  }

  @Test func keysOfAnotherLengthAreRefused() async throws {
    try await makeStore().write { (tx) throws in
      #expect(throws: SyncTableError.wrongKey(record: "notes")) {
        _ = try Outbox.merge(SyncChange("notes", key: [], .deletion), of: Self.record, in: tx.database)
      }
    }
  }
}
