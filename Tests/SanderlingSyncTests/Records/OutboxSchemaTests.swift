import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

@Suite struct OutboxSchemaTests {
  @Record("memos") struct Memo {
    @PrimaryKey var id: String
    var text: String?
  }

  @Record("memos") struct LaterMemo {
    @PrimaryKey var id: String
    var text: String?
    var stars: Int?
  }

  @Record("numbered") struct Numbered {
    var id: Int
    var text: String?
  }

  private let memo = SyncedRecord(Memo.self)

  private func makeMemos(_ db: Database) throws {
    try db.execute(sql: "CREATE TABLE memos (id TEXT PRIMARY KEY NOT NULL, text)")
    try OutboxSchema.install([memo], on: db)
  }

  private func schema(_ db: Database) throws -> [Row] {
    try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name")
  }

  private func entries(_ record: SyncedRecord, _ db: Database) throws -> [OutboxEntry] {
    try ServerImage.entries(record, db).sorted { $0.sequence < $1.sequence }
  }

  @Test func installingAgainWritesNothing() throws {
    try DatabaseQueue().write { db in
      try makeMemos(db)
      let (before, client) = (try schema(db), try SyncControl.client(db))
      let version = try Int.fetchOne(db, sql: "PRAGMA schema_version")
      try OutboxSchema.install([memo], on: db)
      #expect(try schema(db) == before)
      #expect(try Int.fetchOne(db, sql: "PRAGMA schema_version") == version)
      #expect(try SyncControl.client(db) == client)
      #expect(client.count == 32)
    }
  }

  @Test func triggersOfARecreatedTableAreRestored() throws {
    try DatabaseQueue().write { db in
      try makeMemos(db)
      let before = try schema(db)
      try db.execute(sql: "INSERT INTO memos VALUES ('a', 1)")
      try db.execute(
        sql: """
          CREATE TABLE other (id TEXT PRIMARY KEY NOT NULL, text); INSERT INTO other SELECT * FROM memos;
          DROP TABLE memos; ALTER TABLE other RENAME TO memos
          """)
      try OutboxSchema.install([memo], on: db)
      #expect(try schema(db).map { $0["name"] as String } == before.map { $0["name"] as String })
      try db.execute(sql: "UPDATE memos SET text = 2; INSERT INTO memos VALUES ('b', 1)")
      #expect(try entries(memo, db).map(\.key) == [[.text("a")], [.text("b")]])
      #expect(try entries(memo, db).allSatisfy { $0.base == nil })
    }
  }

  @Test func foreignTriggerWithTheOutboxsNameIsReplaced() throws {
    try DatabaseQueue().write { db in
      try makeMemos(db)
      try db.execute(
        sql: """
          DROP TRIGGER sanderling_sync_memos_delete;
          CREATE TRIGGER sanderling_sync_memos_delete BEFORE DELETE ON memos BEGIN SELECT 1; END
          """)
      try OutboxSchema.install([memo], on: db)
      try SyncControl.applying(db) { try db.execute(sql: "INSERT INTO memos VALUES ('a', 1)") }
      try db.execute(sql: "DELETE FROM memos")
      #expect(try entries(memo, db).map(\.base) == [[.text("a"), .integer(1)]])
    }
  }

  /// Entries are kept when the table gains a column. The new column has no change, and a deleted row has its default.
  @Test(arguments: [false, true]) func entriesOutliveANewColumn(besideABrokenView: Bool) throws {
    try DatabaseQueue().write { db in
      try makeMemos(db)
      if besideABrokenView { try db.execute(sql: "CREATE VIEW odd AS SELECT x FROM nosuch") }
      try SyncControl.applying(db) { try db.execute(sql: "INSERT INTO memos VALUES ('a', 'old'), ('gone', 'old')") }
      try db.execute(sql: "UPDATE memos SET text = 'new' WHERE id = 'a'; DELETE FROM memos WHERE id = 'gone'")
      let before = try entries(memo, db)
      try db.execute(sql: "ALTER TABLE memos ADD COLUMN stars INTEGER DEFAULT 3")
      let later = SyncedRecord(LaterMemo.self)
      try OutboxSchema.install([later], on: db)
      let after = try entries(later, db)
      #expect(after.map(\.sequence) == before.map(\.sequence))
      #expect(
        after.map(\.base) == [
          [.text("a"), .text("old"), .integer(3)], [.text("gone"), .text("old"), .integer(3)],
        ])
      #expect(after[0].difference?.columns == [1])
      #expect(after[1].difference?.kind == .deletion)
      try db.execute(sql: "UPDATE memos SET stars = 4")
      #expect(try entries(later, db)[0].difference?.columns == [1, 2])
    }
  }

  @Test func columnsCanBeDroppedWithoutTriggers() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE memos (id TEXT PRIMARY KEY NOT NULL, text, stars)")
      try OutboxSchema.install([SyncedRecord(LaterMemo.self)], on: db)
      try db.execute(sql: "INSERT INTO memos VALUES ('a', 1, 2)")
      #expect(throws: DatabaseError.self) { try db.execute(sql: "ALTER TABLE memos DROP COLUMN stars") }
      try OutboxSchema.removeTriggers(of: memo, on: db)
      try db.execute(sql: "ALTER TABLE memos DROP COLUMN stars")
      try OutboxSchema.install([memo], on: db)
      #expect(try entries(memo, db).map(\.difference?.columns) == [[0, 1]])
    }
  }

  /// A second installation puts the outbox's triggers before a trigger that the app made since, which writes new rows
  /// again. SQLite runs the latest triggers first.
  @Test func reinstallingPutsOutboxTriggersBeforeTheApps() throws {
    let record = SyncedRecord(Numbered.self)
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE numbered (id INTEGER PRIMARY KEY, text)")
      try OutboxSchema.install([record], on: db)
      try db.execute(
        sql: """
          CREATE TRIGGER again AFTER INSERT ON numbered BEGIN UPDATE numbered SET text = 'again' WHERE id = NEW.id; END
          """)
      try OutboxSchema.install([record], on: db)
      try db.execute(sql: "INSERT INTO numbered (text) VALUES ('first')")
      let entry = try #require(try entries(record, db).first)
      #expect(entry.base == nil)
      #expect(entry.row == [.integer(1), .text("again")])
      // A third installation changes nothing.
      let version = try Int.fetchOne(db, sql: "PRAGMA schema_version")
      try OutboxSchema.install([record], on: db)
      #expect(try Int.fetchOne(db, sql: "PRAGMA schema_version") == version)
    }
  }

  @Test func basesAreExact() throws {
    let values: [StorageValue] = [
      .null, .integer(.min), .real(1), .real(-0.0), .text(""), .text("a\0b"), .text("e\u{301}"), .blob(Data()),
      .blob(Data([0])),
    ]
    try DatabaseQueue().write { db in
      try makeMemos(db)
      let table = memo.synced
      try SyncControl.applying(db) {
        for (index, value) in values.enumerated() { try table.run(table.insertRow, [.text("\(index)"), value], db) }
      }
      try db.execute(sql: "UPDATE memos SET text = 'changed'")
      #expect(try entries(memo, db).map(\.base) == values.enumerated().map { [.text("\($0)"), $1] })
    }
  }

  private struct Failure: Error {}

  private func writeAndFail(_ db: Database) throws {
    try SyncControl.applying(db) {
      try db.execute(sql: "INSERT INTO memos VALUES ('a', 1)")
      throw Failure()
    }
  }

  private func isFailing(_ db: Database) -> Bool {
    do {
      try writeAndFail(db)
      return false
    } catch { return error is Failure }
  }

  @Test func failedApplicationLeavesNoRowsAndEnds() throws {
    try DatabaseQueue().write { db in
      try makeMemos(db)
      let isFailing = isFailing(db)
      #expect(isFailing)
      #expect(try !SyncControl.isApplying(db))
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM memos") == 0)
      // Inside of another application, only the outer one ends.
      let (isFailingInside, isApplyingStill) = try SyncControl.applying(db) {
        (self.isFailing(db), try SyncControl.isApplying(db))
      }
      #expect(isFailingInside && isApplyingStill)
      #expect(try !SyncControl.isApplying(db))
    }
  }

  @Test func writesOfAnotherConnectionAreNoted() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).db").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let queue = try DatabaseQueue(path: path)
    try queue.write { try makeMemos($0) }
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "INSERT INTO memos VALUES ('a', 1)") }
    #expect(try queue.read { try entries(memo, $0).map(\.key) } == [[.text("a")]])
  }

  @Test func outboxOfAViewIsRefused() throws {
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE VIEW memos AS SELECT 'a' AS id, 'b' AS text")
      #expect(throws: SyncTableError.unsuitable(table: "memos", reason: "it is a view")) {
        try OutboxSchema.install([memo], on: db)
      }
    }
  }
}
