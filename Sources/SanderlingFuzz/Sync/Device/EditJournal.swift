import Foundation
import GRDB
import Sanderling

/// The edits of a device's user, cell by cell. They are recorded in the transaction of the edit, independently of the
/// checked tables.
enum EditJournal {
  private typealias Image = [[String]: String]

  static func create(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS journal (id INTEGER PRIMARY KEY, record TEXT, key TEXT, "column" TEXT, old TEXT, new TEXT);
        CREATE TABLE IF NOT EXISTS mine (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, next INTEGER NOT NULL);
        INSERT OR IGNORE INTO mine VALUES (1, 0, 0);
        CREATE TABLE IF NOT EXISTS shown_again (id INTEGER PRIMARY KEY, key TEXT, title TEXT, other TEXT);
        """)
  }

  /// Runs statements as one transaction of the user. A transaction that violates a constraint has no effect.
  static func run(_ statements: [String], next: Int, device: String, _ db: Database) throws {
    let before = try image(db)
    for sql in statements {
      do {
        try db.inSavepoint {
          try db.execute(sql: sql)
          return .commit
        }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      }
    }
    let after = try image(db)
    for cell in Set(before.keys).union(after.keys).sorted(by: { $0.lexicographicallyPrecedes($1) })
    where before[cell] != after[cell] {
      try db.execute(
        sql: "INSERT INTO journal (record, key, \"column\", old, new) VALUES (?, ?, ?, ?, ?)",
        arguments: [cell[0], cell[1], cell[2], before[cell], after[cell]])
    }
    let n = after[["own", device, "n"]] ?? "0"
    try db.execute(sql: "UPDATE mine SET n = ?, next = max(next, ?)", arguments: [Int(n) ?? 0, next])
  }

  /// All cells as texts, by record, key and column.
  private static func image(_ db: Database) throws -> Image {
    var image: Image = [:]
    for (record, _) in DeviceRecords.columns {
      let cursor = try Row.fetchCursor(db, sql: "SELECT * FROM \(record)")
      while let row = try cursor.next() {
        let key: String = row["id"]
        for (column, value) in row { image[[record, key, column]] = text(value) }
      }
    }
    return image
  }

  /// The value as a text, in the same way as in the server's history.
  static func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .null: "NULL"
    case .int64(let integer): "\(integer)"
    case .double(let real): "\(real)"
    case .string(let text): text
    case .blob: "blob"
    }
  }
}
