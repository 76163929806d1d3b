/// Finds a key for statements that join rows to one row: the key that the most rows refer to, the fewest, or none.
///
/// Within a unique column, all keys have the same frequency, so only the joined rows distinguish them.
struct JoinedKeySampler {
  let sampler: BindingSampler
  let shape: QueryShape
  let goal: SampleGoal

  /// Values by parameter number. O(rows) of the tables that refer to the column.
  var values: [Int: BoundValue] {
    var values: [Int: BoundValue] = [:]
    guard [.worst, .rare, .absent].contains(goal) else { return values }
    for select in shape.selects {
      for source in select.sources {
        guard let table = source.table.flatMap(sampler.schema.table) else { continue }
        for term in source.terms where term.kind == .equality {
          guard case .parameter(let number) = term.value, let key = term.key, key.isColumn,
            isUnique(key, in: table), let value = value(of: key, in: table)
          else { continue }
          values[number] = value
        }
      }
    }
    return values
  }

  private func isUnique(_ key: KeyShape, in table: TableSchema) -> Bool {
    let column = key.columns.first?.asciiLowercased
    if key.isRowid || table.primaryKey.map(\.asciiLowercased) == [column] { return true }
    return table.indexes.contains {
      $0.isUnique && !$0.isPartial && $0.keys.count == 1 && $0.keys[0].column?.asciiLowercased == column
    }
  }

  /// Returns the value with the most, or the fewest, rows of one joined table, or with none.
  private func value(of key: KeyShape, in table: TableSchema) -> BoundValue? {
    var best: (value: BoundValue, count: Int64)?
    for source in shape.selects.flatMap(\.sources) {
      guard let joined = source.table.flatMap(sampler.schema.table), case .ordinary = joined.kind else { continue }
      for term in source.terms {
        guard term.kind == .equality, let other = term.joinedTo, other.source == key.source,
          other.columns.map(\.asciiLowercased) == key.columns.map(\.asciiLowercased), let own = term.key
        else { continue }
        let name = joined.name.quotedIdentifier
        if goal == .absent {
          let row = sampler.firstRow(
            { limit in
              let rows = limit.map { "(SELECT * FROM \(table.name.quotedIdentifier) LIMIT \($0))" }
              return "SELECT \(key.sql) FROM \(rows ?? table.name.quotedIdentifier) WHERE \(key.sql) NOT IN "
                + "(SELECT \(own.sql) FROM \(name) WHERE \(own.sql) IS NOT NULL) LIMIT 1"
            }, [])
          if let value = row?.first { return value }
          continue
        }
        let row = sampler.firstRow(
          { limit in
            let rows = limit.map { "(SELECT * FROM \(name) LIMIT \($0))" } ?? name
            return
              "SELECT \(own.sql), count(*) FROM \(rows) WHERE \(own.sql) IS NOT NULL GROUP BY 1 ORDER BY 2 \(goal == .worst ? "DESC" : "ASC") LIMIT 1"
          }, [])
        guard let row, let count = row.last?.integer else { continue }
        let isBetter = goal == .worst ? count > best?.count ?? 1 : count < best?.count ?? .max
        if isBetter { best = (row[0], count) }
      }
    }
    return best?.value
  }
}
