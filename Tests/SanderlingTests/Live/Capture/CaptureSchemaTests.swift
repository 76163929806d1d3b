import GRDB
import Testing

@testable import Sanderling

/// Schema changes of the app's own, while its tables are captured.
@Suite struct CaptureSchemaTests {
  func database() throws -> CapturedDatabase {
    let database = try CapturedDatabase(CaptureTests.table + "; INSERT INTO numberedRow VALUES (1, 'a', 2, NULL)")
    try #require(try database.install(NumberedRow.self).isEmpty)
    return database
  }

  let need = [CaptureNeed(table: RecordType(NumberedRow.self), columns: [1])]

  @Test(arguments: [
    "ALTER TABLE numberedRow ADD COLUMN z", "CREATE INDEX i ON numberedRow (x)", "CREATE TABLE other (x)",
    "CREATE TEMP TABLE other (x)", "DROP TRIGGER temp.sanderling_capture_1_update",
    "BEGIN; CREATE TABLE new AS SELECT * FROM numberedRow; DROP TABLE numberedRow; ALTER TABLE new RENAME TO numberedRow; COMMIT",
  ])
  func changesAreTold(sql: String) throws {
    let database = try database()
    #expect(!database.capture.hasPending)
    try database.run(sql)
    // Until it was looked after, nothing is certain.
    #expect(!database.capture.covers(need))
    #expect(database.take().schemaChanged)
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(database.take().schemaChanged)
  }

  @Test func installingIsNoChange() throws {
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
    // The new index counts too.
    try database.run("REPLACE INTO numberedRow (x, z) VALUES ('b', 1)")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL", "2: none"])
  }

  @Test func verifyingTellsWhatIsInTheWayNow() throws {
    let database = try database()
    try database.run("CREATE UNIQUE INDEX i ON numberedRow (lower(x))")
    let obstacles = try database.queue.inDatabase { try database.capture.verify(on: $0) }
    #expect(obstacles.keys.map(\.table.name) == ["numberedRow"])
    #expect(!database.capture.covers(need))
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(database.take().tables.isEmpty)
  }

  @Test func renamedTablesAreFollowedNoMore() throws {
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
    try database.queue.close()
  }
}
