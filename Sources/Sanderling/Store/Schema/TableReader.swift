import GRDB
import SanderlingSQLite

/// Reads what SQLite tells of one table of the main database.
struct TableReader {
  /// An index of the table.
  struct Index {
    let name: String
    let isUnique: Bool
    let isPartial: Bool
    /// Whether it is the index of the PRIMARY KEY.
    let isKey: Bool
  }

  /// What an index sorts by.
  struct Term {
    /// Nothing for the rowid and for expressions.
    let column: String?
    let collation: String
    let isDescending: Bool
  }

  private let db: Database
  private let table: String

  init(_ table: String, _ db: Database) {
    self.db = db
    self.table = table
  }

  /// The columns in order; none when there is no such table.
  func columns() throws -> [ActualColumn] {
    try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(table.quotedIdentifier))").map { row in
      let name: String = row["name"]
      return ActualColumn(
        name: name, type: row["type"] ?? "", isNotNull: row["notnull"], defaultSQL: row["dflt_value"],
        keyPosition: row["pk"], isGenerated: row["hidden"] as Int >= 2,
        collation: collation(of: name) ?? Collation.binary.rawValue)
    }
  }

  /// No pragma tells the collation of a column.
  private func collation(of column: String) -> String? {
    var collation: UnsafePointer<CChar>?
    guard
      sqlite3_table_column_metadata(db.sqliteConnection, "main", table, column, nil, &collation, nil, nil, nil)
        == SQLITE_OK
    else { return nil }
    return collation.map { String(cString: $0) }
  }

  func indexes() throws -> [Index] {
    try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(table.quotedIdentifier))").map { row in
      Index(name: row["name"], isUnique: row["unique"], isPartial: row["partial"], isKey: row["origin"] == "pk")
    }
  }

  /// What an index sorts by, without the columns that only lead to the row.
  func terms(of index: Index) throws -> [Term] {
    try Row.fetchAll(db, sql: "PRAGMA main.index_xinfo(\(index.name.quotedIdentifier))").filter { $0["key"] }
      .map { Term(column: $0["name"], collation: $0["coll"], isDescending: $0["desc"]) }
  }
}

/// A column as it is.
struct ActualColumn {
  let name: String
  let type: String
  let isNotNull: Bool
  let defaultSQL: String?
  /// The position in the key, from 1 on; 0 for columns outside of it.
  let keyPosition: Int
  let isGenerated: Bool
  let collation: String
}

extension [ActualColumn] {
  func named(_ name: String) -> ActualColumn? {
    let name = name.folded
    return first { $0.name.folded == name }
  }

  static let rowIDNames = ["rowid", "_rowid_", "oid"]

  /// The name by which statements can mean the rowid of a table that has no column for it.
  var freeRowIDName: String? {
    Self.rowIDNames.first { named($0) == nil }
  }
}
