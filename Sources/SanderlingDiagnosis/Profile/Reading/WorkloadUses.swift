import SanderlingSQL

/// The uses of columns by all statements and by the expressions of the schema, with the compared values.
struct WorkloadUses {
  /// A value that is compared with a column.
  struct Given {
    var use: ComparedValue
    var value: BoundValue
  }

  private(set) var given: [Given] = []
  private(set) var columns: Set<ColumnKey> = []
  private(set) var joins: [(ColumnKey, ColumnKey)] = []
  private let schema: DatabaseSchema
  private let connection: SQLiteConnection

  init(_ workload: Workload, schema: DatabaseSchema, on connection: SQLiteConnection) {
    (self.schema, self.connection) = (schema, connection)
    for statement in workload.statements {
      if let parsed = try? SQLParser.parse(statement.sql) { add(parsed, statement.bindings) }
    }
    for view in schema.views {
      if let parsed = try? SQLParser.parseView(view.sql) { add(parsed, []) }
    }
    for table in schema.tables where table.kind == .ordinary { add(table) }
  }

  private mutating func add(_ parsed: SQLStatement, _ bindings: [[Int: BoundValue]]) {
    let uses = StatementUses(parsed, schema: schema)
    columns.formUnion(uses.columns.map(schema.canonical))
    joins += uses.joins.map { (schema.canonical($0), schema.canonical($1)) }
    for use in uses.values {
      var use = use
      use.column = schema.canonical(use.column)
      columns.insert(use.column)
      switch use.value {
      case .literal(let range):
        let sql = parsed.text[range]
        let value =
          sql.hasPrefix("\"") ? .text(sql.withoutQuotes) : (try? connection.value("SELECT \(sql)")) ?? nil
        if let value, value != .null { given.append(Given(use: use, value: value)) }
      case .parameter(let number):
        for value in bindings.compactMap({ $0[number] }) where value != .null {
          given.append(Given(use: use, value: value))
        }
      }
    }
  }

  private mutating func add(_ table: TableSchema) {
    var expressions = table.indexes.flatMap { $0.keys.compactMap(\.expression) + [$0.condition].compactMap { $0 } }
    expressions += table.columns.compactMap { $0.isGenerated ? table.expression(of: $0.name) : nil }
    expressions += table.checks
    for sql in expressions {
      if let parsed = try? SQLParser.parse("SELECT 1 FROM \(table.name.quotedIdentifier) WHERE (\(sql))") {
        add(parsed, [])
      }
    }
    for name in table.indexes.flatMap({ $0.keys.compactMap(\.column) }) + table.foreignKeys.flatMap(\.columns) {
      guard let column = table.column(name) else { continue }
      columns.insert(schema.canonical(ColumnKey(table: table.name, column: ColumnID(name: column.name))))
    }
  }
}

extension TableSchema {
  /// The conditions of CHECK constraints.
  var checks: [String] {
    let text = SQLText(sql)
    let tokens = SQLTokenizer(text).filter { !$0.isTrivia }
    return tokens.indices.compactMap { place in
      guard tokens[place].kind == .word, text[tokens[place].range].asciiUppercased == "CHECK",
        let end = tokens.closing(place + 1)
      else { return nil }
      return text[tokens[place + 1].range.upperBound..<tokens[end].range.lowerBound]
    }
  }
}
