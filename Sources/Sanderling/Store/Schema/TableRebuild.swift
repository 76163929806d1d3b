import GRDB
import SanderlingSQL

/// Creates a table again with another definition, by the procedure that SQLite documents: [Making Other Kinds Of Table
/// Schema Changes](https://www.sqlite.org/lang_altertable.html#otheralter).
///
/// Rows keep their rowids, and values their bytes. The table's own indexes and triggers, including temporary triggers,
/// are created again unchanged. Views, and the references and triggers of other tables, are not affected.
///
/// The connection must not enforce foreign keys meanwhile. Otherwise, dropping the old table would delete the rows that
/// refer to it.
struct TableRebuild {
  private let db: Database
  private let table: ActualTable
  private let objects: [SchemaObject]

  static func run(_ db: Database, table name: String, _ edits: [TableEdit]) throws {
    let reader = try SchemaReader(db)
    guard let table = try reader.table(named: name) else { return }
    var syntax = table.syntax
    for edit in edits { syntax.apply(edit) }
    try TableRebuild(db: db, table: table, objects: reader.objects).run(syntax)
  }

  private func run(_ syntax: CreateTableSyntax) throws {
    let interim = "sanderling_new_\(table.name)"
    let dependents = try dependentStatements()
    let sequence = try lastAssignedKey()
    try db.execute(sql: syntax.sql(named: interim))
    let columns = [freeRowID].compactMap { $0 } + table.columns.filter { !$0.isGenerated }.map(\.name.quotedIdentifier)
    // With its table's name, a column can't be taken for a text in quotes. OR ABORT overrides constraints that are
    // declared to skip or replace rows.
    try db.execute(
      sql: """
        INSERT OR ABORT INTO \(interim.quotedIdentifier) (\(columns.joined(separator: ", "))) \
        SELECT \(columns.map { "\(name).\($0)" }.joined(separator: ", ")) FROM \(name)
        """)
    try db.execute(sql: "DROP TABLE \(name)")
    try db.renameTable(interim, to: table.name)
    if let sequence { try setLastAssignedKey(sequence) }
    for sql in dependents { try db.execute(sql: sql) }
    if objects.contains(where: { $0.name == "sqlite_stat1" }) { try db.execute(sql: "ANALYZE main.\(name)") }
  }

  private var name: String { table.name.quotedIdentifier }

  /// A name of the rowid that no column has; nil if the rowid is a column or the table has none.
  private var freeRowID: String? {
    if table.syntax.isWithoutRowID || table.keyIsRowID { return nil }
    return table.columns.freeRowIDName
  }

  // MARK: Dependent objects

  /// The statements that create the table's indexes and triggers, in the order of their creation.
  private func dependentStatements() throws -> [String] {
    let own = try String.fetchAll(
      db,
      sql: """
        SELECT sql FROM main.sqlite_schema
        WHERE type IN ('index', 'trigger') AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL ORDER BY rowid
        """, arguments: [table.name])
    // The stored statements of temporary triggers lack the word TEMP, and the name of the table's database.
    let temporary = try String.fetchAll(
      db,
      sql: """
        SELECT sql FROM temp.sqlite_schema
        WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE AND sql LIKE 'CREATE TRIGGER %' ORDER BY rowid
        """, arguments: [table.name])
    return own + temporary.map { "CREATE TEMP" + $0.dropFirst("CREATE".count) }
  }

  /// The largest key that was ever assigned, if the table never reuses keys; otherwise nil.
  private func lastAssignedKey() throws -> Int64? {
    guard objects.contains(where: { $0.name == "sqlite_sequence" }) else { return nil }
    return try Int64.fetchOne(
      db, sql: "SELECT seq FROM main.sqlite_sequence WHERE name = ?", arguments: [table.name])
  }

  private func setLastAssignedKey(_ key: Int64) throws {
    try db.execute(sql: "DELETE FROM main.sqlite_sequence WHERE name = ?", arguments: [table.name])
    try db.execute(sql: "INSERT INTO main.sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table.name, key])
  }
}

extension Database {
  /// Renames a table of the main database that no view, trigger or foreign key names.
  ///
  /// By default, SQLite checks all views and triggers when a table is renamed. The check fails for views that use the
  /// new name, which doesn't exist at this moment, and for broken views of other programs. SQLite always checks the
  /// indexes. That check fails for an index with a collation of an app, unless the schema is writable.
  package func renameTable(_ name: String, to newName: String) throws {
    let switched = try ["legacy_alter_table", "writable_schema"].filter {
      try Bool.fetchOne(self, sql: "PRAGMA \($0)") != true
    }
    for pragma in switched { turn(pragma, on: true) }
    defer { for pragma in switched { turn(pragma, on: false) } }
    try execute(sql: "ALTER TABLE main.\(name.quotedIdentifier) RENAME TO \(newName.quotedIdentifier)")
  }
}
