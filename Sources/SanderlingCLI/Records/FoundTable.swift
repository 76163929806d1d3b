import GRDB
import SanderlingSQLite

/// A table of an existing database, with some of its values.
struct FoundTable {
  struct Column {
    let name: String
    let type: String
    let isNotNull: Bool
    let defaultSQL: String?
    /// The position in the key, from 1 on; 0 for columns outside of it.
    let keyPosition: Int
    let isGenerated: Bool
    let collation: String
    var values = FoundValues()
  }

  struct Reference {
    let columns: [String]
    let parent: String
    /// Empty where the parent's key is meant.
    let parentColumns: [String]
    let onDelete: String
    let onUpdate: String
  }

  struct Index {
    struct Term {
      /// Nothing for an expression.
      let column: String?
      let collation: String
      let isDescending: Bool
    }

    let name: String
    let isUnique: Bool
    let isPartial: Bool
    let isKey: Bool
    let terms: [Term]
    let sql: String?
  }

  enum Kind {
    case table, view, virtual
  }

  let name: String
  let kind: Kind
  var columns: [Column]
  let references: [Reference]
  let indexes: [Index]
  let isWithoutRowID: Bool
  /// Whether there are more rows than were read.
  let hasMoreRows: Bool

  /// The tables and views that are an app's own: not those of SQLite, of GRDB and of stores, and none that a virtual table keeps
  /// its data in.
  static func all(in db: Database, rows: Int) throws -> [FoundTable] {
    let known = ["sqlite_", "grdb_migrations", "sanderling_"]
    return try Row.fetchAll(db, sql: "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name")
      .filter { row in !known.contains { (row[0] as String).lowercased().hasPrefix($0) } && row[1] != "shadow" }
      .map { try FoundTable($0[0], $0[1], isWithoutRowID: $0[2], db, rows: rows) }
  }

  private init(_ name: String, _ type: String, isWithoutRowID: Bool, _ db: Database, rows: Int) throws {
    self.name = name
    self.isWithoutRowID = isWithoutRowID
    kind = type == "view" ? .view : type == "virtual" ? .virtual : .table
    let quoted = name.quotedDatabaseIdentifier
    columns = try Row.fetchAll(db, sql: "PRAGMA main.table_xinfo(\(quoted))").filter { $0["hidden"] as Int != 1 }.map {
      row in
      Column(
        name: row["name"], type: row["type"] ?? "", isNotNull: row["notnull"], defaultSQL: row["dflt_value"],
        keyPosition: row["pk"], isGenerated: row["hidden"] as Int >= 2,
        collation: Self.collation(of: row["name"], name, db))
    }
    let references = try Row.fetchAll(db, sql: "PRAGMA main.foreign_key_list(\(quoted))")
    self.references = Dictionary(grouping: references) { $0["id"] as Int }.sorted { $0.key < $1.key }.map { _, rows in
      let rows = rows.sorted { ($0["seq"] as Int) < $1["seq"] }
      return Reference(
        columns: rows.map { $0["from"] }, parent: rows[0]["table"],
        parentColumns: rows.compactMap { $0["to"] as String? },
        onDelete: rows[0]["on_delete"], onUpdate: rows[0]["on_update"])
    }
    indexes = try Row.fetchAll(db, sql: "PRAGMA main.index_list(\(quoted))").reversed().map { row in
      let name: String = row["name"]
      return Index(
        name: name, isUnique: row["unique"], isPartial: row["partial"], isKey: row["origin"] == "pk",
        terms: try Row.fetchAll(db, sql: "PRAGMA main.index_xinfo(\(name.quotedDatabaseIdentifier))").filter {
          $0["key"]
        }
        .map { Index.Term(column: $0["name"], collation: $0["coll"], isDescending: $0["desc"]) },
        sql: try String.fetchOne(
          db, sql: "SELECT sql FROM main.sqlite_schema WHERE type = 'index' AND name = ?", arguments: [name]))
    }
    if kind == .virtual || columns.isEmpty {
      hasMoreRows = false
      return
    }
    var values = columns.map { _ in FoundValues() }
    var count = 0
    let names = columns.map { "\(quoted).\($0.name.quotedDatabaseIdentifier)" }.joined(separator: ", ")
    let cursor = try Row.fetchCursor(db, sql: "SELECT \(names) FROM main.\(quoted) LIMIT \(rows + 1)")
    while count < rows, let row = try cursor.next() {
      count += 1
      for index in values.indices { values[index].add(row[index] as DatabaseValue) }
    }
    hasMoreRows = try count == rows && cursor.next() != nil
    for index in values.indices { columns[index].values = values[index] }
  }

  /// No pragma tells the collation of a column.
  private static func collation(of column: String, _ table: String, _ db: Database) -> String {
    var collation: UnsafePointer<CChar>?
    guard
      sqlite3_table_column_metadata(db.sqliteConnection, "main", table, column, nil, &collation, nil, nil, nil)
        == SQLITE_OK,
      let collation
    else { return "BINARY" }
    return String(cString: collation).uppercased()
  }

  func column(_ name: String) -> Column? {
    columns.first { $0.name.lowercased() == name.lowercased() }
  }

  var keyColumns: [Column] {
    columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }
  }

  /// Whether SQLite makes up the key of new rows: it is the rowid, under the column's name.
  var assignsKey: Bool {
    let key = keyColumns
    return key.count == 1 && key[0].type.uppercased() == "INTEGER" && !isWithoutRowID
      && !indexes.contains(where: \.isKey)
  }
}
