import GRDB
public struct SchemaPlan: Hashable, Sendable { var isRefused: Bool { false } }
public struct Schema: Sendable { let tables: [TableDefinition]; public init(_ records: [any StoredRecord.Type]) throws { tables = records.map { $0.table } } }
enum SchemaMigration {
  static func open(_ writer: any DatabaseWriter, schema: Schema, migrator: DatabaseMigrator?) throws {
    try writer.write { db in
      for table in schema.tables {
        var parts = table.columns.map { "\($0.name.quotedIdentifier) \($0.type.rawValue)" + ($0.acceptsNull ? "" : " NOT NULL") + ($0.collation == .binary ? "" : " COLLATE \($0.collation.rawValue)") }
        if table.assignsKey { parts[table.key[0]] = "\(table.columns[table.key[0]].name.quotedIdentifier) INTEGER PRIMARY KEY" } else {
        parts.append("PRIMARY KEY (" + table.keyColumns.map(\.name.quotedIdentifier).joined(separator: ", ") + ")") }
        try db.execute(sql: "CREATE TABLE IF NOT EXISTS \(table.name.quotedIdentifier) (\(parts.joined(separator: ", ")))")
        for (n, index) in table.indexes.enumerated() {
          let list = try index.parts.map { try SQLCompiler.definition(of: $0.term) + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
          try db.execute(sql: "CREATE INDEX IF NOT EXISTS \"\(table.name)_\(n)\" ON \(table.name.quotedIdentifier) (\(list))" + (index.condition.map { try " WHERE " + SQLCompiler.definition(of: $0) } ?? ""))
        }
      }
    }
  }
  static func check(_ db: Database, schema: Schema) throws -> SchemaPlan { SchemaPlan() }
}
