import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Changes made by the app's own triggers and foreign keys.
@Suite struct CaptureTriggerTests {
  /// The capture records rows as they were before the app's triggers changed them. SQLite's documentation doesn't
  /// promise this order.
  @Test func captureRunsBeforeTheAppsTriggers() throws {
    let database = try CapturedDatabase(
      CaptureTests.table + """
        ; CREATE TRIGGER a BEFORE UPDATE ON numberedRow BEGIN UPDATE numberedRow SET y = y + 100 WHERE id = OLD.id + 1; END
        ; CREATE TRIGGER b AFTER INSERT ON numberedRow BEGIN UPDATE numberedRow SET x = 'b' WHERE id = NEW.id; END
        ; CREATE TRIGGER c BEFORE DELETE ON numberedRow BEGIN UPDATE numberedRow SET x = 'c' WHERE id = OLD.id; END
        """)
    try database.install(NumberedRow.self)
    try database.run("INSERT INTO numberedRow (x, y) VALUES ('1', 1), ('2', 2)")
    #expect(database.taken(NumberedRow.self) == ["1: none", "2: none"])
    try database.run("UPDATE numberedRow SET y = 0 WHERE id = 1")
    #expect(database.taken(NumberedRow.self) == ["1: 1, b, 1, NULL", "2: 2, b, 2, NULL"])
    try database.run("DELETE FROM numberedRow WHERE id = 2")
    #expect(database.taken(NumberedRow.self) == ["2: 2, b, 102, NULL"])
  }

  /// An update trigger that writes its own table runs once. If capture turned recursive triggers on, it would fail with
  /// "too many levels of trigger recursion".
  @Test func touchTriggersRunAsBefore() throws {
    let database = try CapturedDatabase(
      CaptureTests.table + """
        ; INSERT INTO numberedRow VALUES (1, 'a', 1, NULL)
        ; CREATE TRIGGER t AFTER UPDATE ON numberedRow BEGIN UPDATE numberedRow SET y = y + 1 WHERE id = NEW.id; END
        """)
    try database.install(NumberedRow.self)
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 1, NULL"])
    #expect(try database.number("SELECT y FROM numberedRow") == 2)
  }

  @Test func foreignKeyActionsAreCaptured() throws {
    let database = try CapturedDatabase(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE numberedRow (id INTEGER PRIMARY KEY, x, y, parent REFERENCES numberedRow(id) ON DELETE CASCADE);
      CREATE TABLE namedRow (name TEXT NOT NULL PRIMARY KEY, x, y, parent REFERENCES numberedRow(id) ON DELETE SET NULL)
        WITHOUT ROWID;
      INSERT INTO numberedRow (id, parent) VALUES (1, NULL), (2, 1), (3, 2);
      INSERT INTO namedRow (name, parent) VALUES ('a', 3);
      """)
    try database.install(NumberedRow.self, NamedRow.self)
    try database.run("REPLACE INTO numberedRow (id, x) VALUES (1, 'new')")
    let changes = database.take()
    #expect(Set(changes.tables[RecordType(NumberedRow.self)]?.map { "\($0.key)" } ?? []) == ["1", "2", "3"])
    #expect(changes.tables[RecordType(NamedRow.self)]?.first?.old?.value(ofColumn: 3) == .integer(3))
  }

  @Test func lookupsUseTheIndexes() throws {
    let database = try CapturedDatabase(
      "CREATE TABLE namedRow (name TEXT COLLATE NOCASE NOT NULL PRIMARY KEY, x UNIQUE, y, parent, UNIQUE (y, x))")
    try database.install(NamedRow.self)
    let triggers = try database.queue.inDatabase { db in
      try String.fetchAll(db, sql: "SELECT sql FROM temp.sqlite_schema WHERE type = 'trigger'")
    }
    let lookups = triggers.flatMap { $0.components(separatedBy: ";") }.compactMap { step in
      step.range(of: "SELECT").map { String(step[$0.lowerBound...]) }
    }.filter { $0.contains(" FROM ") }
    // An insertion has four lookups, one of them by the rowid. An update has one for each key that it sets.
    #expect(lookups.count == 8)
    for lookup in lookups {
      let sql = lookup.replacing(/(NEW|OLD)\."\w+"/, with: "?1")
      let plan = try database.queue.inDatabase { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: [1]).map { $0["detail"] as String }
      }
      #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH existing USING"), "\(lookup): \(plan)")
    }
  }
}
