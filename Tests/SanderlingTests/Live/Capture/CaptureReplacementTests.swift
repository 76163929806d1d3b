import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Rows that are removed without a DELETE, and rows whose keys change.
@Suite struct CaptureReplacementTests {
  func named(_ definition: String = "name TEXT NOT NULL PRIMARY KEY, x, y, parent", rows: String...) throws
    -> CapturedDatabase
  {
    let database = try CapturedDatabase("CREATE TABLE namedRow (\(definition))")
    for row in rows { try database.run("INSERT INTO namedRow (name, x, y, parent) VALUES \(row)") }
    try #require(try database.install(NamedRow.self).isEmpty)
    return database
  }

  @Test func replacingByThePrimaryKey() throws {
    let database = try named(rows: "('a', 1, 2, 3)")
    try database.run("REPLACE INTO namedRow (name) VALUES ('a')")
    #expect(database.taken(NamedRow.self) == ["a: a, 1, 2, 3"])
  }

  @Test func replacingByAnotherUniqueKey() throws {
    let database = try named(
      "name TEXT NOT NULL PRIMARY KEY, x TEXT, y, parent, UNIQUE (y, x COLLATE NOCASE)", rows: "('a', 'é B', 2, 3)",
      "('b', 'é B', 3, 3)")
    try database.run("REPLACE INTO namedRow (name, x, y) VALUES ('c', 'é b', 2)")
    #expect(database.taken(NamedRow.self) == ["a: a, é B, 2, 3", "c: none"])
    try database.run("UPDATE OR REPLACE namedRow SET y = 2 WHERE name = 'b'")
    #expect(Set(database.taken(NamedRow.self)) == ["b: b, é B, 3, 3", "c: c, é b, 2, NULL"])
  }

  @Test func replacingByAPartialUniqueIndex() throws {
    let database = try CapturedDatabase(
      """
      CREATE TABLE namedRow (name TEXT NOT NULL PRIMARY KEY, x TEXT, y, parent);
      CREATE UNIQUE INDEX live ON "namedRow" (x COLLATE NOCASE) WHERE y IS NULL AND "parent" <> 'no';
      INSERT INTO namedRow VALUES ('a', 'k', NULL, 1), ('b', 'k', 1, 1), ('c', 'k', NULL, 'no'), ('d', 'z', NULL, 1)
      """)
    try #require(try database.install(NamedRow.self).isEmpty)
    try database.run("REPLACE INTO namedRow VALUES ('e', 'K', NULL, 2)")
    #expect(database.taken(NamedRow.self) == ["a: a, k, NULL, 1", "e: none"])
    // A key that replaced no row is captured too: reading it again shows that it is unchanged.
    try database.run("REPLACE INTO namedRow VALUES ('f', 'k', 5, 2)")
    #expect(Set(database.taken(NamedRow.self)) == ["e: e, K, NULL, 2", "f: none"])
    // The columns of the index's condition decide, too.
    try database.run("UPDATE OR REPLACE namedRow SET y = NULL WHERE name = 'b'")
    #expect(Set(database.taken(NamedRow.self)) == ["b: b, k, 1, 1", "e: e, K, NULL, 2"])
    try database.run("UPDATE OR REPLACE namedRow SET parent = 'yes' WHERE name = 'c'")
    #expect(Set(database.taken(NamedRow.self)) == ["b: b, k, NULL, 1", "c: c, k, NULL, no"])
    try database.run("UPDATE namedRow SET y = 1 WHERE name = 'd'")
    #expect(database.taken(NamedRow.self) == ["d: d, z, NULL, 1"])
    #expect(try database.number("SELECT count(*) FROM namedRow") == 3)
  }

  @Test func replacingByAnEqualKeyWithOtherLetters() throws {
    let database = try named("name TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, x, y, parent", rows: "('A', 1, 2, 3)")
    try database.run("REPLACE INTO namedRow (name) VALUES ('a')")
    #expect(database.taken(NamedRow.self) == ["A: A, 1, 2, 3", "a: none"])
    try database.run("UPDATE namedRow SET name = 'A'")
    #expect(Set(database.taken(NamedRow.self)) == ["a: a, NULL, NULL, NULL", "A: none"])
  }

  /// BEFORE triggers see NULL where INSERT OR REPLACE then stores the column's default.
  @Test func replacingByADefaultInPlaceOfNull() throws {
    let database = try named(
      "name TEXT NOT NULL PRIMARY KEY DEFAULT 'd', x NOT NULL UNIQUE DEFAULT (1 + 1), y, parent",
      rows: "('d', 1, 0, 0)", "('e', 2, 0, 0)", "('f', 3, 0, 0)")
    try database.run("REPLACE INTO namedRow (name, x) VALUES (NULL, NULL)")
    #expect(Set(database.taken(NamedRow.self)) == ["d: d, 1, 0, 0", "e: e, 2, 0, 0"])
    try database.run("UPDATE OR REPLACE namedRow SET x = NULL WHERE name = 'f'")
    #expect(Set(database.taken(NamedRow.self)) == ["d: d, 2, NULL, NULL", "f: f, 3, 0, 0"])
    try database.run("UPDATE OR REPLACE namedRow SET name = NULL")
    #expect(Set(database.taken(NamedRow.self)) == ["d: none", "f: f, 2, 0, 0"])
  }

  @Test func replacingByTheRowID() throws {
    let database = try named(rows: "('a', 1, 2, 3)", "('b', 1, 2, 3)")
    try database.run("REPLACE INTO namedRow (oid, name) VALUES (1, 'c')")
    #expect(Set(database.taken(NamedRow.self)) == ["a: a, 1, 2, 3", "c: none"])
    try database.run("UPDATE OR REPLACE namedRow SET _rowid_ = 1 WHERE name = 'b'")
    #expect(Set(database.taken(NamedRow.self)) == ["b: b, 1, 2, 3", "c: c, NULL, NULL, NULL"])
  }

  @Test func changedKeysLeaveBoth() throws {
    let database = try named(rows: "('a', 1, 2, 3)", "('b', 4, 5, 6)")
    try database.run("UPDATE OR REPLACE namedRow SET name = 'b' WHERE name = 'a'")
    #expect(Set(database.taken(NamedRow.self)) == ["a: a, 1, 2, 3", "b: b, 4, 5, 6"])
    try database.run("UPDATE namedRow SET name = name || 'c'")
    #expect(Set(database.taken(NamedRow.self)) == ["b: b, 1, 2, 3", "bc: none"])
  }

  @Test(arguments: ["id", "rowid", "oid", "_ROWID_"])
  func changedAssignedKeysLeaveBoth(name: String) throws {
    let database = try CapturedDatabase(
      CaptureTests.table + "; INSERT INTO numberedRow (id, x) VALUES (1, 'a'), (2, 'b')")
    try database.install(NumberedRow.self)
    try database.run("UPDATE OR REPLACE numberedRow SET \(name) = '2' WHERE id = 1")
    #expect(Set(database.taken(NumberedRow.self)) == ["1: 1, a, NULL, NULL", "2: 2, b, NULL, NULL"])
    try database.run("UPDATE numberedRow SET \(name) = 7")
    #expect(Set(database.taken(NumberedRow.self)) == ["2: 2, a, NULL, NULL", "7: none"])
  }

  @Test func conflictsThatUpdate() throws {
    let database = try named(rows: "('a', 1, 2, 3)")
    try database.run("INSERT INTO namedRow (name) VALUES ('a'), ('b') ON CONFLICT (name) DO UPDATE SET x = 9")
    #expect(database.taken(NamedRow.self) == ["a: a, 1, 2, 3", "b: none"])
  }

  @Test func keysThatSQLiteMakesUp() throws {
    let database = try CapturedDatabase(
      "CREATE TABLE blobRow (id BLOB NOT NULL PRIMARY KEY DEFAULT (randomblob(16)), x, y, parent)")
    try database.install(BlobRow.self)
    try database.run(
      "INSERT INTO blobRow (x) VALUES (1); INSERT INTO blobRow VALUES (randomblob(16), 2, 3, 4); "
        + "INSERT INTO blobRow (id) SELECT randomblob(16)")
    let keys = Set(database.take().tables[RecordType(BlobRow.self)]?.map { "\($0.key)" } ?? [])
    let stored = try database.queue.inDatabase { try String.fetchSet($0, sql: "SELECT quote(id) FROM blobRow") }
    #expect(stored.count == 3 && keys.isSuperset(of: stored))
  }

  /// A key with NULL doesn't identify a row, so that the table counts as overflowed.
  @Test func keysWithNullReloadTheTable() throws {
    let database = try named("name TEXT PRIMARY KEY, x, y, parent")
    try database.run("INSERT INTO namedRow VALUES (NULL, 1, 2, 3), ('a', 1, 2, 3)")
    let changes = database.take()
    #expect(changes.overflowed == [RecordType(NamedRow.self)])
    #expect(changes.tables.isEmpty)
  }

  @Test func keysWithInvalidUTF8ReloadTheTable() throws {
    let database = try named()
    try database.run("INSERT INTO namedRow (name) VALUES (CAST(x'ff' AS TEXT))")
    #expect(database.take().overflowed == [RecordType(NamedRow.self)])
  }
}
