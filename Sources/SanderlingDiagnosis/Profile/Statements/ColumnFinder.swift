/// Finds the columns of tables to which a statement's expressions refer, through views, subqueries and common tables.
struct ColumnFinder {
  let resolved: ResolvedStatement
  let schema: DatabaseSchema
  var depth = 0

  /// Returns the column of an expression: the column itself, or one inside a wrapper that keeps its value.
  func column(_ expression: SQLExpression) -> ColumnKey? {
    let expression = expression.unwrapped
    switch expression.kind {
    case .column: return resolved.meaning(of: expression).flatMap(column)
    case .collate(let inner, _), .unary(.plus, let inner): return column(inner)
    case .call(let call) where ["coalesce", "ifnull"].contains(call.name.key):
      return call.arguments.first.flatMap(column)
    case .call(let call) where call.name.key == "json_extract" && call.arguments.count == 2:
      return path(call.arguments[1]).flatMap { column(call.arguments[0], at: $0) }
    case .binary(.extractSQL, let value, let path): return self.path(path).flatMap { column(value, at: $0) }
    default: return nil
    }
  }

  /// Returns the columns that an expression reads, with their positions.
  func columns(in expression: SQLExpression) -> [(expression: SQLExpression, column: ColumnKey)] {
    expression.withDescendants.compactMap { node in
      guard case .column = node.kind else { return nil }
      return column(node).map { (node, $0) }
    }
  }

  private func column(_ expression: SQLExpression, at path: String) -> ColumnKey? {
    guard var key = column(expression), key.column.path == nil else { return nil }
    key.column.path = path
    return key
  }

  /// Returns a path such as `$.name`, also for a name alone; nil for deeper paths, which are not followed.
  private func path(_ expression: SQLExpression) -> String? {
    guard case .literal(.string) = expression.unwrapped.kind else { return nil }
    let text = resolved.statement.sql(expression.unwrapped.range).withoutQuotes
    let name = text.hasPrefix("$.") ? text.dropFirst(2) : text[...]
    return !name.isEmpty && name.utf8.allSatisfy(\.isNameByte) ? "$." + name : nil
  }

  private func column(_ meaning: ColumnMeaning) -> ColumnKey? {
    guard depth < 20 else { return nil }
    switch meaning {
    case .column(let id, let name): return resolved.sources[id].flatMap { column(named: name, of: $0) }
    case .result(let core, let index): return result(index, of: core)
    case .string, .unknown: return nil
    }
  }

  private func column(named name: String, of source: ResolvedSource) -> ColumnKey? {
    switch source.kind {
    case .table:
      guard let table = schema.table(source.table?.name ?? ""), let column = table.column(name) else { return nil }
      return ColumnKey(table: table.name, column: ColumnID(name: column.name))
    case .subquery, .commonTable:
      guard let core = source.cores.first, let index = source.columns.firstIndex(where: { $0 == name }) else {
        return nil
      }
      return deeper.result(index, of: core)
    case .view:
      guard let sql = source.table?.viewSQL, let statement = try? SQLParser.parseView(sql),
        let index = source.columns.firstIndex(where: { $0 == name })
      else { return nil }
      let view = SQLResolver.resolve(statement, in: schema.description)
      guard case .select(let select) = statement.kind, let core = select.cores.first else { return nil }
      return ColumnFinder(resolved: view, schema: schema, depth: depth + 1).result(index, of: core.id)
    case .function, .unknown: return nil
    }
  }

  private var deeper: ColumnFinder { ColumnFinder(resolved: resolved, schema: schema, depth: depth + 1) }

  private func result(_ index: Int, of core: Int) -> ColumnKey? {
    guard let results = resolved.core(core)?.results, results.indices.contains(index) else { return nil }
    if let expression = results[index].expression { return deeper.column(expression) }
    return results[index].meaning.flatMap { deeper.column($0) }
  }
}
