import SanderlingSQL

extension SQLiteConnection: SchemaConnection {
  var schemaHandle: OpaquePointer? { handle }

  func schemaRows(_ sql: String, _ arguments: [String]) throws -> [SchemaRow] {
    try rows(sql, arguments.map { .text($0) }).map { row in
      SchemaRow(
        row.map { value in
          switch value {
          case .integer(let integer): .integer(integer)
          case .text(let text): .text(text)
          case .null, .real, .blob: .none
          }
        })
    }
  }
}

/// Reads the schema, statistics and sizes of a copy.
struct DatabaseSchemaReader {
  let connection: SQLiteConnection
  /// The time for counting rows and pages. The schema itself is read without a limit.
  var countingTime = Duration.seconds(60)

  /// Reads the schema. Throws `DiagnosisError`. O(pages of the database), because rows and pages are counted.
  func read() throws -> DatabaseSchema {
    var schema = DatabaseSchema()
    let reader = try SchemaReader(connection)
    // SQLite before 3.37 doesn't have the list of tables.
    let entries = (try? reader.entries()) ?? []
    let shadows = Set(entries.lazy.filter { $0.type == "shadow" }.map(\.name))
    let indexes = Dictionary(reader.objects.lazy.filter { $0.type == "index" }.map { ($0.name, $0) }) { first, _ in
      first
    }
    for object in reader.objects {
      let (name, sql) = (object.name, object.sql ?? "")
      switch object.type {
      case "view": schema.views.append(ViewSchema(name: name, sql: sql, columns: viewColumns(name)))
      case "trigger": schema.triggers.append(TriggerSchema(name: name, table: object.table, sql: sql))
      case "table" where !name.asciiLowercased.hasPrefix("sqlite_"):
        do {
          schema.tables.append(try table(name, sql: sql, isShadow: shadows.contains(name), indexes))
        } catch let error as DiagnosisError {
          schema.limits.append("The table \(name) could not be read: \(error)")
        }
      default: break
      }
    }
    if entries.isEmpty { markShadowTables(in: &schema) }
    readStatistics(into: &schema)
    connection.limited(to: countingTime) { count(&schema) }
    return schema
  }

  // MARK: Tables

  private func table(
    _ name: String, sql: String, isShadow: Bool, _ indexes: [String: SchemaObject]
  ) throws -> TableSchema {
    var table = TableSchema(name: name, sql: sql)
    let module = Self.module(of: sql)
    table.kind = module.map { .virtual(module: $0) } ?? (isShadow ? .shadow : .ordinary)
    let reader = TableReader(name, connection)
    table.columns = try reader.columns()
    guard module == nil else { return table }
    let syntax = CreateTableSyntax(sql)
    table.isStrict = syntax?.isStrict ?? false
    table.isWithoutRowID = syntax?.isWithoutRowID ?? false
    table.primaryKey = table.columns.key.map(\.name)
    table.indexes = try reader.indexes().map { try schema(of: $0, on: name, indexes[$0.name]?.sql, reader) }
    table.foreignKeys = try reader.foreignKeys().map { key in
      ForeignKeySchema(
        table: name, columns: key.columns, parentTable: key.parent, parentColumns: key.parentColumns,
        onDelete: key.onDelete, onUpdate: key.onUpdate)
    }
    let hasKeyIndex = table.indexes.contains { $0.origin == .primaryKey }
    if table.primaryKey.count == 1, !hasKeyIndex, !table.isWithoutRowID,
      let column = table.column(table.primaryKey[0]), column.type.asciiLowercased == "integer"
    {
      table.rowIDAlias = column.name
    }
    return table
  }

  private func viewColumns(_ name: String) -> [String] {
    ((try? TableReader(name, connection).columns()) ?? []).filter { !$0.isHidden }.map(\.name)
  }

  /// Returns the module of a CREATE VIRTUAL TABLE statement; nil for other statements.
  static func module(of sql: String) -> String? {
    let tokens = SQLTokens(sql)
    guard tokens.isWord("virtual", at: 1),
      let using = tokens.tokens.indices.first(where: { tokens.isWord("using", at: $0) })
    else { return nil }
    return tokens.tokens.dropFirst(using + 1).first?.name
  }

  private func schema(
    of index: TableReader.Index, on table: String, _ sql: String?, _ reader: TableReader
  ) throws -> IndexSchema {
    let syntax = sql.flatMap { CreateIndexSyntax($0) }
    let expressions = syntax?.expressions ?? []
    let keys = try reader.terms(of: index).enumerated().map { place, term in
      IndexKey(
        column: term.isExpression ? nil : term.column ?? "rowid",
        expression: term.isExpression ? expressions[safe: place] ?? "?" : nil, isDescending: term.isDescending,
        collation: term.collation)
    }
    return IndexSchema(
      name: index.name, table: table, keys: keys, isUnique: index.isUnique, origin: index.origin,
      condition: index.isPartial ? syntax?.conditionSQL ?? "?" : nil, sql: sql, statistics: [])
  }

  /// Finds shadow tables for SQLite before 3.37: their names begin with the name of a virtual table and an underscore.
  private func markShadowTables(in schema: inout DatabaseSchema) {
    let prefixes = schema.tables.compactMap { table -> String? in
      if case .virtual = table.kind { table.name.asciiLowercased + "_" } else { nil }
    }
    for index in schema.tables.indices where schema.tables[index].kind == .ordinary {
      let name = schema.tables[index].name.asciiLowercased
      if prefixes.contains(where: name.hasPrefix) { schema.tables[index].kind = .shadow }
    }
  }

  // MARK: Statistics and sizes

  private func readStatistics(into schema: inout DatabaseSchema) {
    guard let rows = try? connection.rows("SELECT tbl, idx, stat FROM sqlite_stat1") else { return }
    schema.hasStatistics = true
    for row in rows {
      guard let name = row[0].text?.asciiLowercased, let text = row[2].text,
        let table = schema.tables.firstIndex(where: { $0.name.asciiLowercased == name })
      else { continue }
      let words = text.split(separator: " ")
      let numbers = words.prefix { Int64($0) != nil }.compactMap { Int64($0) }
      // The statistics of a partial index don't count all rows of the table.
      let index = row[1].text?.asciiLowercased
      let place = schema.tables[table].indexes.firstIndex { $0.name.asciiLowercased == index }
      if place.map({ !schema.tables[table].indexes[$0].isPartial }) ?? true, let rows = numbers.first {
        schema.tables[table].rowCount = max(rows, schema.tables[table].rowCount ?? 0)
      }
      if let place {
        schema.tables[table].indexes[place].statistics = Array(numbers)
        schema.tables[table].indexes[place].statisticsOptions = words.dropFirst(numbers.count).map(String.init)
      }
    }
  }

  private func count(_ schema: inout DatabaseSchema) {
    for index in schema.tables.indices where schema.tables[index].kind == .ordinary {
      let sql = "SELECT count(*) FROM \(schema.tables[index].name.quotedIdentifier)"
      guard let count = (try? connection.value(sql))??.integer else { continue }
      schema.tables[index].rowCount = count
      schema.tables[index].isRowCountExact = true
    }
    let sizes = (try? connection.rows("SELECT name, pageno FROM dbstat WHERE aggregate = TRUE")) ?? []
    let pages = sizes.reduce(into: [String: Int64]()) { pages, row in
      if let name = row[0].text, let count = row[1].integer { pages[name.asciiLowercased] = count }
    }
    for table in schema.tables.indices {
      schema.tables[table].pages = pages[schema.tables[table].name.asciiLowercased]
      for index in schema.tables[table].indexes.indices {
        let key = schema.tables[table].indexes[index].name.asciiLowercased
        schema.tables[table].indexes[index].pages = pages[key]
      }
    }
  }
}

extension BoundValue {
  var text: String? { if case .text(let text) = self { text } else { nil } }
  var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}
