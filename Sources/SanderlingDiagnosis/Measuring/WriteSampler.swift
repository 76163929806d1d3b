/// Chooses values for the parameters that INSERT and UPDATE store.
struct WriteSampler {
  let connection: SQLiteConnection
  let schema: DatabaseSchema

  /// Returns values of an existing row, changed if they must be unique.
  func values(for shape: QueryShape) -> [Int: BoundValue] {
    switch shape.resolved.statement.kind {
    case .insert(let insert): inserted(insert, shape)
    case .update(let update):
      assigned(
        update.assignments.compactMap { assignment in
          guard assignment.columns.count == 1, case .parameter(let number) = assignment.value.kind else { return nil }
          return (number, assignment.columns[0].text)
        }, shape.kind)
    default: [:]
    }
  }

  private func inserted(_ insert: SQLInsert, _ shape: QueryShape) -> [Int: BoundValue] {
    guard case .insert(let name) = shape.kind, let table = schema.table(name) else { return [:] }
    let columns =
      insert.columns.isEmpty
      ? table.columns.filter { !$0.isGenerated && !$0.isHidden }.map(\.name) : insert.columns.map(\.text)
    guard let rows = insert.select?.cores.first?.rows else { return [:] }
    var values: [Int: BoundValue] = [:]
    for (place, row) in rows.enumerated() {
      let pairs = zip(row, columns).compactMap { expression, column -> (Int, String)? in
        guard case .parameter(let number) = expression.kind else { return nil }
        return (number, column)
      }
      for (number, value) in assigned(pairs, shape.kind) {
        let column = pairs.first { $0.0 == number }.flatMap { table.column($0.1) }
        values[number] = column.map { isUnique($0, table) ? other(value, $0, place) : value } ?? value
      }
    }
    return values
  }

  private func isUnique(_ column: ColumnSchema, _ table: TableSchema) -> Bool {
    column.keyPosition > 0
      || table.indexes.contains { $0.isUnique && $0.keys.contains { $0.column == column.name } }
  }

  /// Returns a value that almost certainly no row has.
  private func other(_ value: BoundValue, _ column: ColumnSchema, _ place: Int) -> BoundValue {
    switch value {
    case .integer: .integer(.max / 2 + Int64(place))
    case .real: .real(1e300 + Double(place) * 1e290)
    case .text: .text("sanderling-\(place)")
    case .blob: .blob(Array("sanderling-\(place)".utf8))
    case .null: .null
    }
  }

  /// Returns the values of one row, for parameters and the columns that they go to.
  private func assigned(_ pairs: [(Int, String)], _ kind: QueryShape.Kind) -> [Int: BoundValue] {
    let table: String
    switch kind {
    case .insert(let name), .update(let name, _): table = name
    default: return [:]
    }
    guard !pairs.isEmpty, schema.table(table) != nil else { return [:] }
    let columns = pairs.map { $0.1.quotedIdentifier }.joined(separator: ", ")
    let sql = "SELECT \(columns) FROM \(table.quotedIdentifier) LIMIT 1"
    guard let row = try? connection.rows(sql).first else { return [:] }
    return Dictionary(zip(pairs.map(\.0), row)) { first, _ in first }
  }
}
