import Foundation
import GRDB
import Synchronization
import Testing

@testable import Sanderling

/// Tables as SQLiteData's documentation declares them, with the temporary triggers and the attached database of its
/// synchronisation, beside records in one database. The package itself is not used.
@MainActor
@Suite struct SQLiteDataTests {
  @Record("remindersLists")
  struct RemindersList: Hashable {
    @Stored(as: .lowercaseUUIDText) var id: UUID
    var title: String
    var position: Int
    static let reminders = hasMany(Reminder.self, by: \.remindersListID)
  }

  @Record("reminders")
  struct Reminder: Hashable {
    @Stored(as: .lowercaseUUIDText) var id: UUID
    @Stored(as: .lowercaseUUIDText) @References(RemindersList.self, onDelete: .cascade) var remindersListID: UUID
    var title: String
    var isCompleted: Bool
    @Stored(as: .dateText) var dueDate: Date?
    static let list = belongsTo(RemindersList.self, by: \.remindersListID)
  }

  /// A record that only Sanderling knows, in the same file.
  @Record
  struct Sticker: Hashable {
    var id: UUID
    @Stored(as: .lowercaseUUIDText) var reminderID: UUID
    var symbol: String
  }

  private let folder = TemporaryFolder()

  private var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("Create tables") { db in
      try db.execute(
        sql: """
          CREATE TABLE "remindersLists" (
            "id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (uuid()),
            "title" TEXT NOT NULL ON CONFLICT REPLACE DEFAULT '',
            "position" INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT 0
          ) STRICT;
          CREATE TABLE "reminders" (
            "id" TEXT PRIMARY KEY NOT NULL ON CONFLICT REPLACE DEFAULT (uuid()),
            "dueDate" TEXT,
            "isCompleted" INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT 0,
            "remindersListID" TEXT NOT NULL REFERENCES "remindersLists"("id") ON DELETE CASCADE,
            "title" TEXT NOT NULL ON CONFLICT REPLACE DEFAULT ''
          ) STRICT;
          CREATE VIRTUAL TABLE "reminderTexts" USING fts5("title", tokenize = 'trigram')
          """)
    }
    migrator.registerMigration("Create foreign key indexes") { db in
      try db.execute(sql: "CREATE INDEX \"index_reminders_list\" ON \"reminders\"(\"remindersListID\")")
    }
    return migrator
  }

  /// The connections of an app with SQLiteData and its synchronisation.
  private func pool() throws -> DatabasePool {
    let metadata = folder.path(".store.metadata.sqlite")
    try DatabasePool(path: metadata).run(
      """
      CREATE TABLE IF NOT EXISTS "sqlitedata_icloud_metadata" (
        "recordPrimaryKey" TEXT NOT NULL, "recordType" TEXT NOT NULL,
        "recordName" TEXT NOT NULL AS ("recordPrimaryKey" || ':' || "recordType"),
        "_isDeleted" INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY ("recordPrimaryKey", "recordType"), UNIQUE ("recordName")
      ) STRICT
      """)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("uuid", argumentCount: 0) { _ in UUID().uuidString.lowercased() })
      db.add(
        function: DatabaseFunction("sqlitedata_icloud_syncEngineIsSynchronizingChanges", argumentCount: 0) { _ in false
        })
      try db.execute(sql: "ATTACH ? AS \"sqlitedata_icloud\"", arguments: [metadata])
    }
    return try DatabasePool(path: folder.path(), configuration: configuration)
  }

  /// The triggers that the synchronisation and the app's own code install on the writer's connection.
  private func installTriggers(_ pool: DatabasePool) throws {
    try pool.write { db in
      for table in ["remindersLists", "reminders"] {
        try db.execute(
          sql: """
            CREATE TEMPORARY TRIGGER IF NOT EXISTS "sqlitedata_icloud_after_insert_on_\(table)"
            AFTER INSERT ON "\(table)" FOR EACH ROW BEGIN
              INSERT INTO "sqlitedata_icloud_metadata" ("recordPrimaryKey", "recordType") VALUES (new."id", '\(table)')
              ON CONFLICT DO NOTHING;
            END;
            CREATE TEMPORARY TRIGGER IF NOT EXISTS "sqlitedata_icloud_after_delete_on_\(table)_from_user"
            AFTER DELETE ON "\(table)" FOR EACH ROW
            WHEN NOT "sqlitedata_icloud_syncEngineIsSynchronizingChanges"() BEGIN
              UPDATE "sqlitedata_icloud_metadata" SET "_isDeleted" = 1
              WHERE "recordPrimaryKey" = old."id" AND "recordType" = '\(table)';
            END
            """)
      }
      try db.execute(
        sql: """
          CREATE TEMPORARY TRIGGER "after_insert_on_remindersLists" AFTER INSERT ON "remindersLists" FOR EACH ROW BEGIN
            UPDATE "remindersLists" SET "position" = (SELECT max("position") + 1 FROM "remindersLists")
            WHERE "id" = new."id";
          END;
          CREATE TEMPORARY TRIGGER "after_insert_on_reminders" AFTER INSERT ON "reminders" FOR EACH ROW BEGIN
            INSERT INTO "reminderTexts" ("rowid", "title") VALUES (new."rowid", new."title");
          END
          """)
    }
  }

  @Test func recordsAndTablesOfSQLiteDataLiveTogether() async throws {
    let pool = try pool()
    try migrator.migrate(pool)
    let schema: [any StoredRecord.Type] = [RemindersList.self, Reminder.self]
    let unsynchronised = try Store(pool, schema: schema)
    #expect(try await RemindersList.order { $0.position }.explainLive(unsynchronised).isMaintained)
    try unsynchronised.close()
    try installTriggers(pool)
    let store = try Store(pool, schema: schema, liveInterval: .zero)
    // SQLite chooses the key after BEFORE triggers, and the other triggers may run before capture's AFTER trigger.
    let explanation = try await RemindersList.order { $0.position }.explainLive(store)
    #expect(
      explanation.reason
        == "changes of table remindersLists can't be captured: the app has a temporary trigger on it, which may run before the key of an inserted row is captured"
    )
    let lists = store.liveList(RemindersList.order { $0.position })
    let open = store.liveCount(Reminder.where { !$0.isCompleted })
    let deleted = store.liveCount(
      SQLRequest<String>("SELECT \"recordName\" FROM \"sqlitedata_icloud_metadata\" WHERE \"_isDeleted\""))
    let found = store.liveList(SQLRequest<String>("SELECT title FROM reminderTexts WHERE title LIKE '%milk%'"))
    _ = (lists.rows, open.value, deleted.value, found.rows)
    await store.settled()

    // SQLiteData's drafts insert NULL, and SQLite chooses the key and the defaults.
    try await pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO "remindersLists" ("id", "title", "position") VALUES (NULL, 'Home', NULL), (NULL, 'Work', NULL);
          INSERT INTO "reminders" ("id", "remindersListID", "title", "dueDate")
          SELECT NULL, "id", 'Get milk', '2026-11-28 07:30:00.500' FROM "remindersLists" WHERE "title" = 'Home'
          """)
    }
    await store.settled()
    #expect(lists.elements.map(\.title) == ["Home", "Work"])
    #expect(lists.elements.map(\.position) == [1, 2])
    #expect((open.value, deleted.value) == (1, 0))
    #expect(found.elements == ["Get milk"])
    let reminder = try #require(try await store.fetch(Reminder.query).first)
    #expect(reminder.dueDate == Date(timeIntervalSince1970: 1_795_851_000.5))

    // Through the store: the same forms, and the triggers of the synchronisation.
    let id = UUID()
    try await store.write("add") { tx in
      try tx.insert(Reminder(id: id, remindersListID: reminder.remindersListID, title: "Oat milk", isCompleted: false))
      try tx.update(Reminder.self, key: reminder.id) { $0.isCompleted = true }
    }
    await store.settled()
    #expect(open.value == 1)
    #expect(found.elements == ["Get milk", "Oat milk"])
    let keys = try await pool.read { try String.fetchAll($0, sql: "SELECT id FROM reminders WHERE title = 'Oat milk'") }
    #expect(keys == [id.uuidString.lowercased()])
    let metadata = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sqlitedata_icloud_metadata") }
    #expect(metadata == 4)
    // An upsert of SQLiteData, and a deletion that cascades.
    try await pool.write { db in
      try db.execute(
        sql: """
          INSERT INTO "remindersLists" ("id", "title", "position") VALUES (?, 'House', NULL)
          ON CONFLICT ("id") DO UPDATE SET "title" = "excluded"."title"
          """, arguments: [reminder.remindersListID.uuidString.lowercased()])
    }
    await store.settled()
    #expect(Set(lists.elements.map(\.title)) == ["House", "Work"])
    try await pool.write { try $0.execute(sql: "DELETE FROM \"remindersLists\" WHERE \"title\" = 'House'") }
    await store.settled()
    #expect((lists.elements.map(\.title), open.value, deleted.value) == (["Work"], 0, 3))
  }

  /// The app's migrator and a store's own tables in one file, in both orders, and each again after the other.
  @Test(arguments: [true, false])
  func migrationsOfBothSides(_ migratorIsFirst: Bool) async throws {
    let pool = try pool()
    if migratorIsFirst { try migrator.migrate(pool) }
    var own = try Store(path: folder.path(), schema: [Sticker.self])
    if !migratorIsFirst { try migrator.migrate(pool) }
    try installTriggers(pool)
    let beside = try Store(pool, schema: [RemindersList.self, Reminder.self, Sticker.self], liveInterval: .zero)
    let stickers = beside.liveList(Sticker.order { $0.symbol })
    let lists = beside.liveList(RemindersList.order { $0.title })
    _ = (stickers.rows, lists.rows)
    try await beside.write("add") { try $0.insert(Sticker(id: UUID(), reminderID: UUID(), symbol: "*")) }
    try await pool.write { try $0.execute(sql: "INSERT INTO remindersLists (title) VALUES ('Home')") }
    await beside.settled()
    #expect(stickers.elements.map(\.symbol) == ["*"])
    #expect(lists.elements.map(\.title) == ["Home"])

    // The next version of the app: each side has one more step.
    try own.close()
    var next = migrator
    next.registerMigration("Add a column") { db in
      try db.execute(sql: "ALTER TABLE reminders ADD COLUMN flag INTEGER NOT NULL ON CONFLICT REPLACE DEFAULT 0")
    }
    try next.migrate(pool)
    own = try Store(path: folder.path(), schema: [Sticker.self])
    #expect(try await own.fetch(Sticker.query).count == 1)
    // GRDB compares the whole schema, so the option for development would erase the file.
    let (isCompleted, hasChanges) = try await pool.read { [next] db in
      (try next.hasCompletedMigrations(db), try next.hasSchemaChanges(db))
    }
    #expect(isCompleted && hasChanges)
  }
}
