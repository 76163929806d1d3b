import Foundation
import GRDB

/// A database with every element that a schema may have, and damage in its file.
struct HostileDatabase {
  private let statements: [String]

  init(random: inout SeededGenerator) throws {
    var statements = [
      "PRAGMA page_size = \(random.element(of: [512, 1024, 4096]))",
      "PRAGMA journal_mode = \(random.element(of: ["wal", "delete"]))",
      "CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, amount REAL, flag BOOLEAN, data BLOB, parent INTEGER "
        + "REFERENCES item(id) ON DELETE CASCADE)",
      "CREATE TABLE note (item INTEGER, tag TEXT, PRIMARY KEY (item, tag)) WITHOUT ROWID",
      "CREATE INDEX item_name ON item (name)", "CREATE INDEX item_name_2 ON item (name)",
      "CREATE INDEX item_part ON item (amount DESC) WHERE flag = 1", "CREATE INDEX item_lower ON item (lower(name))",
    ]
    let rows = random.number(0..<3_000)
    statements += [
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) INSERT INTO item SELECT i, CASE i % 7 WHEN 0 "
        + "THEN NULL ELSE 'name ' || i % 50 END, i * 1.5, i % 2, zeroblob(i % 900), CASE WHEN i > 9 THEN i / 10 END FROM n WHERE \(rows) > 0",
      "INSERT OR IGNORE INTO note SELECT id, 'tag ' || id % 5 FROM item",
    ]
    let extras = [
      "CREATE VIEW everything AS SELECT * FROM item JOIN note ON note.item = item.id",
      "CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
      "CREATE TRIGGER item_written AFTER UPDATE ON item BEGIN UPDATE item SET amount = amount + 1 WHERE id = new.id; END",
      "CREATE TABLE \"odd \"\"name\u{202E}\" (\"a b\" ANY, `select` TEXT, [x] INT, y GENERATED ALWAYS AS (x + 1))",
      "CREATE VIRTUAL TABLE word USING fts5(body)", "INSERT INTO word SELECT name FROM item WHERE name IS NOT NULL",
      "CREATE TABLE wide (\((0..<200).map { "c\($0)" }.joined(separator: ", ")))", "ANALYZE",
      "UPDATE sqlite_stat1 SET stat = 'nonsense -1 99999999999999999999'", "DELETE FROM item WHERE id % 3 = 0",
    ]
    statements += random.some(of: extras, percent: 50)
    self.statements = statements
  }

  /// Creates the file and, in most cases, damages it.
  func write(to folder: URL, _ random: inout SeededGenerator) throws -> URL {
    let url = folder.appending(path: "hostile.sqlite")
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    let queue = try DatabaseQueue(path: url.path)
    try queue.writeWithoutTransaction { db in
      // Some statements need tables that others create.
      for sql in statements { try? db.execute(sql: sql) }
      if random.chance(30) { try nameUnknownThings(db, &random) }
    }
    try queue.close()
    var bytes = try Data(contentsOf: url)
    switch random.number(0..<10) {
    case 0..<4: break
    case 4..<7:
      for _ in 0..<random.number(1..<60) where !bytes.isEmpty {
        bytes[random.number(0..<bytes.count)] = UInt8(random.number(0..<256))
      }
    case 7: bytes = bytes.prefix(random.number(0..<bytes.count + 1))
    case 8:
      bytes.replaceSubrange(
        0..<min(100, bytes.count), with: (0..<min(100, bytes.count)).map { _ in UInt8(random.number(0..<256)) })
    default:
      // One page is copied over another.
      let size = 1024
      guard bytes.count > 2 * size else { break }
      let (from, to) = (random.number(0..<bytes.count / size), random.number(0..<bytes.count / size))
      bytes.replaceSubrange(to * size..<(to + 1) * size, with: bytes[from * size..<(from + 1) * size])
    }
    try bytes.write(to: url)
    return url
  }

  /// Adds functions, collations and modules that only another process has.
  private func nameUnknownThings(_ db: Database, _ random: inout SeededGenerator) throws {
    let changes = [
      "UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'localizedOfTheApp') WHERE name = 'item'",
      "UPDATE sqlite_schema SET sql = replace(sql, 'lower(', 'appFold(') WHERE name = 'item_lower'",
      "UPDATE sqlite_schema SET sql = replace(sql, 'fts5(', 'spellfix(') WHERE name = 'word'",
      "UPDATE sqlite_schema SET sql = 'CREATE VIEW everything AS SELECT * FROM everything' WHERE name = 'everything'",
      "UPDATE sqlite_schema SET sql = substr(sql, 1, 40) WHERE name = 'item_written'",
      "UPDATE sqlite_schema SET rootpage = \(random.number(0..<50)) WHERE name = 'note'",
    ]
    try db.execute(sql: "PRAGMA writable_schema = ON")
    for sql in random.some(of: changes, percent: 40) { try? db.execute(sql: sql) }
    try db.execute(sql: "PRAGMA writable_schema = OFF")
  }
}
