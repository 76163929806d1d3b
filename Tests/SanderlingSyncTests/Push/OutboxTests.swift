import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct OutboxTests {
  @Record("folders") struct Folder {
    @PrimaryKey var id: String
    @References(Folder.self, onDelete: .cascade) var parent: String?
    var name: String
  }

  @Record("files") struct File {
    @PrimaryKey var id: String
    @References(Folder.self, onDelete: .cascade) var folder: String?
    var name: String
  }

  /// `Folder` in a later release of the app, with another column.
  @Record("folders") struct ColoredFolder {
    @PrimaryKey var id: String
    @References(ColoredFolder.self, onDelete: .cascade) var parent: String?
    var name: String
    var color: String?
  }

  private let records = [SyncedRecord(File.self), SyncedRecord(Folder.self)]
  private var outbox: Outbox { Outbox(name: "test", records: records) }

  private func withDatabase(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE folders (id TEXT PRIMARY KEY NOT NULL, parent TEXT REFERENCES folders ON DELETE CASCADE, name TEXT);
          CREATE TABLE files (id TEXT PRIMARY KEY NOT NULL, folder TEXT REFERENCES folders ON DELETE CASCADE, name TEXT);
          CREATE INDEX foldersOfFolder ON folders (parent); CREATE INDEX filesOfFolder ON files (folder)
          """)
      try OutboxSchema.install(records, on: db)
      try body(db)
    }
  }

  private func take(_ db: Database, limit: Int = 100) throws -> [String] {
    try outbox.take(limit: limit, db).map { $0.mutation.brief }
  }

  private func acknowledgeAll(_ db: Database) throws {
    for sending in try outbox.take(limit: 1000, db) {
      _ = try outbox.settle(sending, .acknowledged(version: nil), db)
    }
  }

  @Test func parentsComeFirst() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO files VALUES ('f', NULL, 'x')")
      try db.execute(
        sql: """
          INSERT INTO folders VALUES ('c', NULL, ''); INSERT INTO folders VALUES ('b', NULL, '');
          INSERT INTO folders VALUES ('a', NULL, ''); UPDATE folders SET parent = 'b' WHERE id = 'c';
          UPDATE folders SET parent = 'a' WHERE id = 'b'; UPDATE files SET folder = 'c'
          """)
      #expect(try take(db) == ["+a", "+b", "+c", "+f"])
    }
  }

  /// In batches of one, each change is sent after the changes that it needs are acknowledged.
  @Test func parentsComeFirstAcrossBatches() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO files VALUES ('f', NULL, 'x'); INSERT INTO folders VALUES ('a', NULL, '');
          UPDATE files SET folder = 'a'
          """)
      let first = try outbox.take(limit: 1, db)
      #expect(first.map(\.mutation.brief) == ["+a"])
      #expect(try take(db) == [])
      _ = try outbox.settle(first[0], .acknowledged(version: nil), db)
      #expect(try take(db) == ["+f"])
    }
  }

  @Test func changesOfReferringRowsAreSentBeforeADeletion() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO folders VALUES ('a', NULL, ''), ('b', 'a', ''), ('c', NULL, '');
          INSERT INTO files VALUES ('f', 'b', ''), ('g', 'b', '')
          """)
      try acknowledgeAll(db)
      try db.execute(sql: "UPDATE files SET folder = 'c' WHERE id = 'g'; DELETE FROM folders WHERE id = 'a'")
      #expect(try take(db) == ["~g(folder)", "-f", "-b", "-a"])
    }
  }

  @Test func rowsInAReferenceCycleAreSent() throws {
    try withDatabase { db in
      try db.execute(
        sql: "INSERT INTO folders VALUES ('a', NULL, ''); INSERT INTO folders VALUES ('b', 'a', '');"
          + "UPDATE folders SET parent = 'b' WHERE id = 'a'")
      #expect(try Set(take(db)) == ["+a", "+b"])
    }
  }

  @Test func aDeepTreeIsInOrder() throws {
    try withDatabase { db in
      // The changes of children come before the changes of their parents.
      for index in 0..<2000 { try db.execute(sql: "INSERT INTO folders VALUES ('\(index)', NULL, '')") }
      try db.execute(sql: "UPDATE folders SET parent = id + 1 WHERE CAST(id AS INTEGER) < 1999")
      let taken = try outbox.take(limit: 500, db)
      #expect(taken.map(\.mutation.brief) == (1500..<2000).reversed().map { "+\($0)" })
    }
  }

  @Test func revertedChangesLeaveNothingPending() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, 'A')")
      try acknowledgeAll(db)
      try db.execute(
        sql: """
          UPDATE folders SET name = 'B'; UPDATE folders SET name = 'A'; INSERT INTO folders VALUES ('b', NULL, '');
          DELETE FROM folders WHERE id = 'b'; DELETE FROM folders; INSERT INTO folders VALUES ('a', NULL, 'A')
          """)
      #expect(try take(db) == [])
      #expect(try Outbox(name: "test", records: records).isEmpty(db))
    }
  }

  @Test func changesOfOneRowAreSentAsOneMutation() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, 'A')")
      try acknowledgeAll(db)
      try db.execute(sql: "DELETE FROM folders; INSERT OR REPLACE INTO folders VALUES ('a', NULL, 'B')")
      #expect(try take(db) == ["~a(name)"])
    }
  }

  /// A refused change waits for the next change of its row, and is then sent with it. Other changes are sent meanwhile.
  @Test func refusedChangeWaitsForTheNextEditOfItsRow() throws {
    try withDatabase { db in
      try db.execute(
        sql: """
          INSERT INTO folders VALUES ('a', NULL, ''); INSERT INTO files VALUES ('f', 'a', '');
          INSERT INTO files VALUES ('g', NULL, '')
          """)
      let sent = try outbox.take(limit: 1, db)
      _ = try outbox.settle(sent[0], .refused("no name"), db)
      let quarantined = try Row.fetchOne(
        db, sql: "SELECT record, key, direction, reason, payload FROM sanderling_sync_quarantine")
      let texts = (0..<5).map { quarantined?[$0] as String? }
      #expect(
        texts == [
          "folders", #"["a"]"#, "push", "no name",
          #"{"content":"row","version":null,"values":{"id":"a","name":"","parent":null}}"#,
        ])
      // The change of a child waits, because it would be refused too.
      let others = try outbox.take(limit: 10, db)
      #expect(others.map(\.mutation.brief) == ["+g"])
      try db.execute(sql: "UPDATE folders SET name = 'A'")
      let again = try outbox.take(limit: 10, db) + outbox.take(limit: 10, db)
      #expect(again.first?.mutation.content == .insertion(["id": .text("a"), "parent": .null, "name": .text("A")]))
      _ = try outbox.settle(again[0], .acknowledged(version: nil), db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_quarantine") == 0)
      #expect(try take(db).allSatisfy { $0 == "+f" })
    }
  }

  /// A child that is refused with its parent waits for the parent, and is sent after the parent is accepted. A server
  /// refuses both over a quota, for example.
  @Test func refusedChildWaitsForItsRefusedParent() throws {
    try withDatabase { db in
      try db.execute(
        sql: "INSERT INTO folders VALUES ('a', NULL, ''), ('b', 'a', ''); INSERT INTO files VALUES ('f', 'b', '')")
      let sent = try outbox.take(limit: 10, db)
      #expect(sent.map(\.mutation.brief) == ["+a", "+b", "+f"])
      let settled = try sent.map { try outbox.settle($0, .refused("over the quota"), db) }
      #expect(settled == [.refused, .waiting, .waiting])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_quarantine") == 1)
      #expect(try take(db) == [])
      #expect(try outbox.retry([.text("a")], of: records[1], db))
      #expect(try take(db) == ["+a", "+b", "+f"])
    }
  }

  /// Of refused rows that refer to each other, only the first is quarantined.
  @Test func refusedReferenceCycleQuarantinesOneRow() throws {
    try withDatabase { db in
      try db.execute(
        sql: "INSERT INTO folders VALUES ('a', NULL, ''); INSERT INTO folders VALUES ('b', 'a', '');"
          + "UPDATE folders SET parent = 'b' WHERE id = 'a'")
      for sending in try outbox.take(limit: 10, db) { _ = try outbox.settle(sending, .refused("no parent"), db) }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_quarantine") == 1)
      #expect(try take(db) == [])
    }
  }

  /// A refused insertion of a row that is later deleted leaves nothing pending and nothing quarantined.
  @Test func deletingARefusedRowClearsItsChangeAndQuarantine() throws {
    try withDatabase { db in
      try acknowledge(["INSERT INTO folders VALUES ('a', NULL, '')"], db)
      try db.execute(sql: "INSERT INTO files VALUES ('f', 'a', '')")
      _ = try outbox.settle(outbox.take(limit: 1, db)[0], .refused("no name"), db)
      try db.execute(sql: "DELETE FROM folders")
      #expect(try take(db) == ["-a"])
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_quarantine") == 0)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_changes_files") == 0)
    }
  }

  /// A row that is being sent is not sent a second time with its parent's deletion, which waits for the answer.
  @Test func rowBeingSentDelaysItsParentsDeletion() throws {
    try withDatabase { db in
      try acknowledge(["INSERT INTO folders VALUES ('a', NULL, '')", "INSERT INTO files VALUES ('f', 'a', '')"], db)
      try db.execute(sql: "UPDATE files SET name = 'new'")
      let sending = try outbox.take(limit: 10, db)
      try db.execute(sql: "DELETE FROM folders")
      #expect(try take(db) == [])
      _ = try outbox.settle(sending[0], .acknowledged(version: nil), db)
      #expect(try take(db) == ["-f", "-a"])
    }
  }

  /// An insertion is sent again with its original columns, although the record has gained a column since.
  @Test func repeatedInsertionKeepsItsColumns() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, '')")
      let sent = try outbox.take(limit: 1, db)
      try db.execute(sql: "ALTER TABLE folders ADD COLUMN color TEXT")
      let later = [SyncedRecord(File.self), SyncedRecord(ColoredFolder.self)]
      try OutboxSchema.install(later, on: db)
      let again = try Outbox(name: "test", records: later).takeAgain(limit: 1, db)
      #expect(again.map(\.mutation) == sent.map(\.mutation))
    }
  }

  /// A row that is deleted locally while its insertion is being sent is deleted at the server after the answer.
  /// Meanwhile an older deletion of its key is pulled.
  @Test(arguments: [true, false]) func rowDeletedDuringItsInsertionIsDeletedAtTheServer(isPulledFirst: Bool) throws {
    try withDatabase { db in
      func pull() throws {
        let deletion = SyncChange("folders", key: [.text("a")], .deletion, version: "v0")
        #expect(try Outbox.merge(deletion, of: records[1], in: db))
      }
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, 'x')")
      let sending = try #require(try outbox.take(limit: 10, db).first)
      if isPulledFirst { try pull() }
      try db.execute(sql: "DELETE FROM folders")
      if !isPulledFirst { try pull() }
      _ = try outbox.settle(sending, .acknowledged(version: "v1"), db)
      let next = try outbox.take(limit: 10, db).map(\.mutation)
      #expect(next.map(\.brief) == ["-a"] && next.first?.baseVersion == "v1")
    }
  }

  /// If an older deletion of its key is pulled while a row's insertion is being sent, the row waits for the next pull.
  /// That pull shows that the server has the row, so the row is not sent as another row.
  @Test func insertionWaitsForAPullAfterAnOlderDeletionOfItsKey() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, 'x')")
      let sending = try #require(try outbox.take(limit: 10, db).first)
      let deletion = SyncChange("folders", key: [.text("a")], .deletion, version: "v0")
      #expect(try Outbox.merge(deletion, of: records[1], in: db))
      #expect(try outbox.settle(sending, .acknowledged(version: "v1"), db) == .conflict)
      guard case .insertion(let values) = sending.mutation.content else {
        Issue.record("the mutation isn't an insertion")
        return
      }
      let echo = SyncChange("folders", key: [.text("a")], .row(values), version: "v1")
      #expect(try Outbox.merge(echo, of: records[1], in: db))
      #expect(try outbox.take(limit: 10, db).isEmpty)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM sanderling_sync_conflicts") == 0)
    }
  }

  /// A row that is deleted locally while its insertion is sent again is deleted at the server. The first answer was
  /// lost, and the pull of a server without versions didn't list the row.
  @Test func rowDeletedDuringARepeatedInsertionIsDeletedAtTheServer() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, 'x')")
      let sending = try #require(try outbox.take(limit: 10, db).first)
      #expect(try Outbox.merge(SyncChange("folders", key: [.text("a")], .deletion), of: records[1], in: db))
      #expect(try outbox.takeAgain(limit: 1, except: [], db).count == 1)
      try db.execute(sql: "DELETE FROM folders")
      _ = try outbox.settle(sending, .acknowledged(version: nil), db)
      #expect(try outbox.take(limit: 10, db).map(\.mutation.brief) == ["-a"])
    }
  }

  private func acknowledge(_ statements: [String], _ db: Database) throws {
    for sql in statements { try db.execute(sql: sql) }
    try acknowledgeAll(db)
  }

  @Test func refusedChangeIsSentAgainOnRetry() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, '')")
      let sent = try outbox.take(limit: 1, db)
      #expect(try !outbox.retry([.text("a")], of: records[1], db))
      _ = try outbox.settle(sent[0], .refused("closed"), db)
      #expect(try take(db) == [])
      #expect(try outbox.retry([.text("a")], of: records[1], db))
      #expect(try take(db) == ["+a"])
    }
  }

  @Test func mutationNumbersGrowAndAreNeverReused() throws {
    try withDatabase { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('a', NULL, ''), ('b', NULL, '')")
      let sent = try outbox.take(limit: 10, db)
      #expect(sent[0].mutation.sequence < sent[1].mutation.sequence)
      for sending in sent { _ = try outbox.settle(sending, .conflict, db) }
      let again = try outbox.take(limit: 10, db)
      #expect(again[0].mutation.sequence > sent[1].mutation.sequence)
      #expect(try Set(again.map(\.mutation.client)) == [SyncControl.client(db)])
      #expect(try outbox.takeAgain(limit: 10, db).map(\.mutation) == again.map(\.mutation))
    }
  }
}

extension Mutation {
  /// The kind of the mutation and its key, such as `+a` for an insertion.
  fileprivate var brief: String {
    guard case .text(let key)? = key.first else { return "?" }
    return switch content {
    case .insertion: "+\(key)"
    case .update(let values): "~\(key)(\(values.keys.sorted().joined(separator: ",")))"
    case .deletion: "-\(key)"
    }
  }
}
