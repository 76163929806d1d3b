import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Tables that can't be captured, and the reasons that users read.
@Suite struct CaptureObstacleTests {
  static let key = "name TEXT NOT NULL PRIMARY KEY, x, y, parent"

  @Test(arguments: [
    ("CREATE TABLE other (x)", "the database has no such table"),
    ("CREATE VIEW namedRow AS SELECT 1 AS name, 2 AS x, 3 AS y, 4 AS parent", "it is a view"),
    ("CREATE VIRTUAL TABLE namedRow USING fts5 (name, x, y, parent)", "it is a virtual table"),
    ("CREATE TABLE namedRow (name TEXT NOT NULL PRIMARY KEY, x, y)", "it has no column \"parent\""),
    (
      "CREATE TABLE namedRow (name TEXT NOT NULL, x, y, parent)", "the columns of the record's key have no unique index"
    ),
    (
      "CREATE TABLE namedRow (\(key), z AS (x + 1)); CREATE UNIQUE INDEX u ON namedRow (x) WHERE z > 1",
      "its unique index \"u\" has a condition on a generated column or the rowid, so that replaced rows can't be found"
    ),
    (
      "CREATE TABLE namedRow (\(key)); CREATE UNIQUE INDEX u ON namedRow (x) WHERE _rowid_ > 1",
      "its unique index \"u\" has a condition on a generated column or the rowid, so that replaced rows can't be found"
    ),
    (
      "CREATE TABLE namedRow (\(key)); CREATE UNIQUE INDEX u ON namedRow (lower(x))",
      "its unique index \"u\" is on an expression or a generated column, so that replaced rows can't be found"
    ),
    (
      "CREATE TABLE namedRow (\(key), z AS (x || y) UNIQUE)",
      "its unique index \"sqlite_autoindex_namedRow_2\" is on an expression or a generated column, "
        + "so that replaced rows can't be found"
    ),
    (
      "CREATE TABLE namedRow (\(key)); CREATE TEMP TABLE namedRow (x)",
      "a temporary table or view has the same name and hides it"
    ),
    (
      "PRAGMA encoding = 'UTF-16'; CREATE TABLE namedRow (\(key))", "the database's texts are not UTF-8"
    ),
  ])
  func obstacles(sql: String, reason: String) throws {
    let database = try CapturedDatabase(sql)
    #expect(try database.install(NamedRow.self) == ["namedRow": reason])
    #expect(!database.capture.covers([CaptureNeed(table: RecordType(NamedRow.self), columns: [])]))
    #expect(try database.number("SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger'") == 0)
  }

  /// A temporary trigger of the app may run before the library's triggers, and update the row that was just inserted.
  @Test func temporaryTriggersOfTheApp() throws {
    let trigger = "CREATE TEMP TRIGGER mine AFTER INSERT ON numberedRow BEGIN UPDATE numberedRow SET x = 1; END"
    let database = try CapturedDatabase(CaptureTests.table + "; " + trigger)
    #expect(
      try database.install(NumberedRow.self) == [
        "numberedRow":
          "the app has a temporary trigger on it, which may run before the key of an inserted row is captured"
      ])
    // Keys that are known before the insertion are captured first, whatever the order of triggers.
    try database.run(
      "CREATE TABLE namedRow (\(Self.key)); \(trigger.replacing("numberedRow", with: "namedRow").replacing("mine", with: "my"))"
    )
    #expect(try database.install(NamedRow.self).isEmpty)
    try database.run("INSERT INTO namedRow (name) VALUES ('a')")
    #expect(database.taken(NamedRow.self) == ["a: none"])
  }

  @Test func otherTablesAreStillCaptured() throws {
    let database = try CapturedDatabase(CaptureTests.table)
    #expect(try database.install(NumberedRow.self, NamedRow.self).keys.sorted() == ["namedRow"])
    #expect(database.capture.covers([CaptureNeed(table: RecordType(NumberedRow.self), columns: [1])]))
  }
}
