/// Reads the schema of a database.
package struct SchemaReader {
  package let connection: any SchemaConnection
  /// All tables, indexes, triggers and views of the main database, each kind in the order of creation: the order of two
  /// triggers decides which runs first.
  package let objects: [SchemaObject]

  package init(_ connection: any SchemaConnection) throws {
    self.connection = connection
    objects = try Self.objects(connection, "ORDER BY type, rowid")
  }

  /// The table, view or index with a name, which all share one space of names.
  package func object(named name: String) -> SchemaObject? {
    objects.first { $0.name.folded == name.folded && $0.type != "trigger" }
  }

  /// The triggers of a table, in the order in which they were made.
  package static func triggers(of table: String, _ connection: any SchemaConnection) throws -> [SchemaObject] {
    try objects(connection, "WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY rowid", [table])
  }

  /// A table, a view or a virtual table, as SQLite lists them.
  package struct Entry {
    package let name: String
    /// `table`, `view`, `virtual`, or `shadow` for a table in which a virtual one keeps its data.
    package let type: String
    package let isWithoutRowID: Bool
  }

  /// The tables and views of the main database, in the order of their names.
  ///
  /// - Throws: The connection's error. SQLite has the list since 3.37.
  package func entries() throws -> [Entry] {
    try connection.schemaRows(
      "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' ORDER BY name", []
    ).compactMap { row in
      guard let name = row.text(0), let type = row.text(1) else { return nil }
      return Entry(name: name, type: type, isWithoutRowID: row.integer(2) != 0)
    }
  }

  private static func objects(
    _ connection: any SchemaConnection, _ clauses: String, _ arguments: [String] = []
  ) throws -> [SchemaObject] {
    try connection.schemaRows("SELECT type, name, tbl_name, sql FROM main.sqlite_schema \(clauses)", arguments)
      .compactMap { row in
        guard let type = row.text(0), let name = row.text(1) else { return nil }
        return SchemaObject(type: type, name: name, table: row.text(2) ?? "", sql: row.text(3))
      }
  }
}

/// A row of `sqlite_schema`.
package struct SchemaObject: Hashable {
  package let type: String
  package let name: String
  /// The table that an index or trigger belongs to.
  package let table: String
  /// Nothing for the indexes of constraints.
  package let sql: String?
}
