/// Finds the worst key of a row for statements that join many rows to it: the one that most rows refer to.
///
/// All keys of a unique column are alike to the column itself.
struct JoinedKeySampler {
  let sampler: BindingSampler
  let shape: QueryShape

  /// Values by parameter number. O(rows) of the tables that refer to the column.
  var values: [Int: BoundValue] {
    var values: [Int: BoundValue] = [:]
    for select in shape.selects {
      for source in select.sources {
        guard let table = source.table.flatMap(sampler.schema.table) else { continue }
        for term in source.terms where term.kind == .equality {
          guard case .parameter(let number) = term.value, let key = term.key, key.isColumn,
            isUnique(key, in: table), let value = mostFrequent(key)
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

  /// The value that the most rows of one joined table have.
  private func mostFrequent(_ key: KeyShape) -> BoundValue? {
    var best: (value: BoundValue, count: Int64)?
    for source in shape.selects.flatMap(\.sources) {
      guard let table = source.table.flatMap(sampler.schema.table), case .ordinary = table.kind else { continue }
      for term in source.terms {
        guard term.kind == .equality, let joined = term.joinedTo, joined.source == key.source,
          joined.columns.map(\.asciiLowercased) == key.columns.map(\.asciiLowercased), let own = term.key
        else { continue }
        let name = SQLIdentifier.quoted(table.name)
        let row = sampler.firstRow(
          { limit in
            let rows = limit.map { "(SELECT * FROM \(name) LIMIT \($0))" } ?? name
            return
              "SELECT \(own.sql), count(*) FROM \(rows) WHERE \(own.sql) IS NOT NULL GROUP BY 1 ORDER BY 2 DESC LIMIT 1"
          }, [])
        guard let row, let count = row.last?.integer, count > best?.count ?? 1 else { continue }
        best = (row[0], count)
      }
    }
    return best?.value
  }
}
