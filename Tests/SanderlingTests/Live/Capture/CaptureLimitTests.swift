import GRDB
import Testing

@testable import Sanderling

/// Transactions with more changes than the capture keeps.
@Suite struct CaptureLimitTests {
  let numbered = RecordType(NumberedRow.self)
  let named = RecordType(NamedRow.self)

  func database() throws -> (DatabaseQueue, TestCapture) {
    let queue = try DatabaseQueue()
    let capture = try TestCapture(queue, limit: 4096)
    try queue.inDatabase { db in
      try db.execute(sql: CaptureTests.table)
      try db.execute(sql: "CREATE TABLE namedRow (name TEXT NOT NULL PRIMARY KEY, x, y, parent)")
      _ = try capture.install([numbered, named].map { CaptureNeed(table: $0, columns: [1]) }, on: db)
    }
    return (queue, capture)
  }

  static let thousand =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO numberedRow (x) SELECT i FROM n"

  @Test func largeTransactionOverflowsOnlyItsTable() throws {
    let (queue, capture) = try database()
    try queue.write { db in
      try db.execute(sql: Self.thousand)
      try db.execute(sql: "INSERT INTO namedRow (name) VALUES ('a')")
    }
    var changes = capture.take(through: capture.lastCommit)
    #expect(changes.overflowed == [numbered])
    // The changes of the table that was written after the overflow are complete.
    #expect(changes.tables[named]?.count == 1 && changes.tables[numbered] == nil)
    // The next transaction is captured as usual.
    try queue.write { try $0.execute(sql: "DELETE FROM numberedRow WHERE id = 1") }
    changes = capture.take(through: capture.lastCommit)
    #expect(changes.overflowed.isEmpty && changes.tables[numbered]?.count == 1)
  }

  @Test func rolledBackTransactionsDoNotOverflow() throws {
    let (queue, capture) = try database()
    try queue.inDatabase { try $0.execute(sql: "BEGIN; \(Self.thousand); ROLLBACK") }
    #expect(!capture.hasPending)
  }

  @Test func manyTransactions() throws {
    let (queue, capture) = try database()
    let start = capture.lastCommit
    try queue.inDatabase { db in
      for _ in 0..<1000 { try db.execute(sql: "INSERT INTO numberedRow (x) VALUES ('a')") }
      try db.execute(sql: "INSERT INTO namedRow (name) VALUES ('a')")
    }
    // A snapshot in the middle reports the overflow. Later snapshots report it again.
    #expect(capture.take(through: start + 1).overflowed == [numbered])
    #expect(capture.take(through: start + 500).overflowed == [numbered])
    let changes = capture.take(through: capture.lastCommit)
    #expect(changes.overflowed == [numbered])
    #expect(changes.tables[named]?.count == 1)
    #expect(!capture.hasPending)
  }

  @Test func valueLargerThanTheLimitOverflows() throws {
    let (queue, capture) = try database()
    try queue.write { try $0.execute(sql: "INSERT INTO namedRow VALUES ('a', zeroblob(5000), 0, 0)") }
    _ = capture.take(through: capture.lastCommit)
    try queue.write { try $0.execute(sql: "UPDATE namedRow SET x = NULL") }
    #expect(capture.take(through: capture.lastCommit).overflowed == [named])
  }
}
