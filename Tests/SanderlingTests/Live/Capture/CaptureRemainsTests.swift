import GRDB
import Testing

@testable import Sanderling

/// Triggers and functions that a store could not remove when it left a connection do no harm, and are removed as soon
/// as possible.
@Suite struct CaptureRemainsTests {
  private func database() throws -> CapturedDatabase {
    let database = try CapturedDatabase(CaptureTests.table + "; INSERT INTO numberedRow VALUES (1, 'a', 2, NULL)")
    try #require(try database.install(NumberedRow.self).isEmpty)
    return database
  }

  private func leave(_ capture: TestCapture, _ database: CapturedDatabase) {
    database.queue.inDatabase { capture.onWriter($0).leave($0, of: database.queue) }
  }

  /// Returns the number of triggers and functions that are left. It is read in a new access to the writer, after the
  /// previous access ended.
  private func remains(_ database: CapturedDatabase) throws -> Int {
    try triggerCount(database) + functionCount(database)
  }

  private func triggerCount(_ database: CapturedDatabase) throws -> Int {
    try database.number("SELECT count(*) FROM temp.sqlite_schema WHERE name LIKE 'sanderling%'")
  }

  private func functionCount(_ database: CapturedDatabase) throws -> Int {
    try database.number("SELECT count(*) FROM pragma_function_list WHERE name LIKE 'sanderling_capture%'")
  }

  @Test(arguments: ["COMMIT", "ROLLBACK"])
  func aTransactionIsOpen(_ end: String) throws {
    let database = try database()
    try database.run("BEGIN; UPDATE numberedRow SET x = 'b'")
    leave(database.capture, database)
    try database.run("UPDATE numberedRow SET x = 'c'")
    #expect(try remains(database) > 0)
    try database.run(end)
    #expect(try remains(database) == 0)
    #expect(try database.number("SELECT x = '\(end == "COMMIT" ? "c" : "a")' FROM numberedRow") == 1)
    #expect(!database.capture.hasPending)
  }

  /// Makes a store leave a connection while the connection is read-only.
  private func leaveReadOnly(_ capture: TestCapture, _ database: CapturedDatabase) throws {
    try database.run("PRAGMA query_only = 1")
    leave(capture, database)
    // The next write makes the next attempt to remove the objects.
    try database.run("PRAGMA query_only = 0")
    try #require(try triggerCount(database) > 0)
    try #require(try functionCount(database) > 0)
  }

  @Test func theConnectionIsReadOnlyForAWhile() throws {
    let database = try database()
    try leaveReadOnly(database.capture, database)
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(try remains(database) == 0)
    try database.run("UPDATE numberedRow SET x = 'c'")
    #expect(!database.capture.hasPending)
  }

  @Test func aStatementIsNotAtItsEnd() throws {
    let database = try database()
    try database.queue.inDatabase { db in
      let rows = try Row.fetchCursor(db, sql: "SELECT * FROM numberedRow")
      _ = try rows.next()
      database.capture.onWriter(db).leave(db, of: database.queue)
    }
    // The triggers are removed. SQLite keeps the function as long as any statement runs.
    #expect(try triggerCount(database) == 0)
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(try remains(database) == 0)
  }

  @Test(arguments: [true, false])
  func aMigrationThatDropsAColumn(inTransaction: Bool) throws {
    let database = try database()
    try leaveReadOnly(database.capture, database)
    if inTransaction { try database.run("BEGIN IMMEDIATE") }
    try database.run("ALTER TABLE numberedRow DROP COLUMN x")
    if inTransaction { try database.run("COMMIT") }
    #expect(try remains(database) == 0)
    try database.run("UPDATE numberedRow SET y = 3")
  }

  /// A rollback restores the triggers that the transaction dropped. Their function still exists then.
  @Test func rolledBackMigrationRestoresTheTriggers() throws {
    let database = try database()
    try leaveReadOnly(database.capture, database)
    try database.run("BEGIN IMMEDIATE; ALTER TABLE numberedRow DROP COLUMN x; ROLLBACK")
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(try remains(database) == 0)
    try database.run("ALTER TABLE numberedRow DROP COLUMN x")
  }

  @Test(arguments: [
    "ALTER TABLE numberedRow RENAME TO other", "ALTER TABLE numberedRow RENAME COLUMN x TO z",
    "ALTER TABLE numberedRow ADD COLUMN z", "DROP TABLE numberedRow",
    "BEGIN; CREATE TABLE new AS SELECT * FROM numberedRow; DROP TABLE numberedRow; ALTER TABLE new RENAME TO numberedRow; COMMIT",
  ])
  func otherChangesOfTheSchema(_ sql: String) throws {
    let database = try database()
    try leaveReadOnly(database.capture, database)
    try database.run(sql)
    try database.run("CREATE TABLE last (x); INSERT INTO last VALUES (1)")
    #expect(try remains(database) == 0)
  }

  /// Replacing the database drops the tables without their triggers. The triggers then exist by name only, and belong
  /// to the new tables once SQLite reads the schema.
  @Test func theDatabaseIsReplaced() throws {
    let database = try database()
    try leaveReadOnly(database.capture, database)
    let empty = try DatabaseQueue()
    try database.queue.inDatabase { db in try empty.inDatabase { try $0.backup(to: db) } }
    try database.run("CREATE TABLE other (x)")
    #expect(try remains(database) == 0)
    try database.run("CREATE TABLE numberedRow (id INTEGER PRIMARY KEY); INSERT INTO numberedRow VALUES (1)")
    #expect(try remains(database) == 0)
  }

  /// Two stores leave the connection, and a third stays.
  @Test func severalStoresOnOneConnection() throws {
    let database = try database()
    let others = try (0..<2).map { _ in try TestCapture(database.queue, requiresDeclaredCollations: false) }
    let need = CaptureNeed(table: RecordType(NumberedRow.self), columns: [1])
    for other in others { try database.queue.inDatabase { _ = try other.install([need], on: $0) } }
    try database.run("PRAGMA query_only = 1")
    leave(database.capture, database)
    leave(others[0], database)
    try database.run("PRAGMA query_only = 0")
    let commit = others[1].lastCommit
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(try functionCount(database) == 1)
    // The commit that removes another store's objects changes no rows.
    _ = try database.number("SELECT 1")
    let last = others[1].lastCommit
    #expect(last > commit)
    #expect(others[1].take(through: last).tables.count == 1)
    try database.run("UPDATE numberedRow SET x = 'c'")
    #expect(try functionCount(database) == 1)
    leave(others[1], database)
    #expect(try remains(database) == 0)
  }

  /// The connection closes with the objects, and after the write that has them removed.
  @Test(arguments: [false, true]) func theConnectionIsClosed(writesBefore: Bool) throws {
    let database = try database()
    try leaveReadOnly(database.capture, database)
    if writesBefore { try database.run("UPDATE numberedRow SET x = 'b'") }
    #expect(throws: Never.self) { try database.queue.close() }
    #expect(database.queue.inDatabase { $0.sqliteConnection == nil })
  }

  /// Triggers that SQLite kept when a table's capture was forgotten are removed with the next goal.
  @Test func unknownTriggersAreRemoved() throws {
    let database = try database()
    let name = try #require(
      try database.queue.inDatabase { try String.fetchOne($0, sql: "SELECT name FROM temp.sqlite_schema ORDER BY 1") })
    // One trigger of the table is missing, and the other triggers can't be replaced.
    try database.run("DROP TRIGGER temp.\(name); PRAGMA query_only = 1")
    #expect(throws: DatabaseError.self) { try database.queue.inDatabase { try database.capture.verify(on: $0) } }
    try database.run("PRAGMA query_only = 0")
    try database.queue.inDatabase { try database.capture.uninstall(keeping: [], on: $0) }
    #expect(try triggerCount(database) == 0)
  }
}
