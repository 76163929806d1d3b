import SanderlingSQLite

/// Reads the schema, statistics and sizes of a copy.
struct SchemaReader {
  let connection: SQLiteConnection
  /// The time limit for counting rows and pages. The schema itself is always read completely.
  var countingTime = Duration.seconds(60)

  /// Throws `DiagnosisError`. O(pages of the database) for the counts of rows and pages.
  func read() throws -> DatabaseSchema {
    var schema = DatabaseSchema()
    let kinds = tableKinds()
    for row in try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type IN ('table', 'view', 'trigger') ORDER BY rowid")
    {
      guard case .text(let type) = row[0], case .text(let name) = row[1] else { continue }
      let sql = row[3].text ?? ""
      switch type {
      case "view": schema.views.append(ViewSchema(name: name, sql: sql, columns: viewColumns(name)))
      case "trigger": schema.triggers.append(TriggerSchema(name: name, table: row[2].text ?? "", sql: sql))
      default:
        if name.asciiLowercased.hasPrefix("sqlite_") { continue }
        do {
          schema.tables.append(try table(name, sql: sql, kind: kinds[name]))
        } catch let error as DiagnosisError {
          schema.limits.append("The table \(name) could not be read: \(error)")
        }
      }
    }
    if kinds.isEmpty { markShadowTables(in: &schema) }
    readStatistics(into: &schema)
    connection.limited(to: countingTime) { count(&schema) }
    return schema
  }

  // MARK: Tables

  /// `table`, `virtual` or `shadow` by name. Empty before SQLite 3.37, which has no such list.
  private func tableKinds() -> [String: (type: String, isWithoutRowID: Bool, isStrict: Bool)] {
    let rows =
      (try? connection.rows("SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'")) ?? []
    return rows.reduce(into: [:]) { kinds, row in
      guard let name = row[0].text, let type = row[1].text else { return }
      kinds[name] = (type, row[2] == .integer(1), row[3] == .integer(1))
    }
  }

  private func table(
    _ name: String, sql: String, kind: (type: String, isWithoutRowID: Bool, isStrict: Bool)?
  ) throws -> TableSchema {
    var table = TableSchema(name: name, sql: sql)
    let module = Self.module(of: sql)
    table.kind = module.map { .virtual(module: $0) } ?? (kind?.type == "shadow" ? .shadow : .ordinary)
    table.isStrict = kind?.isStrict ?? false
    // cid, name, type, notnull, dflt_value, pk, hidden
    for row in try connection.rows("SELECT * FROM pragma_table_xinfo(?)", [.text(name)]) {
      guard row.count >= 7, let column = row[1].text else { continue }
      let type = row[2].text ?? ""
      let hidden = row[6].integer ?? 0
      table.columns.append(
        ColumnSchema(
          name: column, declaredType: type, affinity: Affinity(declaredType: type),
          collation: collation(of: column, in: name), isNotNull: row[3] == .integer(1), defaultSQL: row[4].text,
          primaryKeyPosition: Int(clamping: row[5].integer ?? 0), isGenerated: hidden == 2 || hidden == 3,
          isHidden: hidden == 1))
    }
    guard module == nil else { return table }
    table.primaryKey = table.columns.filter { $0.primaryKeyPosition > 0 }
      .sorted { $0.primaryKeyPosition < $1.primaryKeyPosition }.map(\.name)
    try readIndexes(of: &table)
    table.foreignKeys = try foreignKeys(of: name)
    return table
  }

  private func viewColumns(_ name: String) -> [String] {
    let rows = (try? connection.rows("SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(name)])) ?? []
    return rows.compactMap(\.first?.text)
  }

  private func collation(of column: String, in table: String) -> String {
    var collation: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection.handle, "main", table, column, nil, &collation, nil, nil, nil)
    return code == SQLITE_OK ? collation.map { String(cString: $0) } ?? "BINARY" : "BINARY"
  }

  /// The name of the module, after USING.
  static func module(of sql: String) -> String? {
    let text = SQLText(sql)
    var words: [String] = []
    for token in SQLTokenizer(text) where !token.isTrivia {
      let word = text[token.range]
      if words.count == 1, word.lowercased() != "virtual" { return nil }
      if words.last?.lowercased() == "using" { return SQLIdentifier.unquoted(word) }
      words.append(word)
    }
    return nil
  }

  private func foreignKeys(of table: String) throws -> [ForeignKeySchema] {
    var keys: [(id: Int64, key: ForeignKeySchema)] = []
    // id, seq, table, from, to, on_update, on_delete
    for row in try connection.rows("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq", [.text(table)]) {
      guard let id = row[0].integer, let parent = row[2].text, let column = row[3].text else { continue }
      if keys.last?.id != id {
        keys.append(
          (
            id,
            ForeignKeySchema(
              table: table, columns: [], parentTable: parent, parentColumns: [], onDelete: row[6].text ?? "",
              onUpdate: row[5].text ?? "")
          ))
      }
      keys[keys.count - 1].key.columns.append(column)
      if let parentColumn = row[4].text { keys[keys.count - 1].key.parentColumns.append(parentColumn) }
    }
    return keys.map(\.key)
  }

  // MARK: Indexes

  private func readIndexes(of table: inout TableSchema) throws {
    let definitions = try connection.rows(
      "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? COLLATE NOCASE", [.text(table.name)])
    let sql = definitions.reduce(into: [String: String]()) { sql, row in
      if let name = row[0].text, let text = row[1].text { sql[name] = text }
    }
    // seq, name, unique, origin, partial
    for row in try connection.rows("SELECT * FROM pragma_index_list(?)", [.text(table.name)]) {
      guard row.count >= 5, let name = row[1].text, let origin = row[3].text.flatMap(IndexSchema.Origin.init) else {
        continue
      }
      let definition = sql[name].flatMap(IndexDefinition.init)
      var keys: [IndexKey] = []
      var hasRowID = false
      // seqno, cid, name, desc, coll, key
      for (place, key) in try connection.rows("SELECT * FROM pragma_index_xinfo(?)", [.text(name)]).enumerated() {
        if key[1] == .integer(-1) { hasRowID = true }
        guard key[5] == .integer(1) else { continue }
        let isExpression = key[1] == .integer(-2)
        keys.append(
          IndexKey(
            column: isExpression ? nil : key[2].text ?? "rowid",
            expression: isExpression ? definition?.expression(at: place) ?? "?" : nil,
            isDescending: key[3] == .integer(1), collation: key[4].text ?? "BINARY"))
      }
      // The primary key of a table WITHOUT ROWID is the table itself: its entries have no rowid.
      if origin == .primaryKey, !hasRowID { table.isWithoutRowID = true }
      table.indexes.append(
        IndexSchema(
          name: name, table: table.name, keys: keys, isUnique: row[2] == .integer(1), origin: origin,
          condition: row[4] == .integer(1) ? definition?.condition ?? "?" : nil, sql: sql[name], statistics: []))
    }
    let hasKeyIndex = table.indexes.contains { $0.origin == .primaryKey }
    if table.primaryKey.count == 1, !hasKeyIndex, !table.isWithoutRowID,
      let column = table.column(table.primaryKey[0]), column.declaredType.asciiLowercased == "integer"
    {
      table.rowIDAlias = column.name
    }
  }

  /// Before SQLite 3.37, shadow tables are recognised by name, which begins with the virtual table's name.
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
      // A partial index does not show the table's number of rows.
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
      let sql = "SELECT count(*) FROM \(SQLIdentifier.quoted(schema.tables[index].name))"
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
