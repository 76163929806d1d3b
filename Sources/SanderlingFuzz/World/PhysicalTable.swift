import Sanderling

/// A record's table as an app may have created it: with another order of columns, other keys, and more.
struct PhysicalTable: Sendable {
  struct Column: Sendable {
    let name: String
    var type: String
    /// The collation's name: one of SQLite's or the app's.
    var collation: String
    var isNotNull: Bool
    /// A default or a check.
    var clause = ""
  }

  enum KeyForm: Sendable {
    case primaryKey
    /// A unique constraint in place of a primary key.
    case unique
    /// A primary key that accepts NULL, which SQLite allows for historical reasons.
    case nullable
  }

  struct ForeignKey: Sendable {
    let columns: [String]
    let destination: String
    let destinationColumns: [String]
    let actions: String
  }

  let record: any FuzzRecord.Type
  var columns: [Column]
  var keyForm = KeyForm.primaryKey
  var isAutoincrement = false
  var isWithoutRowID = false
  var isStrict = false
  /// Complete definitions of columns that the record doesn't know.
  var extraColumns: [String] = []
  var foreignKeys: [ForeignKey] = []
  /// Whether the columns derived from texts come before all others.
  var beginsWithDerived = false
  /// Whether rebuilding the table keeps the derived columns; otherwise they are derived again.
  var keepsDerived = true

  var name: String { record.table.name }
  var keyNames: [String] { record.table.keyColumns.map(\.name) }

  /// The statement that creates the table.
  func sql(named newName: String? = nil) -> String {
    let key = keyNames
    let isRowIDAlias = record.table.assignsKey
    var parts = columns.map { column -> String in
      var part = "\(column.name.quotedIdentifier) \(column.type)"
      if isRowIDAlias && key == [column.name] {
        return part + " PRIMARY KEY" + (isAutoincrement ? " AUTOINCREMENT" : "")
      }
      let isKey = key.contains(column.name)
      if isKey ? keyForm != .nullable || isWithoutRowID : column.isNotNull { part += " NOT NULL" }
      if column.collation != "BINARY" { part += " COLLATE \(column.collation)" }
      return part + column.clause
    }
    let derived = record.table.derivedColumnSQL(inStrictTable: isStrict)
    parts = beginsWithDerived ? derived + parts : parts + derived
    parts += extraColumns
    if !isRowIDAlias {
      let isUnique = keyForm == .unique && !isWithoutRowID
      parts.append((isUnique ? "UNIQUE" : "PRIMARY KEY") + " (\(Self.list(key)))")
    }
    parts += foreignKeys.map { key in
      "FOREIGN KEY (\(Self.list(key.columns))) REFERENCES \(key.destination) (\(Self.list(key.destinationColumns)))"
        + key.actions
    }
    let options = [isWithoutRowID && !isRowIDAlias ? "WITHOUT ROWID" : nil, isStrict ? "STRICT" : nil].compactMap { $0 }
    let name = (newName ?? name).quotedIdentifier
    return "CREATE TABLE \(name) (\(parts.joined(separator: ", "))) \(options.joined(separator: ", "))"
  }

  /// The statements that create the missing tables of its full-text indexes and the triggers for its texts.
  var searchStatements: [String] {
    (record.table.derivedTables.map(\.sql) + record.table.derivingTriggers.map(\.sql)).map { sql in
      sql.replacing(#/^CREATE (VIRTUAL TABLE|TABLE|TRIGGER) /#, maxReplacements: 1) { "\($0.0)IF NOT EXISTS " }
    }
  }

  /// The statements that create the table if it is missing, with empty indexes.
  ///
  /// The table may have been renamed. Its triggers keep their names then, so that `CREATE TRIGGER IF NOT EXISTS` would leave a new table without
  /// triggers.
  var statementsIfMissing: [String] {
    let isEmpty = "NOT EXISTS (SELECT 1 FROM \(name.quotedIdentifier))"
    let emptying = record.table.derivedTables.map { derived in
      let table = derived.name.quotedIdentifier
      return record.table.fullTextTables.contains(derived.name)
        ? "INSERT INTO \(table) (\(table)) SELECT 'delete-all' WHERE \(isEmpty)"
        : "DELETE FROM \(table) WHERE \(isEmpty)"
    }
    return [
      "DROP TABLE IF EXISTS away_\(name)", sql().replacing(#/^CREATE TABLE /#, with: "CREATE TABLE IF NOT EXISTS "),
    ]
      + searchStatements + emptying
  }

  /// The statements that recreate the triggers and derive all values again. A renamed table has taken its triggers
  /// along, and meanwhile no trigger followed the rows.
  var newTriggers: [String] {
    let triggers = record.table.derivingTriggers
    var renewal: [String] = []
    for sql in triggers.flatMap(\.renewalSQL) where !renewal.contains(sql) { renewal.append(sql) }
    return triggers.flatMap { ["DROP TRIGGER IF EXISTS \($0.name.quotedIdentifier)", $0.sql] } + renewal
  }

  private static func list(_ names: [String]) -> String {
    names.map(\.quotedIdentifier).joined(separator: ", ")
  }

  /// The statements of a migration that rebuilds the table, as SQLite's documentation describes.
  var rebuild: [String] {
    let names = Self.list(columns.map(\.name) + (keepsDerived ? record.table.derivedColumns : []))
    return [
      sql(named: "new_\(name)"),
      "INSERT INTO new_\(name) (\(names)) SELECT \(names) FROM \(name)",
      "DROP TABLE \(name)",
      "ALTER TABLE new_\(name) RENAME TO \(name)",
    ] + newTriggers
  }
}
