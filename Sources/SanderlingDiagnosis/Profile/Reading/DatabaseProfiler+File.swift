/// The parts of a profile that concern the file, the schema, and full-text tables.
extension DatabaseProfiler {
  // MARK: Full-text tables

  /// Profiles a full-text table with its own texts. Tables with the texts of another table are indexed again.
  func fullText(_ table: TableSchema, _ words: [ColumnKey: [String]]) throws -> ProfiledTable? {
    guard table.isFullText else { return nil }
    let source = table.name.quotedIdentifier
    guard let rows = (try? connection.value("SELECT count(*) FROM \(source)"))??.integer else { return nil }
    var profiled = ProfiledTable(name: table.name, rows: rows, columns: [])
    let searched = words[ColumnKey(table: table.name, column: ColumnID(name: table.name))] ?? []
    let shares = searched.map { word in
      let match = "SELECT count(*) FROM \(source) WHERE \(source) MATCH ?"
      let found = (try? connection.value(match, [.text("\"\(word)\"")]))??.integer ?? 0
      return (Double(found) / Double(max(1, rows))).rounded(digits: 5)
    }
    for (index, column) in table.columns.filter({ !$0.isHidden }).enumerated() {
      var part = ProfiledValues(form: .text, count: max(1, rows))
      let lengths =
        (try? connection.rows(
          "SELECT length(CAST(\(column.name.quotedIdentifier) AS BLOB)) FROM \(source) LIMIT 2000")) ?? []
      let sorted = lengths.map { Int($0[0].integer ?? 0) }.sorted()
      if !sorted.isEmpty {
        part.lengths = (0..<8).map { ValueShapes.rounded(sorted[($0 * 2 + 1) * sorted.count / 16]) }
      }
      if index == 0 { part.words = shares }
      var profiledColumn = ProfiledColumn(name: column.name)
      profiledColumn.parts = [part]
      profiled.columns.append(profiledColumn)
    }
    return profiled
  }

  // MARK: The rest of the file

  var settings: ProfiledDatabase {
    var size: Int64 = 4096
    while size < copy.bytes { size *= 2 }
    return ProfiledDatabase(
      pageSize: copy.header.pageSize, usesWriteAheadLog: copy.header.usesWriteAheadLog,
      autoVacuum: copy.header.autoVacuum, bytes: size)
  }

  /// Returns the schema with replaced literals, and notes on the omitted parts.
  func objects(_ translator: SchemaTranslator) throws -> (objects: [ProfiledObject], notes: [String]) {
    var objects: [ProfiledObject] = []
    var notes: [String] = []
    for table in schema.tables {
      switch table.kind {
      case .ordinary:
        objects.append(
          ProfiledObject(kind: .table, name: table.name, table: table.name, sql: try translator.table(table)))
      case .virtual where table.isFullText:
        let definition = FullTextDefinition(table, schema)
        objects.append(
          ProfiledObject(kind: .fullText, name: table.name, table: table.name, sql: definition.sql))
        if definition.isShortened {
          notes.append("Arguments of the full-text table \(table.name) were left out: they could be values.")
        }
      default: break
      }
    }
    for index in schema.tables.flatMap({ $0.kind == .ordinary ? $0.indexes : [] }) {
      if let sql = try translator.index(index) {
        objects.append(ProfiledObject(kind: .index, name: index.name, table: index.table, sql: sql))
      }
    }
    for view in schema.views {
      objects.append(ProfiledObject(kind: .view, name: view.name, table: view.name, sql: try translator.view(view)))
    }
    for trigger in schema.triggers {
      objects.append(
        ProfiledObject(kind: .trigger, name: trigger.name, table: trigger.table, sql: translator.neutral(trigger.sql)))
    }
    return (objects, notes)
  }

  func statistics() -> [[String?]]? {
    guard schema.hasStatistics else { return nil }
    let rows = (try? connection.rows("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx")) ?? []
    // Keeps only names of the schema, numbers and SQLite's own words, because any program can write to this table.
    return rows.filter { row in
      row[0].text.flatMap(schema.table) != nil && (row[1] == .null || row[1].text.map(schema.names.contains) == true)
    }.map { row in
      let words = (row[2].text ?? "").split(separator: " ").filter { word in
        word.allSatisfy(\.isNumber) || ["unordered", "noskipscan"].contains(word)
          || word.hasPrefix("sz=") && Int(word.dropFirst(3)) != nil
      }
      return [row[0].text, row[1].text, words.joined(separator: " ")]
    }
  }
}
