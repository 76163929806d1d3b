/// Makes keys of an index from ORDER BY, GROUP BY, DISTINCT, min() and max(), as far as they concern one source.
struct OrderKeys {
  let select: SelectShape
  let source: SourceShape
  let table: TableSchema
  let resolved: ResolvedStatement

  typealias Key = IndexCandidate.Key
  typealias Sequence = SourceCandidates.Sequence

  /// The sequences that can follow keys with one value each, the most promising first.
  func tails(after fixed: [Key]) -> [Sequence] {
    var tails: [Sequence] = []
    for window in select.windows {
      if let order = order(by: window, after: fixed) { tails.append(Sequence(keys: order, purposes: [.order])) }
    }
    if let order = order(by: select.orderBy, after: fixed) { tails.append(Sequence(keys: order, purposes: [.order])) }
    if let group = keys(select.groupBy, after: fixed) {
      tails.append(Sequence(keys: group + aggregated(after: fixed + group), purposes: [.group]))
      tails.append(Sequence(keys: group, purposes: [.group]))
    }
    if select.isDistinct, let distinct = keys(select.distinct, after: fixed) {
      tails.append(Sequence(keys: distinct, purposes: [.distinct]))
    }
    if select.groupBy.isEmpty {
      for aggregate in select.aggregates {
        guard let key = aggregate.key, key.source == source.id, !key.isRowid else { continue }
        let isExtreme = aggregate.function == "min" || aggregate.function == "max"
        guard isExtreme || aggregate.isDistinct else { continue }
        tails.append(
          Sequence(keys: [reader.key(key, collation: key.collation)], purposes: [isExtreme ? .extreme : .distinct]))
      }
    }
    return tails.filter { !$0.keys.isEmpty }
  }

  /// The result columns of a subquery after IN, if all are of the source.
  func selected() -> Sequence {
    guard select.role == .membership, let core = resolved.core(select.id) else {
      return Sequence(keys: [], purposes: [])
    }
    let keys = core.results.compactMap { column -> Key? in
      guard let expression = column.expression,
        let shape = KeyReader(resolved: resolved).key(expression, in: core), shape.source == source.id, !shape.isRowid
      else { return nil }
      return reader.key(shape, collation: shape.collation)
    }
    return keys.count == core.results.count
      ? Sequence(keys: keys, purposes: [.filter]) : Sequence(keys: [], purposes: [])
  }

  private var reader: TermKeys { TermKeys(table: table) }

  /// The terms of ORDER BY before the first term of another source. If all terms are descending, the keys are
  /// ascending: SQLite then reads the index backwards.
  private func order(by terms: [OrderShape], after fixed: [Key]) -> [Key]? {
    var keys: [Key] = []
    var turnsAround = false
    for term in terms {
      guard let shape = term.key, shape.source == source.id else { break }
      if shape.isRowid {
        // Each index ends with the rowid in ascending order.
        turnsAround = term.isDescending
        break
      }
      let key = reader.key(shape, collation: term.collation, isDescending: term.isDescending)
      if fixed.contains(where: { $0.isLike(key) }) || keys.contains(where: { $0.isLike(key) }) { continue }
      keys.append(key)
    }
    guard let first = keys.first else { return nil }
    let isUniform = keys.allSatisfy { $0.isDescending == first.isDescending }
    let endsWithRowID = keys.count < terms.count && terms.contains { $0.key?.isRowid == true }
    if isUniform && !endsWithRowID { turnsAround = first.isDescending }
    if turnsAround { for place in keys.indices { keys[place].isDescending.toggle() } }
    return keys
  }

  /// All keys of a grouping; nil if some are not of this source.
  private func keys(_ terms: [OrderShape], after fixed: [Key]) -> [Key]? {
    var keys: [Key] = []
    for term in terms {
      guard let shape = term.key, shape.source == source.id else { return nil }
      if shape.isRowid { return nil }
      let key = reader.key(shape, collation: term.collation)
      if fixed.contains(where: { $0.isLike(key) }) || keys.contains(where: { $0.isLike(key) }) { continue }
      keys.append(key)
    }
    return keys.isEmpty ? nil : keys
  }

  /// The arguments of aggregates, so that the index also holds them.
  private func aggregated(after held: [Key]) -> [Key] {
    var keys: [Key] = []
    for aggregate in select.aggregates {
      guard let shape = aggregate.key, shape.source == source.id, !shape.isRowid, shape.isColumn else { continue }
      let key = reader.key(shape, collation: shape.collation)
      if !(held + keys).contains(where: { $0.isLike(key) }) { keys.append(key) }
    }
    return keys
  }
}
