import SanderlingSQLite

/// Reads the schema of one table of the main database.
package struct TableReader {
  /// An index of the table.
  package struct Index {
    /// The origin of an index, as SQLite names it.
    package enum Origin: String, Sendable {
      case createIndex = "c"
      case unique = "u"
      case primaryKey = "pk"
    }

    package let name: String
    package let isUnique: Bool
    package let isPartial: Bool
    package let origin: Origin

    /// Whether the index is the index of the PRIMARY KEY.
    package var isKey: Bool { origin == .primaryKey }
  }

  /// A column or expression of an index's key.
  package struct Term {
    /// Nil for the rowid and for expressions.
    package let column: String?
    package let isExpression: Bool
    package let collation: String
    package let isDescending: Bool
  }

  private let connection: any SchemaConnection
  private let table: String

  package init(_ table: String, _ connection: any SchemaConnection) {
    self.connection = connection
    self.table = table
  }

  /// Returns the columns in order; none if the table doesn't exist.
  package func columns() throws -> [ActualColumn] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    try connection.schemaRows("PRAGMA main.table_xinfo(\(table.quotedIdentifier))", []).compactMap { row in
      guard let name = row.text(1) else { return nil }
      return ActualColumn(
        name: name, type: row.text(2) ?? "", isNotNull: row.integer(3) != 0, defaultSQL: row.text(4),
        keyPosition: row.integer(5), isGenerated: row.integer(6) >= 2, isHidden: row.integer(6) == 1,
        collation: collation(of: name) ?? "BINARY")
    }
  }

  /// Whether the table is STRICT.
  package func isStrict() throws -> Bool {
    try sql(of: table, type: "table").flatMap { CreateTableSyntax($0) }?.isStrict ?? false
  }

  /// Returns the collation of a column, which no pragma returns.
  private func collation(of column: String) -> String? {
    var collation: UnsafePointer<CChar>?
    guard
      sqlite3_table_column_metadata(connection.schemaHandle, "main", table, column, nil, &collation, nil, nil, nil)
        == SQLITE_OK
    else { return nil }
    return collation.map { String(cString: $0) }
  }

  package func indexes() throws -> [Index] {
    // seq, name, unique, origin, partial
    try connection.schemaRows("PRAGMA main.index_list(\(table.quotedIdentifier))", []).compactMap { row in
      guard let name = row.text(1), let origin = row.text(3).flatMap(Index.Origin.init) else { return nil }
      return Index(name: name, isUnique: row.integer(2) != 0, isPartial: row.integer(4) != 0, origin: origin)
    }
  }

  /// Returns the terms of an index's key, without the columns that only identify the row.
  package func terms(of index: Index) throws -> [Term] {
    // seqno, cid, name, desc, coll, key. An expression has the cid -2.
    try connection.schemaRows("PRAGMA main.index_xinfo(\(index.name.quotedIdentifier))", []).filter {
      $0.integer(5) != 0
    }
    .map { row in
      Term(
        column: row.text(2), isExpression: row.integer(1) == -2, collation: row.text(4) ?? "BINARY",
        isDescending: row.integer(3) != 0)
    }
  }

  /// The condition of a partial index.
  package struct Condition {
    /// The condition as written, with column names without a table.
    package let sql: String
    /// The table's columns whose names occur in the condition.
    package let columns: [String]
    /// Whether the condition reads no generated column, and not the rowid by one of its names.
    package let readsOrdinaryColumns: Bool
  }

  /// Returns the condition of a partial index; nil if its statement can't be parsed.
  package func condition(of index: Index) throws -> Condition? {
    guard let syntax = try sql(of: index.name, type: "index").flatMap({ CreateIndexSyntax($0) }),
      let range = syntax.condition, let sql = syntax.conditionSQL
    else { return nil }
    let names = Set(syntax.tokens.tokens[range].map(\.name.folded))
    let columns = try columns()
    let read = columns.filter { names.contains($0.name.folded) }
    let rowIDNames = Set(ActualColumn.rowIDNames.map(\.folded)).subtracting(columns.map(\.name.folded))
    return Condition(
      sql: sql, columns: read.map(\.name),
      readsOrdinaryColumns: read.allSatisfy { !$0.isGenerated } && names.isDisjoint(with: rowIDNames))
  }

  package func foreignKeys() throws -> [TableForeignKey] {
    // id, seq, table, from, to, on_update, on_delete
    let rows = try connection.schemaRows(
      "SELECT * FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq", [table])
    return Dictionary(grouping: rows) { $0.integer(0) }.sorted { $0.key < $1.key }.map { _, rows in
      TableForeignKey(
        columns: rows.compactMap { $0.text(3) }, parent: rows[0].text(2) ?? "",
        parentColumns: rows.compactMap { $0.text(4) }, onDelete: rows[0].text(6) ?? "",
        onUpdate: rows[0].text(5) ?? "")
    }
  }

  private func sql(of object: String, type: String) throws -> String? {
    try connection.schemaRows(
      "SELECT sql FROM main.sqlite_schema WHERE type = ? AND name = ? COLLATE NOCASE", [type, object]
    ).first?.text(0)
  }
}
