import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The changes that ordinary statements leave in the capture.
@Suite struct CaptureTests {
  static let table = "CREATE TABLE numberedRow (id INTEGER PRIMARY KEY, x TEXT, y INTEGER, parent INTEGER)"

  func database(_ rows: String...) throws -> CapturedDatabase {
    let database = try CapturedDatabase(Self.table)
    for row in rows { try database.run("INSERT INTO numberedRow VALUES \(row)") }
    try #require(try database.install(NumberedRow.self).isEmpty)
    return database
  }

  @Test func updatesCaptureTheOldImage() throws {
    let database = try database("(1, 'a', 2, NULL)", "(2, 'b', 3, 1)")
    try database.run("UPDATE numberedRow SET x = 'c' WHERE id = 2")
    #expect(database.capture.hasPending)
    #expect(database.taken(NumberedRow.self) == ["2: 2, b, 3, 1"])
    #expect(!database.capture.hasPending)
    #expect(database.taken(NumberedRow.self) == [])
  }

  @Test func deletionsCaptureTheOldImages() throws {
    let database = try database("(1, 'a', 2, NULL)", "(2, 'b', 3, 1)")
    try database.run("DELETE FROM numberedRow")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL", "2: 2, b, 3, 1"])
  }

  @Test func insertionsCaptureTheKey() throws {
    let database = try database()
    try database.run("INSERT INTO numberedRow (x) VALUES ('a'), ('b')")
    #expect(database.taken(NumberedRow.self) == ["1: none", "2: none"])
  }

  @Test func oldImageIsThatBeforeTheFirstWrite() throws {
    let database = try database("(1, 'a', 2, NULL)")
    try database.run("UPDATE numberedRow SET x = 'b'")
    try database.run("BEGIN; UPDATE numberedRow SET x = 'c'; INSERT INTO numberedRow (x) VALUES ('new'); COMMIT")
    try database.run("DELETE FROM numberedRow")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL", "2: none"])
  }

  @Test func takingEndsAtTheGivenCommit() throws {
    let database = try database("(1, 'a', 2, NULL)")
    let start = database.capture.lastCommit
    try database.run("UPDATE numberedRow SET x = 'b'")
    try database.run("UPDATE numberedRow SET x = 'c'")
    try database.run("UPDATE numberedRow SET x = 'd'")
    #expect(database.capture.lastCommit == start + 3)
    let first = database.capture.take(through: start + 1)
    #expect(first.tables[RecordType(NumberedRow.self)]?.first?.old?.value(ofColumn: 1) == .text("a"))
    #expect(database.capture.hasPending)
    #expect(database.taken(NumberedRow.self) == ["1: 1, b, 2, NULL"])
  }

  @Test func rolledBackWritesKeepTheOldImage() throws {
    let database = try database("(1, 'a', 2, NULL)")
    try database.run("BEGIN; UPDATE numberedRow SET x = 'b'; ROLLBACK")
    #expect(!database.capture.hasPending)
    try database.run("BEGIN; SAVEPOINT s; UPDATE numberedRow SET x = 'b'; ROLLBACK TO s; COMMIT")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL"])
    #expect(throws: DatabaseError.self) { try database.run("INSERT INTO numberedRow (id) VALUES (9), (1)") }
    try database.run("UPDATE numberedRow SET x = 'c'")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL"])
  }

  @Test func emptyTransactionsCaptureNoRow() throws {
    let database = try database("(1, 'a', 2, NULL)")
    try database.run("BEGIN; COMMIT")
    try database.run("BEGIN; UPDATE numberedRow SET x = 'b' WHERE id = 9; COMMIT")
    #expect(!database.capture.hasPending)
  }

  /// GRDB doesn't tell its observers that a commit ended if the statement failed after changing rows.
  @Test func commitsOfFailingStatementsCompleteLater() throws {
    let database = try database("(1, 'a', 2, NULL)", "(3, 'c', 2, NULL)")
    let start = database.capture.lastCommit
    #expect(throws: DatabaseError.self) { try database.run("UPDATE OR FAIL numberedRow SET id = 3") }
    #expect(throws: DatabaseError.self) { try database.run("INSERT OR FAIL INTO numberedRow (id) VALUES (8), (3)") }
    #expect(try database.number("SELECT count(*) FROM numberedRow") == 3)
    #expect(database.capture.lastCommit == start)
    #expect(database.capture.sequence.confirm(database.capture.sequence.beginNaming()) == nil)
    #expect(database.taken(NumberedRow.self).contains("8: none"))
    #expect(database.capture.lastCommit == start + 1)
    #expect(database.capture.sequence.confirm(database.capture.sequence.beginNaming()) == start + 1)
  }

  @Test func rowsThatStatementsReturnAreCaptured() throws {
    let database = try database("(1, 'a', 2, NULL)", "(2, 'b', 3, NULL)")
    let returned = try database.queue.inDatabase {
      try String.fetchOne($0, sql: "UPDATE numberedRow SET x = x || 'c' RETURNING x")
    }
    #expect(returned == "ac")
    #expect(database.taken(NumberedRow.self) == ["1: 1, a, 2, NULL", "2: 2, b, 3, NULL"])
  }

  @Test func installingWaitsForNoOpenTransaction() throws {
    let database = try database()
    try database.run("BEGIN")
    #expect(throws: DatabaseError.self) { try database.install(NumberedRow.self) }
    try database.run("ROLLBACK")
  }

  @Test func onlyCommitsWithCapturedChangesAreCounted() throws {
    let database = try database("(1, 'a', 2, NULL)")
    try database.run("CREATE TABLE other (x)")
    _ = try database.queue.inDatabase { try database.capture.verify(on: $0) }
    _ = database.take()
    let counter = database.capture.counter
    let before = counter.count
    try database.run("INSERT INTO other VALUES (1)")
    #expect(counter.count == before)
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(counter.count == before + 1)
  }

  @Test func capturedColumnsAreAdded() throws {
    let database = try CapturedDatabase(Self.table + "; INSERT INTO numberedRow VALUES (1, 'a', 2, 3)")
    let type = RecordType(NumberedRow.self)
    func need(_ columns: Int...) -> [CaptureNeed] { [CaptureNeed(table: type, columns: Set(columns))] }
    #expect(!database.capture.covers(need()))
    try database.queue.inDatabase { _ = try database.capture.install(need(1), on: $0) }
    #expect(database.capture.covers(need(1)) && !database.capture.covers(need(2)))
    try database.run("UPDATE numberedRow SET x = 'b'")
    try database.queue.inDatabase { _ = try database.capture.install(need(2), on: $0) }
    #expect(database.capture.covers(need(1, 2)))
    // Row 1 was written before its second column was captured.
    #expect(database.taken(NumberedRow.self) == ["1: a"])
    try database.run("UPDATE numberedRow SET x = 'c'")
    let image = try #require(database.take().tables[type]?.first?.old)
    #expect(image.value(ofColumn: 1) == .text("b"))
    #expect(image.value(ofColumn: 2) == .integer(2))
    #expect(image.value(ofColumn: 3) == nil)
  }

  /// An update of any column captures the row's key, because the shown row must be read again.
  @Test func updatesOfOtherColumnsAreCaptured() throws {
    let database = try CapturedDatabase(Self.table + "; INSERT INTO numberedRow VALUES (1, 'a', 2, 3)")
    let need = CaptureNeed(table: RecordType(NumberedRow.self), columns: [])
    try database.queue.inDatabase { _ = try database.capture.install([need], on: $0) }
    try database.run("UPDATE numberedRow SET x = 'b'")
    #expect(database.taken(NumberedRow.self) == ["1: "])
  }

  @Test func capturedValuesAreExactToTheBit() throws {
    let database = try CapturedDatabase("CREATE TABLE numberedRow (id INTEGER PRIMARY KEY, x, y, parent)")
    let values = [
      "1", "1.0", "-0.0", "0.0", "NULL", "''", "x''", "'a' || char(0) || 'b'", "x'00ff'", "9223372036854775807",
    ]
    for (index, value) in values.enumerated() {
      try database.run("INSERT INTO numberedRow VALUES (\(index), \(value), 0, 0)")
    }
    try database.install(NumberedRow.self)
    try database.run("UPDATE numberedRow SET x = NULL")
    let table = try #require(database.take().tables[RecordType(NumberedRow.self)])
    #expect(
      table.map { $0.old?.value(ofColumn: 1) } == [
        .integer(1), .real(1), .real(-0.0), .real(0), .null, .text(""), .blob(.init()), .text("a\0b"),
        .blob(.init([0, 255])), .integer(.max),
      ])
  }

  @Test func captureDoesNotAlterTheAppsChangeCounts() throws {
    let captured = try database("(1, 'a', 2, NULL)", "(2, 'b', 3, 1)")
    let plain = try CapturedDatabase(
      Self.table + "; INSERT INTO numberedRow VALUES (1, 'a', 2, NULL); INSERT INTO numberedRow VALUES (2, 'b', 3, 1)")
    let statements = [
      "INSERT INTO numberedRow (x) VALUES ('c'), ('d')", "UPDATE numberedRow SET y = 1 WHERE id > 1",
      "REPLACE INTO numberedRow (id) VALUES (1)", "INSERT OR IGNORE INTO numberedRow (id) VALUES (1)",
      "INSERT INTO numberedRow (id) VALUES (2) ON CONFLICT DO UPDATE SET y = 9", "DELETE FROM numberedRow WHERE id = 2",
      "DELETE FROM numberedRow",
    ]
    for statement in statements {
      let seen = try [captured, plain].map { database in
        try database.run(statement)
        return database.queue.inDatabase { [$0.changesCount, $0.totalChangesCount, Int($0.lastInsertedRowID)] }
      }
      #expect(seen[0] == seen[1], "\(statement)")
    }
    #expect(try captured.number("PRAGMA recursive_triggers") == 0)
  }
}
