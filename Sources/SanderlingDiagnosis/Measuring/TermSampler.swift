/// Chooses values for the parameters that are compared with columns of one table.
struct TermSampler {
  let sampler: BindingSampler
  let table: TableSchema
  /// Branches of an OR: their values need not occur together.
  let isOfAlternatives: Bool

  func values(for terms: [TermShape], _ goal: SampleGoal) -> [Int: BoundValue] {
    var values: [Int: BoundValue] = [:]
    // Literals of the statement restrict the rows among which parameters choose.
    let literals = isOfAlternatives ? [] : terms.compactMap { $0.parameters.isEmpty ? $0.indexCondition : nil }
    let equal = terms.filter { isEquality($0) && !$0.parameters.isEmpty && $0.key != nil }
    var conditions = literals.map { (sql: $0, values: [BoundValue]()) }
    for group in isOfAlternatives ? equal.map({ [$0] }) : equal.isEmpty ? [] : [equal] {
      var keys: [String] = []
      for term in group { if let key = term.key?.sql, !keys.contains(key) { keys.append(key) } }
      guard let chosen = groupValues(keys, conditions, goal) else { continue }
      for term in group {
        guard let place = term.key.flatMap({ keys.firstIndex(of: $0.sql) }) else { continue }
        for (count, number) in term.parameters.enumerated() where values[number] == nil {
          // Further values of a list are others.
          values[number] = count == 0 ? chosen[place] : value(of: keys[place], after: Double(count) / 10, conditions)
        }
        if !isOfAlternatives { conditions.append(("\(keys[place]) IS ?", [chosen[place]])) }
      }
    }
    for term in terms where !term.parameters.isEmpty {
      guard let key = term.key?.sql ?? term.columns.first.map(SQLIdentifier.quoted) else { continue }
      switch term.kind {
      case .range(let lower, let upper):
        let hasBoth =
          (lower && upper)
          || terms.contains { other in
            guard case .range(let otherLower, let otherUpper) = other.kind, other.key == term.key else { return false }
            return (lower && otherUpper) || (upper && otherLower)
          }
        for (place, number) in term.parameters.enumerated() where values[number] == nil {
          let isLower = lower && upper ? place == 0 : lower
          values[number] = value(of: key, after: fraction(isLower: isLower, hasBoth: hasBoth, goal), conditions)
        }
      case .pattern(let name, _):
        for number in term.parameters where values[number] == nil {
          values[number] = pattern(name, key, conditions, isWhole: term.value == .parameter(number), goal)
        }
      case .other, .truth:
        for number in term.parameters where values[number] == nil {
          values[number] = pattern("", key, conditions, isWhole: false, goal) ?? value(of: key, after: 0.5, conditions)
        }
      default: break
      }
    }
    return values
  }

  private func isEquality(_ term: TermShape) -> Bool {
    switch term.kind {
    case .equality, .membership: true
    default: false
    }
  }

  /// Where among the sorted values a bound stands, so that half or nearly all rows remain.
  private func fraction(isLower: Bool, hasBoth: Bool, _ goal: SampleGoal) -> Double {
    switch (goal, hasBoth) {
    case (.typical, false): 0.5
    case (.typical, true): isLower ? 0.25 : 0.75
    case (.worst, _): isLower ? 0.01 : 0.99
    }
  }

  // MARK: Questions

  private typealias Condition = (sql: String, values: [BoundValue])

  private func rows(_ columns: String, _ conditions: [Condition], _ limit: Int?) -> String {
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.map { "(\($0.sql))" }.joined(separator: " AND ")
    let limit = limit.map { " LIMIT \($0)" } ?? ""
    return "SELECT \(columns) FROM \(SQLIdentifier.quoted(table.name))\(condition)\(limit)"
  }

  /// Values that occur together: the most frequent ones, or those of a group of middle size.
  private func groupValues(_ keys: [String], _ conditions: [Condition], _ goal: SampleGoal) -> [BoundValue]? {
    let columns = keys.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let names = keys.indices.map { "k\($0)" }.joined(separator: ", ")
    let isKnown = keys.indices.map { "k\($0) IS NOT NULL" }.joined(separator: " AND ")
    let values = conditions.flatMap(\.values)
    func groups(_ limit: Int?) -> String {
      "SELECT \(names), count(*) AS n FROM (\(rows(columns, conditions, limit))) WHERE \(isKnown) GROUP BY \(names)"
    }
    var place: Int64 = 0
    if goal == .typical {
      let count = sampler.firstRow({ "SELECT count(*) FROM (\(groups($0)))" }, values)?.first?.integer ?? 0
      place = count / 2
    }
    let row = sampler.firstRow({ "\(groups($0)) ORDER BY n DESC, \(names) LIMIT 1 OFFSET \(place)" }, values)
    return (row ?? sampler.firstRow({ "\(groups($0)) LIMIT 1" }, values)).map { Array($0.prefix(keys.count)) }
  }

  /// The value with the given part of all values before it.
  private func value(of key: String, after fraction: Double, _ conditions: [Condition]) -> BoundValue? {
    let conditions = conditions + [("\(key) IS NOT NULL", [])]
    let values = conditions.flatMap(\.values)
    let count =
      sampler.firstRow(
        { "SELECT count(*) FROM (\(rows("1", conditions, $0)))" }, values)?.first?.integer ?? 0
    let place = Int64(clamping: Double(max(0, count - 1)) * fraction)
    return sampler.firstRow(
      { "SELECT k FROM (\(rows("\(key) AS k", conditions, $0))) ORDER BY k LIMIT 1 OFFSET \(place)" }, values)?.first
  }

  /// A beginning of some of the texts: of three characters for typical, the most frequent character for worst.
  private func pattern(
    _ name: String, _ key: String, _ conditions: [Condition], isWhole: Bool, _ goal: SampleGoal
  ) -> BoundValue? {
    let length = goal == .typical ? 3 : 1
    let conditions = conditions + [("typeof(\(key)) = 'text'", [])]
    let values = conditions.flatMap(\.values)
    // Texts are long, and a beginning needs no more exactness than some of them give.
    let texts = rows("substr(ltrim(\(key)), 1, \(length)) AS k", conditions, BindingSampler.sampledRows)
    let beginnings = "SELECT k, count(*) AS n FROM (\(texts)) GROUP BY k"
    var place: Int64 = 0
    if goal == .typical {
      place = (sampler.firstRow({ _ in "SELECT count(*) FROM (\(beginnings))" }, values)?.first?.integer ?? 0) / 2
    }
    let row = sampler.firstRow({ _ in "\(beginnings) ORDER BY n DESC, k LIMIT 1 OFFSET \(place)" }, values)
    guard let beginning = row?.first?.text else { return nil }
    let text = beginning.filter { !"%_*?[]\"".contains($0) }
    guard isWhole else { return .text(text) }
    switch name.uppercased() {
    case "LIKE": return .text(text + "%")
    case "GLOB": return .text(text + "*")
    default: return .text(text)
    }
  }
}
