import GRDB
import Testing

@testable import Sanderling

/// The tables that statements may have written, for queries that are rerun after writes to them.
@Suite struct TouchedTablesTests {
  func database(following tables: Set<String>) throws -> CapturedDatabase {
    let database = try CapturedDatabase(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE Parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent REFERENCES Parent(id) ON DELETE CASCADE);
      CREATE TABLE plain (name TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TABLE audit (x);
      CREATE TRIGGER t AFTER INSERT ON plain BEGIN INSERT INTO audit VALUES (NEW.name); END;
      INSERT INTO Parent VALUES (1); INSERT INTO child VALUES (1, 1);
      """)
    database.capture.follow(tables: tables)
    return database
  }

  @Test(
    arguments: [
      ("INSERT INTO parent VALUES (2)", ["parent"]),
      ("INSERT INTO child VALUES (2, 1)", ["child"]),
      ("DELETE FROM Parent", ["child", "parent"]),
      ("INSERT INTO plain VALUES ('a')", ["audit", "plain"]),
      ("UPDATE plain SET name = 'b'", ["plain"]),
      ("DELETE FROM plain", ["plain"]),
      ("DELETE FROM audit", ["audit"]),
      ("BEGIN; DELETE FROM audit; COMMIT", ["audit"]),
      ("BEGIN; DELETE FROM audit; ROLLBACK", []),
      ("CREATE TABLE other (x)", [TouchedTables.schema]),
      ("ALTER TABLE plain RENAME TO simple", [TouchedTables.schema]),
      ("CREATE TABLE other (x); DROP TABLE other", [TouchedTables.schema]),
      ("BEGIN; CREATE TABLE other (x); ROLLBACK", []),
      ("SELECT * FROM child", []),
    ] as [(String, Set<String>)])
  func tables(sql: String, expected: Set<String>) throws {
    let database = try database(following: ["PARENT", "child", "plain", "audit"])
    try database.run(sql)
    #expect(database.take().touchedTables == expected)
    #expect(!database.capture.hasPending)
  }

  @Test func onlyFollowedTablesAreReported() throws {
    let database = try database(following: ["child"])
    try database.run("INSERT INTO plain VALUES ('a')")
    #expect(!database.capture.hasPending)
    database.capture.follow(tables: ["plain"])
    try database.run("INSERT INTO plain VALUES ('b')")
    #expect(database.take().touchedTables == ["plain"])
    database.capture.follow(tables: [])
    try database.run("INSERT INTO plain VALUES ('c')")
    #expect(!database.capture.hasPending)
  }

  /// The app can notify GRDB of writes that GRDB doesn't notice. The notification counts as a write.
  @Test func notifiedChangesCount() throws {
    let database = try database(following: ["parent", "child"])
    try database.queue.write { try $0.notifyChanges(in: Table("Parent")) }
    #expect(database.take().touchedTables == ["parent"])
    try database.queue.write { try $0.notifyChanges(in: .fullDatabase) }
    #expect(database.take().touchedTables == ["parent", "child"])
  }
}
