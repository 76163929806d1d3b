package import GRDB
import SanderlingSQL

extension Database: SchemaConnection {
  package var schemaHandle: OpaquePointer? { sqliteConnection }

  package func schemaRows(_ sql: String, _ arguments: [String]) throws -> [SchemaRow] {
    try Row.fetchAll(self, sql: sql, arguments: StatementArguments(arguments)).map { row in
      SchemaRow(
        row.databaseValues.map { value in
          switch value.storage {
          case .int64(let integer): .integer(integer)
          case .string(let text): .text(text)
          case .null, .double, .blob: .none
          }
        })
    }
  }
}

extension SchemaReader {
  /// A hash of the schema, which changes with any of its objects.
  ///
  /// `PRAGMA schema_version` would be cheaper to read. But GRDB's pools increment it each time they open a file without
  /// a write-ahead log, which is every time after a clean end of the app.
  ///
  /// Some tables are left out, because they come and go without the store's comparison and concern no record. These are
  /// the tables of synchronisation and of histories, and SQLite's table of the greatest keys, which comes with them. Otherwise, the next
  /// opening would compare the whole schema, and write.
  var fingerprint: String {
    let compared = objects.lazy.filter { object in
      ![object.name, object.table].contains { name in
        ["sanderling_sync_", HistoryTables.name].contains(where: name.folded.hasPrefix) || name == "sqlite_sequence"
      }
    }
    return StableHash.hexadecimal(of: compared.flatMap { [$0.type, $0.name, $0.table, $0.sql ?? ""] })
  }

  /// Whether the database contains no objects, except for an empty list of GRDB's migrations.
  func isFresh(_ db: Database) throws -> Bool {
    for object in objects where !object.name.folded.hasPrefix("sqlite_") {
      guard object.name == "grdb_migrations",
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM grdb_migrations)") == true
      else { return false }
    }
    return true
  }

  /// The table with a name; nil for views and virtual tables.
  func table(named name: String) throws -> ActualTable? {
    guard let object = object(named: name), object.type == "table", let sql = object.sql,
      let syntax = CreateTableSyntax(sql)
    else { return nil }
    let reader = TableReader(object.name, connection)
    let columns = try reader.columns()
    let indexes = try indexes(reader, columns: columns)
    return ActualTable(
      name: object.name, syntax: syntax, columns: columns, foreignKeys: try reader.foreignKeys(),
      indexes: indexes.map(\.index), hasKeyIndex: indexes.contains(where: \.isKey),
      notingTriggers: try NotingTriggerSet.names(of: object.name, connection))
  }

  private func indexes(
    _ reader: TableReader, columns: [ActualColumn]
  ) throws -> [(index: ActualIndex, isKey: Bool)] {
    try reader.indexes().compactMap { index in
      if let sql = object(named: index.name)?.sql {
        let shape = IndexShape(sql) { columns.named($0)?.collation }
        return shape.map { (ActualIndex(name: index.name, sql: sql, shape: $0), index.isKey) }
      }
      // Indexes of UNIQUE and PRIMARY KEY constraints have no statement.
      let terms = try reader.terms(of: index).map { term in
        IndexShape.Term(
          sql: SQLTokens((term.column ?? "").quotedIdentifier).tokens.map(\.text).joined(),
          collation: term.collation.lowercased(), isDescending: term.isDescending)
      }
      return (ActualIndex(name: index.name, sql: nil, shape: IndexShape(isUnique: true, terms: terms)), index.isKey)
    }
  }
}

/// A table in the database.
struct ActualTable {
  let name: String
  let syntax: CreateTableSyntax
  let columns: [ActualColumn]
  let foreignKeys: [TableForeignKey]
  let indexes: [ActualIndex]
  /// Whether the key has its own index, because it is not the rowid.
  let hasKeyIndex: Bool
  /// The names of the triggers that note rows for synchronisation or for a history.
  let notingTriggers: [String]

  var keyColumns: [ActualColumn] { columns.key }

  /// Whether the only column of the key is the rowid, to which SQLite assigns values.
  var keyIsRowID: Bool {
    keyColumns.count == 1 && !hasKeyIndex && !syntax.isWithoutRowID
  }

  func column(_ name: String) -> ActualColumn? {
    columns.named(name)
  }
}

/// An index in the database.
struct ActualIndex {
  let name: String
  /// The statement that creates the index; nil for the index of a constraint.
  let sql: String?
  let shape: IndexShape
}
