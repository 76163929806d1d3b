import GRDB
import SanderlingSQL

/// The store's notes on the objects that it created in a database: the table `sanderling_schema`.
///
/// The notes distinguish the store's indexes from the app's, and a column that a record lost from a column that it
/// never had.
struct SchemaRecord {
  static let table = "sanderling_schema"

  /// The tables, as they were declared when the store was last opened.
  private(set) var tables: [FoldedName: (name: String, syntax: CreateTableSyntax)] = [:]
  private(set) var indexes: Set<FoldedName> = []
  /// The statements by their names, compared by bytes. Swift's `==` could treat different names or texts as equal.
  private let rows: [StorageValue: StorageValue]

  init(_ db: Database, _ reader: SchemaReader) throws {
    guard reader.object(named: Self.table)?.type == "table" else {
      rows = [:]
      return
    }
    let rows = try Row.fetchAll(db, sql: #"SELECT "name", "sql" FROM "sanderling_schema""#)
      .map { (name: $0[0] as String, sql: $0[1] as String) }
    self.rows = Dictionary(rows.map { (.text($0.name), .text($0.sql)) }, uniquingKeysWith: { first, _ in first })
    for row in rows where row.name != Self.table {
      if let syntax = CreateTableSyntax(row.sql) {
        tables[row.name.folded] = (row.name, syntax)
      } else {
        indexes.insert(row.name.folded)
      }
    }
  }

  /// Whether the database had this schema when the notes were saved, and has not changed since.
  func isCurrent(_ schema: StoreSchema, _ reader: SchemaReader) -> Bool {
    rows[.text(Self.table)] == .text(Self.state(schema, reader))
  }

  private static func state(_ schema: StoreSchema, _ reader: SchemaReader) -> String {
    "\(schema.fingerprint) \(reader.fingerprint)"
  }

  /// Notes that the database has the schema.
  func save(_ schema: StoreSchema, in db: Database) throws {
    if rows.isEmpty {
      try db.execute(
        sql: """
          CREATE TABLE IF NOT EXISTS "sanderling_schema" ("name" TEXT NOT NULL PRIMARY KEY, "sql" TEXT NOT NULL)
          """)
    }
    let reader = try SchemaReader(db)
    var newRows = [(name: Self.table, sql: Self.state(schema, reader))]
    for table in schema.tables {
      newRows.append((table.name, table.sql))
      for index in table.indexes where reader.object(named: index.name)?.type == "index" {
        newRows.append((index.name, index.sql))
      }
    }
    if newRows.count == rows.count && newRows.allSatisfy({ rows[.text($0.name)] == .text($0.sql) }) { return }
    try db.execute(sql: #"DELETE FROM "sanderling_schema""#)
    for (name, sql) in newRows.sorted(by: { $0.name < $1.name }) {
      try db.execute(sql: #"INSERT INTO "sanderling_schema" ("name", "sql") VALUES (?, ?)"#, arguments: [name, sql])
    }
  }
}
