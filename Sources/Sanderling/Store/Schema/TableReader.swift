package import GRDB
import SanderlingSQLite

/// Reads what SQLite tells of one table of the main database.
package struct TableReader {
  /// An index of the table.
  package struct Index {
    package let name: String
    package let isUnique: Bool
    package let isPartial: Bool
    /// Whether it is the index of the PRIMARY KEY.
    package let isKey: Bool
  }

  /// A column or an expression that an index sorts by.
  package struct Term {
    /// Nothing for the rowid and for expressions.
    package let column: String?
    package let collation: String
    package let isDescending: Bool
  }

  private let db: Database
  private let table: String

  package init(_ table: String, _ db: Database) {
    self.db = db
    self.table = table
  }

  /// The columns in order; none when there is no such table.
  package func columns() throws -> [ActualColumn] {
    try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(table.quotedIdentifier))").map { row in
      let name: String = row["name"]
      return ActualColumn(
        name: name, type: row["type"] ?? "", isNotNull: row["notnull"], defaultSQL: row["dflt_value"],
        keyPosition: row["pk"], isGenerated: row["hidden"] as Int >= 2,
        collation: collation(of: name) ?? Collation.binary.rawValue)
    }
  }

  /// Whether the table is STRICT.
  package func isStrict() throws -> Bool {
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE",
      arguments: [table])
    return sql.flatMap { CreateTableSyntax($0) }?.isStrict ?? false
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

  package func indexes() throws -> [Index] {
    try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(table.quotedIdentifier))").map { row in
      Index(name: row["name"], isUnique: row["unique"], isPartial: row["partial"], isKey: row["origin"] == "pk")
    }
  }

  /// The terms that an index sorts by, without the columns that only lead to the row.
  package func terms(of index: Index) throws -> [Term] {
    try Row.fetchAll(db, sql: "PRAGMA main.index_xinfo(\(index.name.quotedIdentifier))").filter { $0["key"] }
      .map { Term(column: $0["name"], collation: $0["coll"], isDescending: $0["desc"]) }
  }

  /// Which rows a partial index is about.
  package struct Condition {
    /// As it was written: columns stand without their table.
    package let sql: String
    /// The table's columns whose names are in it.
    package let columns: [String]
    /// Whether it reads no generated column, and not the rowid by a name of its own.
    let readsOrdinaryColumns: Bool
  }

  /// The condition of a partial index; nil when its statement can't be read.
  func condition(of index: Index) throws -> Condition? {
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ? COLLATE NOCASE",
      arguments: [index.name])
    let tokens = SQLTokens(sql ?? "")
    guard let range = IndexShape.condition(in: tokens) else { return nil }
    let names = Set(tokens.tokens[range].map(\.name.folded))
    let columns = try columns()
    let read = columns.filter { names.contains($0.name.folded) }
    let rowIDNames = Set(ActualColumn.rowIDNames.map(\.folded)).subtracting(columns.map(\.name.folded))
    return Condition(
      sql: tokens.source(range), columns: read.map(\.name),
      readsOrdinaryColumns: read.allSatisfy { !$0.isGenerated } && names.isDisjoint(with: rowIDNames))
  }

  package func foreignKeys() throws -> [ForeignKey] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM pragma_foreign_key_list(\(table.quotedLiteral), 'main') ORDER BY id, seq")
    return Dictionary(grouping: rows) { $0["id"] as Int }.sorted { $0.key < $1.key }.map { _, rows in
      ForeignKey(
        columns: rows.map { $0["from"] }, parent: rows[0]["table"],
        parentColumns: rows.compactMap { $0["to"] }, onDelete: rows[0]["on_delete"], onUpdate: rows[0]["on_update"])
    }
  }
}

/// A column as it is.
package struct ActualColumn {
  package let name: String
  package let type: String
  package let isNotNull: Bool
  package let defaultSQL: String?
  /// The position in the key, from 1 on; 0 for columns outside of it.
  package let keyPosition: Int
  package let isGenerated: Bool
  package let collation: String

  /// The names by which statements can mean the rowid, where no column has them.
  package static let rowIDNames = ["rowid", "_rowid_", "oid"]
}

extension [ActualColumn] {
  package func named(_ name: String) -> ActualColumn? {
    let name = name.folded
    return first { $0.name.folded == name }
  }

  /// The name by which statements can mean the rowid of a table that has no column for it.
  package var freeRowIDName: String? {
    ActualColumn.rowIDNames.first { named($0) == nil }
  }
}
