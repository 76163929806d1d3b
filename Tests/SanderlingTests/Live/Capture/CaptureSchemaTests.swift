import GRDB
import Testing

@testable import Sanderling

/// Schema changes that the app makes while its tables are captured.
@Suite struct CaptureSchemaTests {
  func database() throws -> CapturedDatabase {
    let database = try CapturedDatabase(CaptureTests.table + "; INSERT INTO numberedRow VALUES (1, 'a', 2, NULL)")
    try #require(try database.install(NumberedRow.self).isEmpty)
    return database
  }

  let need = [CaptureNeed(table: RecordType(NumberedRow.self), columns: [1])]

  @Test(arguments: [
    "ALTER TABLE numberedRow ADD COLUMN z", "CREATE INDEX i ON numberedRow (x)", "CREATE TABLE other (x)",
    "CREATE TEMP TABLE numberedRow (x)",
    "CREATE TEMP TRIGGER t AFTER INSERT ON main.numberedRow BEGIN SELECT 1; END",
    "BEGIN; CREATE TABLE new AS SELECT * FROM numberedRow; DROP TABLE numberedRow; ALTER TABLE new RENAME TO numberedRow; COMMIT",
  ])
  func schemaChangesAreReported(sql: String) throws {
    let database = try database()
    #expect(!database.capture.hasPending)
    try database.run(sql)
    #expect(database.take().schemaChanged)
    // Until the capture is verified, each commit counts as a schema change.
    try database.run("UPDATE main.numberedRow SET x = 'b'")
    #expect(database.take().schemaChanged)
  }

  @Test func missingTriggerIsReported() throws {
    let database = try database()
    let name = try #require(
      try database.queue.inDatabase {
        try String.fetchOne($0, sql: "SELECT name FROM temp.sqlite_schema WHERE name LIKE '%\\_update' ESCAPE '\\'")
      })
    try database.run("DROP TRIGGER temp.\(name)")
    #expect(database.take().schemaChanged)
  }

  /// Temporary tables of the app, and another store's triggers, are no schema changes.
  @Test func otherTemporaryObjectsAreNoSchemaChange() throws {
    let database = try database()
    try database.run("CREATE TEMP TABLE other (x)")
    #expect(!database.take().schemaChanged)
    let other = try TestCapture(database.queue, requiresDeclaredCollations: false)
    try database.queue.inDatabase { _ = try other.install(need, on: $0) }
    try database.run("UPDATE numberedRow SET x = 'b'")
    let changes = database.take()
    #expect(!changes.schemaChanged && changes.tables.count == 1)
    #expect(other.take(through: other.lastCommit).tables.count == 1)
  }

  /// A backup into the open database removes the tables without their triggers, which then exist by name only.
  @Test func replacedFilesAreCapturedAgain() throws {
    let database = try database()
    let empty = try DatabaseQueue()
    try database.queue.inDatabase { db in
      try empty.inDatabase { try $0.backup(to: db) }
      try db.execute(sql: CaptureTests.table)
      #expect(try database.capture.verify(on: db).isEmpty)
    }
    _ = database.take()
    try database.run("INSERT INTO numberedRow (x) VALUES ('new')")
    #expect(database.taken(NumberedRow.self) == ["1: none"])
    // Each trigger's name exists once: no trigger is left that would fail once its columns are gone.
    #expect(
      try database.number("SELECT count(*) - count(DISTINCT name) FROM temp.sqlite_schema WHERE type = 'trigger'") == 0)
  }

  /// A released store leaves nothing on a connection that stays open.
  @Test func leavingRemovesAllTriggersAndFunctions() throws {
    let database = try database()
    database.queue.inDatabase { database.capture.onWriter($0).leave($0, of: database.queue) }
    #expect(try database.number("SELECT count(*) FROM temp.sqlite_schema") == 0)
    #expect(try database.number("SELECT count(*) FROM pragma_function_list WHERE name LIKE 'sanderling%'") == 0)
    try database.run("INSERT INTO numberedRow (x) VALUES ('new')")
    #expect(database.take().isEmpty)
  }

  @Test func installingIsNoSchemaChange() throws {
    let database = try database()
    try database.run("CREATE TABLE namedRow (name TEXT NOT NULL PRIMARY KEY, x, y, parent)")
    _ = database.take()
    try database.install(NamedRow.self)
    _ = database.take()
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(!database.take().schemaChanged)
    #expect(database.capture.covers(need))
  }

  @Test func verifyingMakesTriggersAgain() throws {
    let database = try database()
    try database.run(
      "BEGIN; CREATE TABLE new (id INTEGER PRIMARY KEY, x, y, parent, z UNIQUE); INSERT INTO new SELECT *, id FROM numberedRow; "
        + "DROP TABLE numberedRow; ALTER TABLE new RENAME TO numberedRow; COMMIT")
    #expect(try database.queue.inDatabase { try database.capture.verify(on: $0) }.isEmpty)
    #expect(database.take().schemaChanged)
    #expect(database.capture.covers(need))
    // The new index is considered, too.
    try database.run("REPLACE INTO numberedRow (x, z) VALUES ('b', 1)")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL", "2: none"])
  }

  @Test func verifyingReportsNewObstacles() throws {
    let database = try database()
    try database.run("CREATE UNIQUE INDEX i ON numberedRow (lower(x))")
    let obstacles = try database.queue.inDatabase { try database.capture.verify(on: $0) }
    #expect(obstacles.keys.map(\.table.name) == ["numberedRow"])
    #expect(!database.capture.covers(need))
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(database.take().tables.isEmpty)
  }

  @Test func renamedTablesAreNoLongerFollowed() throws {
    let database = try database()
    try database.run("ALTER TABLE numberedRow RENAME TO other")
    let obstacles = try database.queue.inDatabase { try database.capture.verify(on: $0) }
    #expect(obstacles.values.map(\.description) == ["the database has no such table"])
    #expect(try database.number("SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'") == 0)
  }

  @Test func columnsCanBeDroppedAfterUninstalling() throws {
    let database = try database()
    #expect(throws: DatabaseError.self) { try database.run("ALTER TABLE numberedRow DROP COLUMN x") }
    try database.queue.inDatabase { try database.capture.uninstall(keeping: [], on: $0) }
    #expect(!database.capture.covers(need))
    try database.run("ALTER TABLE numberedRow DROP COLUMN x")
    try database.run("DELETE FROM numberedRow")
    #expect(!database.capture.hasPending)
  }

  @Test func keptTablesStayInstalled() throws {
    let database = try database()
    let before = try database.number("PRAGMA temp.schema_version")
    try database.queue.inDatabase { try database.capture.uninstall(keeping: [RecordType(NumberedRow.self)], on: $0) }
    #expect(try database.install(NumberedRow.self).isEmpty)
    #expect(try database.number("PRAGMA temp.schema_version") == before)
    #expect(database.capture.covers(need))
  }

  @Test func installingCountsAsNoCommit() throws {
    let database = try CapturedDatabase(CaptureTests.table)
    let start = database.capture.lastCommit
    try database.install(NumberedRow.self)
    #expect(database.capture.lastCommit == start)
    try database.queue.inDatabase { try database.capture.uninstall(keeping: [], on: $0) }
    #expect(database.capture.lastCommit == start)
  }

  @Test func connectionsCloseWhileCaptured() throws {
    let database = try database()
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(throws: Never.self) { try database.queue.close() }
    #expect(database.queue.inDatabase { $0.sqliteConnection == nil })
  }
}
