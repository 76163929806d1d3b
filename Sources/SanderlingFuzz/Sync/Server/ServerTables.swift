import Foundation
import GRDB

/// The tables of the fuzzer's server.
enum ServerTables {
  static let schema = """
    CREATE TABLE rows (record TEXT, key TEXT, row TEXT, version INTEGER NOT NULL, PRIMARY KEY (record, key)) WITHOUT ROWID;
    CREATE UNIQUE INDEX log ON rows (version);
    CREATE TABLE meta (version INTEGER NOT NULL, cut INTEGER NOT NULL);
    INSERT INTO meta VALUES (0, 0);
    CREATE TABLE numbers (client TEXT, sequence INTEGER, mutation TEXT NOT NULL, outcome TEXT, PRIMARY KEY (client, sequence));
    CREATE TABLE history (id INTEGER PRIMARY KEY, record TEXT, key TEXT, "column" TEXT, value TEXT, client TEXT NOT NULL);
    CREATE INDEX cells ON history (record, key, "column");
    CREATE TABLE problems (what TEXT NOT NULL);
    """

  static let counters = ["c1", "c2", "c3"]

  static func seed(_ db: Database) throws {
    for key in counters {
      try write("counter", key, ["id": .init(.text(key)), "count": .init(.integer(0))], "server", db)
    }
    for number in 1...4 {
      let key = "f\(number)"
      try write(
        "folder", key,
        ["id": .init(.text(key)), "name": .init(.text("s-folder-\(number)")), "parent": .init(.null)], "server", db)
    }
  }

  static func row(_ record: String, _ key: String, _ db: Database) throws -> (row: WireRow?, version: Int64)? {
    guard
      let found = try Row.fetchOne(
        db, sql: "SELECT row, version FROM rows WHERE record = ? AND key = ?", arguments: [record, key])
    else { return nil }
    let text: String? = found[0]
    return (try text.map { try WireCoding.value(WireRow.self, Data($0.utf8)) }, found[1])
  }

  static func rows(_ record: String, _ db: Database) throws -> [(key: String, row: WireRow)] {
    try Row.fetchAll(
      db, sql: "SELECT key, row FROM rows WHERE record = ? AND row IS NOT NULL ORDER BY key", arguments: [record]
    ).map { ($0[0], try WireCoding.value(WireRow.self, Data(($0[1] as String).utf8))) }
  }

  /// Writes a row, or its deletion, as a new version.
  @discardableResult
  static func write(_ record: String, _ key: String, _ row: WireRow?, _ client: String, _ db: Database) throws -> Int64
  {
    let before = try self.row(record, key, db)?.row
    try db.execute(sql: "UPDATE meta SET version = version + 1")
    let version = try Int64.fetchOne(db, sql: "SELECT version FROM meta") ?? 0
    let text = try row.map { String(decoding: try WireCoding.data($0), as: UTF8.self) }
    try db.execute(
      sql: "INSERT OR REPLACE INTO rows VALUES (?, ?, ?, ?)", arguments: [record, key, text, version])
    for column in Set((before ?? [:]).keys).union((row ?? [:]).keys).sorted() where before?[column] != row?[column] {
      try db.execute(
        sql: "INSERT INTO history (record, key, \"column\", value, client) VALUES (?, ?, ?, ?, ?)",
        arguments: [record, key, column, row?[column]?.description, client])
    }
    return version
  }

  static func cut(_ db: Database) throws {
    try db.execute(sql: "UPDATE meta SET cut = version; DELETE FROM rows WHERE row IS NULL")
  }
}

extension WireValue: CustomStringConvertible {
  /// The value as a text, in the same way as in the histories of the checks.
  var description: String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob: "blob"
    }
  }
}
