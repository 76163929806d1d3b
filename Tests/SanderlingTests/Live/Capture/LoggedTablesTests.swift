import Foundation
import GRDB
import SanderlingSQLite
import Testing

@testable import Sanderling

/// The tables that other connections wrote, as the pages of the log tell.
@Suite struct LoggedTablesTests {
  private let folder = TemporaryFolder()

  private static let tables: Set = ["plain", "texts", "keyed", "rowless"]

  /// A connection that watches, and one that writes. The tables have b-trees of several levels.
  private func opened(pageSize: Int = 512) throws -> (watching: DatabasePool, writing: DatabasePool) {
    let path = folder.path("written-\(pageSize).sqlite")
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(pageSize); PRAGMA synchronous = OFF") }
    let writing = try DatabasePool(path: path, configuration: configuration)
    try writing.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE plain (id INTEGER PRIMARY KEY, value);
          CREATE TABLE texts (id INTEGER PRIMARY KEY, text, other);
          CREATE INDEX texts_text ON texts (text);
          CREATE TABLE keyed (word TEXT PRIMARY KEY, value);
          CREATE TABLE rowless (word TEXT PRIMARY KEY, value) WITHOUT ROWID;
          CREATE TABLE unwatched (id INTEGER PRIMARY KEY, value);
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 2000)
          INSERT INTO plain SELECT i, 'value ' || i FROM n;
          INSERT INTO texts SELECT id, printf('%.*c', id % 7 * 300, 'x'), id FROM plain;
          INSERT INTO keyed SELECT 'w' || id, id FROM plain;
          INSERT INTO rowless SELECT 'w' || id, id FROM plain;
          INSERT INTO unwatched SELECT * FROM plain;
          """)
    }
    return (try DatabasePool(path: path), writing)
  }

  private func look(_ written: inout LoggedTables, _ db: Database) -> Set<String>? {
    written.look(db)
    return written.take(db, among: Self.tables)
  }

  /// A reset of the log makes its end known again, once a look has read a commit after it.
  private func expectKnownAfterReset(_ written: inout LoggedTables, _ db: Database, _ writing: DatabasePool) throws {
    try writing.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    for value in [-3, -4] {
      try writing.write { try $0.execute(sql: "UPDATE plain SET value = \(value) WHERE id = 1") }
      written.look(db)
      written.wereOwn()
    }
    try writing.write { try $0.execute(sql: "UPDATE plain SET value = -5 WHERE id = 1") }
    #expect(look(&written, db) == ["plain"])
  }

  @Test(arguments: [
    ("UPDATE plain SET value = 7 WHERE id = 900", ["plain"]),
    ("INSERT INTO plain (value) VALUES (1)", ["plain"]),
    ("DELETE FROM plain WHERE id BETWEEN 300 AND 500", ["plain"]),
    ("UPDATE keyed SET value = -1 WHERE word = 'w77'", ["keyed"]),
    ("UPDATE rowless SET value = -1 WHERE word = 'w77'", ["rowless"]),
    // A long text is mostly in overflow pages, which name no table.
    ("UPDATE texts SET other = -1 WHERE id = 1000", ["texts"]),
    ("UPDATE texts SET text = text || 'y' WHERE id = 1001", ["rowless", "texts"]),
    ("INSERT INTO texts (text) VALUES (printf('%.*c', 9000, 'z'))", ["rowless", "texts"]),
    ("DELETE FROM texts WHERE id = 1002", ["rowless", "texts"]),
    ("UPDATE unwatched SET value = 7", []),
    ("UPDATE plain SET value = 1 WHERE id = 5; UPDATE keyed SET value = 1 WHERE word = 'w5'", ["keyed", "plain"]),
  ])
  func onlyLoggedTablesAreFound(sql: String, expected: [String]) throws {
    let (watching, writing) = try opened()
    try watching.writeWithoutTransaction { db in
      var written = LoggedTables()
      // The first look knows no earlier one, and a commit counts until the next commit is there.
      #expect(look(&written, db) == nil)
      try writing.write { try $0.execute(sql: "CREATE TABLE settle (x); DROP TABLE settle") }
      written.look(db)
      written.wereOwn()
      try writing.write { try $0.execute(sql: sql) }
      #expect(look(&written, db) == Set(expected))
    }
  }

  @Test func aResetLogIsUnknownOnce() throws {
    let (watching, writing) = try opened()
    try watching.writeWithoutTransaction { db in
      var written = LoggedTables()
      written.look(db)
      written.wereOwn()
      try writing.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
      try writing.write { try $0.execute(sql: "UPDATE plain SET value = 1 WHERE id = 1") }
      #expect(look(&written, db) == nil)
      try writing.write { try $0.execute(sql: "UPDATE keyed SET value = -1 WHERE word = 'w1'") }
      // The last commit before a look counts again, since it may not have been visible.
      #expect(look(&written, db) == ["keyed", "plain"])
      try writing.write { try $0.execute(sql: "UPDATE keyed SET value = -2 WHERE word = 'w2'") }
      #expect(look(&written, db) == ["keyed"])
    }
  }

  /// A log with too many new frames is unknown until it is reset.
  @Test func aVeryLongLogIsUnknown() throws {
    let (watching, writing) = try opened()
    try watching.writeWithoutTransaction { db in
      var written = LoggedTables()
      written.look(db)
      written.wereOwn()
      try writing.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        for _ in 0..<8 { try db.execute(sql: "UPDATE texts SET other = other + 1, text = text || 'z'") }
      }
      let size = try FileManager.default.attributesOfItem(atPath: folder.path("written-512.sqlite-wal"))[.size] as? Int
      #expect((size ?? 0) / 536 > 20_000)
      for value in [-1, -2] {
        #expect(look(&written, db) == nil)
        try writing.write { try $0.execute(sql: "UPDATE plain SET value = \(value) WHERE id = 1") }
      }
      try expectKnownAfterReset(&written, db, writing)
    }
  }

  /// A transaction writes pages several times before it commits, and a part of it is rolled back. SQLite 3.50.0
  /// then commits frames without salts, at which the reading of the log ends.
  @Test func framesWithoutSaltsAreUnknown() throws {
    let (watching, writing) = try opened()
    try watching.writeWithoutTransaction { db in
      var written = LoggedTables()
      written.look(db)
      written.wereOwn()
      try writing.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA cache_size = 10")
        try db.inTransaction {
          #expect(throws: DatabaseError.self) {
            try db.execute(
              sql: """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 3000)
                INSERT INTO plain SELECT iif(i = 3000, 5, 10000 + i), printf('%.*c', 400, 'x') FROM n
                """)
          }
          try db.execute(sql: "UPDATE keyed SET value = -1 WHERE word = 'w1'")
          return .commit
        }
      }
      for value in [-1, -2] {
        // Unknown, or known with the table.
        let found = look(&written, db)
        #expect(found?.contains("keyed") ?? true)
        if sqlite3_libversion_number() <= 3_050_000 { #expect(found == nil) }
        try writing.write { try $0.execute(sql: "UPDATE keyed SET value = \(value) WHERE word = 'w2'") }
      }
      try expectKnownAfterReset(&written, db, writing)
    }
  }

  @Test func otherJournalsAndEncryptionAreUnknown() throws {
    let queue = try DatabaseQueue(path: folder.path("journal.sqlite"))
    let found = queue.inDatabase { db in
      var written = LoggedTables()
      return [look(&written, db), look(&written, db)]
    }
    #expect(found == [nil, nil])
    #expect(PageOwners(pageSize: 512) { _ in PageBytes([UInt8](repeating: 7, count: 512)) } == nil)
  }

  /// Random commits of any tables: each changed table is among the found ones, at each look.
  @Test(arguments: [512, 4096]) func noWrittenTableIsMissed(pageSize: Int) throws {
    var random = SeededGenerator()
    let (watching, writing) = try opened(pageSize: pageSize)
    var knownCount = 0
    try watching.writeWithoutTransaction { db in
      var written = LoggedTables()
      var before = try Self.contents(db)
      for step in 0..<300 {
        for _ in 0..<random.number(1..<4) {
          let connection = random.number(0..<4) == 0 ? watching : writing
          let statements = (0..<random.number(1..<4)).map { _ in Self.statement(&random) }.joined(separator: ";")
          if connection === watching {
            try? db.inTransaction {
              try db.execute(sql: statements)
              return .commit
            }
          } else {
            try? writing.write { try $0.execute(sql: statements) }
          }
        }
        if random.number(0..<12) == 0 {
          _ = try? writing.writeWithoutTransaction {
            try $0.checkpoint(random.number(0..<2) == 0 ? .passive : .truncate)
          }
        }
        let found = look(&written, db)
        let after = try Self.contents(db)
        let changed = Self.tables.filter { before[$0] != after[$0] }
        before = after
        guard let found else { continue }
        knownCount += 1
        #expect(found.isSuperset(of: changed), "step \(step) of \(random): \(found) lacks some of \(changed)")
      }
    }
    #expect(knownCount > 100)
  }

  private static func contents(_ db: Database) throws -> [String: String] {
    try Dictionary(
      uniqueKeysWithValues: tables.map { table in
        let key = ["plain", "texts"].contains(table) ? "id" : "word"
        let sql =
          "SELECT group_concat(quote(\(key)) || '=' || quote(value)) FROM (SELECT * FROM \(table) ORDER BY \(key))"
        let text = try String.fetchOne(
          db, sql: table == "texts" ? sql.replacing("quote(value)", with: "quote(text) || quote(other)") : sql)
        return (table, text ?? "")
      })
  }

  private static func statement(_ random: inout SeededGenerator) -> String {
    let id = random.number(1..<2500)
    let table = ["plain", "texts", "keyed", "rowless", "unwatched"][random.number(0..<5)]
    let key = ["keyed", "rowless"].contains(table) ? "word = 'w\(id)'" : "id = \(id)"
    let column = table == "texts" ? ["text", "other"][random.number(0..<2)] : "value"
    switch random.number(0..<6) {
    case 0: return "DELETE FROM \(table) WHERE \(key)"
    case 1:
      return ["keyed", "rowless"].contains(table)
        ? "INSERT OR REPLACE INTO \(table) VALUES ('w\(id)', 0)"
        : "INSERT OR REPLACE INTO \(table) (id, \(column)) VALUES (\(id), \(id))"
    case 2: return "UPDATE \(table) SET \(column) = printf('%.*c', \(random.number(0..<3000)), 'q') WHERE \(key)"
    case 3 where random.number(0..<10) == 0:
      return "DELETE FROM \(table) WHERE rowid % 50 < 40".replacing(
        "rowid", with: table == "rowless" ? "value" : "rowid")
    default: return "UPDATE \(table) SET \(column) = \(random.number(0..<1000)) WHERE \(key)"
    }
  }
}

extension SeededGenerator {
  fileprivate mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}
