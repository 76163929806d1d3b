import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A server's row that the outbox can't write, because a constraint of the app's table forbids the write.
@Suite struct ForbiddenWriteTests {
  @Record("folders") struct Folder {
    @PrimaryKey var id: String
  }

  @Record("notes") struct Note {
    @PrimaryKey var id: String
    @References(Folder.self) var folder: String?
    var title: String
  }

  private let records = [SyncedRecord(Folder.self), SyncedRecord(Note.self, conflicts: .serverWins)]
  private var outbox: Outbox { Outbox(name: "test", records: records) }

  /// Makes a database with the folders `a` and `b` and the note `n` in `a`. All rows equal the server's rows.
  private func withDatabase(_ references: String, _ body: (Database) throws -> Void) throws {
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE folders (id TEXT PRIMARY KEY NOT NULL);
          CREATE TABLE notes (id TEXT PRIMARY KEY NOT NULL, folder TEXT REFERENCES folders \(references), title TEXT);
          """)
      try OutboxSchema.install(records, on: db)
      try SyncControl.applying(db) {
        try db.execute(
          sql: "INSERT INTO folders VALUES ('a'), ('b'); INSERT INTO notes VALUES ('n', 'a', 'title')")
      }
      try body(db)
    }
  }

  private func notes(_ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT id || ':' || coalesce(folder, '') || ':' || title FROM notes")
  }

  /// A note keeps its local state if another client moved it into a folder that was deleted on this device.
  @Test(arguments: ["ON DELETE SET NULL", "DEFERRABLE INITIALLY DEFERRED"])
  func noteMovedIntoADeletedFolderKeepsItsLocalState(references: String) throws {
    try withDatabase(references) { db in
      try db.execute(sql: "UPDATE notes SET title = 'mine'; DELETE FROM folders WHERE id = 'b'")
      let sending = try outbox.take(limit: 10, db)
      let moved = SyncChange(
        "notes", key: [.text("n")], .row(["folder": .text("b"), "title": .text("theirs")]), version: "2")
      // A pull defers foreign keys in the same way, and parks the row in the end.
      try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
      #expect(try outbox.merge(moved, of: records[1], in: db))
      try db.execute(sql: "UPDATE notes SET folder = NULL")
      try db.execute(sql: "PRAGMA defer_foreign_keys = OFF")
      for sent in sending where sent.record.name == "notes" {
        #expect(try outbox.settle(sent, .conflict, db) == .waiting)
      }
      #expect(try notes(db) == ["n::mine"])
      #expect(!db.hasBrokenReferences)
      #expect(
        try String.fetchAll(
          db, sql: "SELECT side || ':' || column || ':' || lost FROM sanderling_sync_conflicts WHERE side = 'server'"
        )
        .contains("server:title:theirs"))
      // The change is sent once more, based on the server's current row.
      let content = Mutation.Content.update(["folder": .null, "title": .text("mine")])
      #expect(try outbox.take(limit: 10, db).map(\.mutation.content) == [content])
    }
  }

  /// A folder that leaves the device is parked, and not deleted, while a note refers to the folder.
  @Test func departedFolderIsParkedWhileANoteRefersToIt() throws {
    try withDatabase("") { db in
      try db.execute(sql: "INSERT INTO folders VALUES ('c'); INSERT INTO notes VALUES ('m', 'c', 'mine')")
      let sending = try outbox.take(limit: 10, db)
      #expect(
        try outbox.merge(SyncChange("folders", key: [.text("c")], .departure), of: records[0], in: db))
      for sent in sending { #expect(try outbox.settle(sent, .acknowledged(version: "1"), db) == .acknowledged) }
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM folders WHERE id = 'c'") == 1)
      let parked = try Row.fetchAll(db, sql: "SELECT record, key FROM sanderling_sync_parked WHERE name = 'test'")
      #expect(parked.map { $0[0] as String } == ["folders"] && parked.map { $0[1] as String } == [#"["c"]"#])
      #expect(try Outbox(name: "test", records: records).isEmpty(db))
    }
  }
}
