/// Reads the schema of a database.
package struct SchemaReader {
  package let connection: any SchemaConnection
  /// All tables, indexes, triggers and views of the main database, sorted by type and then by creation. The order of
  /// triggers decides which runs first.
  package let objects: [SchemaObject]

  package init(_ connection: any SchemaConnection) throws {
    self.connection = connection
    objects = try Self.objects(connection, "ORDER BY type, rowid")
  }

  /// Returns the table, view or index with a name. The three kinds share one namespace.
  package func object(named name: String) -> SchemaObject? {
    objects.first { $0.name.folded == name.folded && $0.type != "trigger" }
  }

  /// Returns the triggers of a table, in the order of their creation.
  package static func triggers(of table: String, _ connection: any SchemaConnection) throws -> [SchemaObject] {
    try objects(connection, "WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE ORDER BY rowid", [table])
  }

  /// A table, view or virtual table, as SQLite lists them.
  package struct Entry {
    package let name: String
    /// `table`, `view`, `virtual`, or `shadow` for a table with the data of a virtual table.
    package let type: String
    package let isWithoutRowID: Bool
  }

  /// Returns the tables and views of the main database, sorted by name.
  ///
  /// - Throws: The connection's error. SQLite has this list since 3.37.
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
  /// The table of an index or trigger.
  package let table: String
  /// The statement that created the object; nil for the index of a constraint.
  package let sql: String?
}
