/// Chooses values for the parameters that are compared with columns of one table.
struct TermSampler {
  let sampler: BindingSampler
  let table: TableSchema
  /// Whether the terms are branches of an OR, so that no single row needs the values of all.
  let isOfAlternatives: Bool

  func values(for terms: [TermShape], _ goal: SampleGoal) -> [Int: BoundValue] {
    var values: [Int: BoundValue] = [:]
    // Literals of the statement restrict the rows from which parameters get their values.
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
          // Further values of an IN list differ from the first one.
          values[number] = count == 0 ? chosen[place] : value(of: keys[place], after: Double(count) / 10, conditions)
        }
        if !isOfAlternatives { conditions.append(("\(keys[place]) IS ?", [chosen[place]])) }
      }
    }
    for term in terms where !term.parameters.isEmpty {
      guard let key = term.key?.sql ?? term.columns.first.map(\.quotedIdentifier) else { continue }
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
          let value = value(of: key, after: fraction(isLower: isLower, hasBoth: hasBoth, goal), conditions)
          values[number] = goal == .absent ? value?.neighbour(isGreater: isLower) : value
        }
      case .pattern(let name, _):
        for number in term.parameters where values[number] == nil {
          values[number] = pattern(name, key, conditions, isWhole: term.value == .parameter(number), goal)
        }
      case .other where [.rare, .absent, .least, .greatest].contains(goal) && term.columns.count == 1:
        // An expression that hides a column from indexes still compares it: `+kind = ?`.
        for number in term.parameters where values[number] == nil {
          values[number] = groupValues([key], conditions, goal)?.first
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

  /// Returns the position of a bound among the sorted values, so that half, nearly all, or hardly any rows remain.
  private func fraction(isLower: Bool, hasBoth: Bool, _ goal: SampleGoal) -> Double {
    switch (goal, hasBoth) {
    case (.typical, false): 0.5
    case (.typical, true): isLower ? 0.25 : 0.75
    case (.worst, _): isLower ? 0.01 : 0.99
    case (.rare, false): isLower ? 0.99 : 0.01
    case (.rare, true): isLower ? 0.495 : 0.505
    case (.absent, _): isLower ? 1 : 0
    case (.least, _): 0
    case (.greatest, _): 1
    }
  }

  // MARK: Questions

  private typealias Condition = (sql: String, values: [BoundValue])

  private func rows(_ columns: String, _ conditions: [Condition], _ limit: Int?) -> String {
    let condition = conditions.isEmpty ? "" : " WHERE " + conditions.map { "(\($0.sql))" }.joined(separator: " AND ")
    let limit = limit.map { " LIMIT \($0)" } ?? ""
    return "SELECT \(columns) FROM \(table.name.quotedIdentifier)\(condition)\(limit)"
  }

  /// Returns values that occur together: the most or least frequent ones, those of a group of middle size, the least or
  /// the greatest. For a combination that must not occur, returns the greatest values with a suffix.
  private func groupValues(_ keys: [String], _ conditions: [Condition], _ goal: SampleGoal) -> [BoundValue]? {
    let columns = keys.enumerated().map { "\($1) AS k\($0)" }.joined(separator: ", ")
    let names = keys.indices.map { "k\($0)" }.joined(separator: ", ")
    let isKnown = keys.indices.map { "k\($0) IS NOT NULL" }.joined(separator: " AND ")
    let values = conditions.flatMap(\.values)
    func groups(_ limit: Int?) -> String {
      "SELECT \(names), count(*) AS n FROM (\(rows(columns, conditions, limit))) WHERE \(isKnown) GROUP BY \(names)"
    }
    switch goal {
    case .typical, .worst: break
    case .rare, .least, .greatest, .absent:
      // One query computes everything about the groups, because grouping takes most of the time.
      let reversed = keys.indices.map { "k\($0) DESC" }.joined(separator: ", ")
      let ends = ["n, \(names)", names, reversed].flatMap { order in
        keys.indices.map { "(SELECT k\($0) FROM found ORDER BY \(order) LIMIT 1)" }
      }
      let row = sampler.firstRow(
        {
          "WITH found AS (\(groups($0))) SELECT \(ends.joined(separator: ", ")), "
            + "(SELECT count(*) FROM (SELECT 1 FROM found LIMIT \(Self.valuesOfFlag + 1)))"
        }, values)
      guard let row, row[0] != .null, let count = row.last?.integer else { return nil }
      // An app never asks for a state or a flag that no row has.
      let isAbsent = goal == .absent && (keys.count > 1 || count > Self.valuesOfFlag)
      let place = goal == .least ? 1 : goal == .greatest || isAbsent ? 2 : 0
      let chosen = row[(place * keys.count)..<((place + 1) * keys.count)]
      return isAbsent ? chosen.map { $0.neighbour(isGreater: true) } : Array(chosen)
    }
    var place: Int64 = 0
    if goal == .typical {
      let count = sampler.firstRow({ "SELECT count(*) FROM (\(groups($0)))" }, values)?.first?.integer ?? 0
      place = count / 2
    }
    let row = sampler.firstRow({ "\(groups($0)) ORDER BY n DESC, \(names) LIMIT 1 OFFSET \(place)" }, values)
    return (row ?? sampler.firstRow({ "\(groups($0)) LIMIT 1" }, values)).map { Array($0.prefix(keys.count)) }
  }

  /// Returns the value with the given part of all values before it.
  private func value(of key: String, after fraction: Double, _ conditions: [Condition]) -> BoundValue? {
    let conditions = conditions + [("\(key) IS NOT NULL", [])]
    let values = conditions.flatMap(\.values)
    if fraction == 0 || fraction == 1 {
      let row = sampler.firstRow({ "SELECT min(k), max(k) FROM (\(rows("\(key) AS k", conditions, $0)))" }, values)
      return row.map { fraction == 0 ? $0[0] : $0[1] }.flatMap { $0 == .null ? nil : $0 }
    }
    let count =
      sampler.firstRow(
        { "SELECT count(*) FROM (\(rows("1", conditions, $0)))" }, values)?.first?.integer ?? 0
    let place = Int64(clamping: Double(max(0, count - 1)) * fraction)
    return sampler.firstRow(
      { "SELECT k FROM (\(rows("\(key) AS k", conditions, $0))) ORDER BY k LIMIT 1 OFFSET \(place)" }, values)?.first
  }

  /// Returns the beginning of some text: three characters for typical values, the most frequent character for worst
  /// ones.
  private func pattern(
    _ name: String, _ key: String, _ conditions: [Condition], isWhole: Bool, _ goal: SampleGoal
  ) -> BoundValue? {
    let length = goal == .typical || goal == .rare ? 3 : 1
    let conditions = conditions + [("typeof(\(key)) = 'text'", [])]
    let values = conditions.flatMap(\.values)
    // Texts can be long, and a sample of the rows is exact enough for their beginnings.
    let texts = rows("substr(ltrim(\(key)), 1, \(length)) AS k", conditions, BindingSampler.sampledRows)
    let beginnings = "SELECT k, count(*) AS n FROM (\(texts)) GROUP BY k"
    var place: Int64 = 0
    if goal == .typical {
      place = (sampler.firstRow({ _ in "SELECT count(*) FROM (\(beginnings))" }, values)?.first?.integer ?? 0) / 2
    }
    let order = goal == .rare ? "n, k" : "n DESC, k"
    let row = sampler.firstRow({ _ in "\(beginnings) ORDER BY \(order) LIMIT 1 OFFSET \(place)" }, values)
    guard let beginning = row?.first?.text else { return nil }
    let text = goal == .absent ? Self.absentText : beginning.filter { !"%_*?[]\"".contains($0) }
    guard isWhole else { return .text(text) }
    switch name.uppercased() {
    case "LIKE": return .text(text + "%")
    case "GLOB": return .text(text + "*")
    default: return .text(text)
    }
  }

  /// The number of different values up to which a column holds states or flags. The app's code names such values, and
  /// no user chooses them.
  static let valuesOfFlag: Int64 = 8

  /// A text that almost certainly no row contains.
  private static let absentText = "qzxjvkqz"
}

extension BoundValue {
  /// A slightly greater or smaller value. For the greatest or the least value of a column, no row has the result.
  fileprivate func neighbour(isGreater: Bool) -> BoundValue {
    switch self {
    case .integer(let number): .integer(isGreater ? number &+ 1 : number &- 1)
    case .real(let number): .real(isGreater ? number + max(1, abs(number)) : number - max(1, abs(number)))
    case .text(let text): .text(isGreater ? text + "~" : "")
    case .blob(let bytes): .blob(isGreater ? bytes + [0xff] : [])
    case .null: .null
    }
  }
}
