/// The choice among the measured sets.
extension StatementTrials {
  /// The greatest number of harmful sets after which the next best set is tried.
  private static let mostHarmful = 4

  /// The best set that does no harm with values of any kind; nil if no set is a gain.
  ///
  /// Throws `DiagnosisError`.
  func harmless(
    _ results: [IndexBench.Result], on bench: IndexBench, _ advice: inout StatementAdvice
  ) throws -> IndexBench.Result? {
    var rest = results
    for _ in 0..<Self.mostHarmful {
      guard let first = best(of: rest) else { return nil }
      let result = try reduced(first, on: bench)
      guard try isConfirmed(result, on: bench) else { return nil }
      let verdict = try bench.harm(to: statement, with: result.set, by: advisor.harm)
      guard case .harmful(let harm) = verdict else {
        advice.note(verdict)
        return result
      }
      advice.rejected.append(
        StatementAdvice.Rejected(
          sql: result.set.map { $0.creation(named: advisor.names.name(of: $0)) },
          comparisons: comparisons(result.measurements), reason: harm.reason))
      rest.removeAll { Set($0.set) == Set(first.set) || Set($0.set) == Set(result.set) }
    }
    return nil
  }

  /// Whether a set is a gain. If only the time shows it, the statement is measured again without the set, because other
  /// processes may have slowed the first measurement.
  func isConfirmed(_ result: IndexBench.Result, on bench: IndexBench) throws -> Bool {
    if rule.isMetByCost(result.measurements) { return true }
    guard let now = try bench.measure(statement, with: []) else { return false }
    return GainRule(before: now.measurements, executions: statement.statement.count).isMet(by: result.measurements)
  }

  /// The simplest of the sets that are about as good as the best set.
  func best(of results: [IndexBench.Result]) -> IndexBench.Result? {
    let paying = rule.paying(results, \.measurements).filter { result in
      !result.set.allSatisfy { $0.seekingKeys == 0 }
        || rule.gain(result.measurements)
          >= (readsFewPages(result) ? Self.leastShareOfShortCopy : Self.leastShareOfCopy) * rule.cost
    }
    guard let least = paying.map({ rule.cost($0.measurements) }).min() else { return nil }
    let good = paying.filter { isAsGood(rule.cost($0.measurements), as: least) }
    guard let first = good.first else { return nil }
    let best = good.dropFirst().reduce(first) { $1.isSimpler(than: $0) ? $1 : $0 }
    guard hasLimit, best.isWalk else { return best }
    // The cost of a scan that LIMIT ends depends on the values. The cost of a search depends on the rows that it finds.
    let searches = paying.filter { result in
      !result.isWalk && rule.gain(result.measurements) >= 0.9 * rule.gain(best.measurements)
    }
    return searches.min { rule.cost($0.measurements) < rule.cost($1.measurements) } ?? best
  }

  /// The share of the cost that an index must save if SQLite reads it from end to end: the index is a copy of columns
  /// of the table.
  static let leastShareOfCopy = 0.4
  /// The same share for an index of at most an eighth of the table's pages: nearly all reads from the disk are saved.
  private static let leastShareOfShortCopy = 0.3

  private func readsFewPages(_ result: IndexBench.Result) -> Bool {
    let pages = (
      before: statement.measurements.reduce(0) { $0 + $1.pages }, after: result.measurements.reduce(0) { $0 + $1.pages }
    )
    return 8 * pages.after <= pages.before
  }

  var hasLimit: Bool { shape.selects.contains { $0.parent == nil && $0.limit != nil } }

  /// Whether a cost is not noticeably greater than a lower cost.
  func isAsGood(_ cost: Double, as least: Double) -> Bool {
    cost <= 1.2 * least + Self.negligibleCost && rule.cost - cost >= 0.8 * (rule.cost - least)
  }

  /// The cost that is too small to justify a column.
  static let negligibleCost = 1_500.0

  /// Whether the best set leaves hardly any cost.
  func isGoodEnough(_ results: [IndexBench.Result]) -> Bool {
    guard let best = best(of: results) else { return false }
    let rows = best.measurements.reduce(0.0) { $0 + Double($1.rowsReturned) }
    return rule.cost(best.measurements) <= max(0.001 * rule.cost, 400 + 120 * rows)
  }

  /// The set without indexes that add nothing.
  func reduced(_ result: IndexBench.Result, on bench: IndexBench) throws -> IndexBench.Result {
    var current = result
    for index in result.set where current.set.count > 1 {
      if bench.isLost { break }
      guard let smaller = try bench.measure(statement, with: current.set.filter { $0 != index }) else { continue }
      let (cost, least) = (rule.cost(smaller.measurements), rule.cost(current.measurements))
      if isAsGood(cost, as: least), rule.isMet(by: smaller.measurements) { current = smaller }
    }
    return try narrowed(current, on: bench)
  }

  /// The set without columns that are only read, if that leaves most of the gain: an index takes space, and writes
  /// maintain it.
  func narrowed(_ result: IndexBench.Result, on bench: IndexBench) throws -> IndexBench.Result {
    let least = Self.shareOfGainOfNarrow * rule.gain(result.measurements)
    var current = result
    for index in result.set where !bench.isLost {
      guard let narrow = index.withoutReadKeys, !current.set.contains(narrow),
        advisor.schema.table(narrow.table)?.isServed(narrow) == false,
        let other = try bench.measure(statement, with: current.set.map { $0 == index ? narrow : $0 })
      else { continue }
      if rule.isMet(by: other.measurements), rule.gain(other.measurements) >= least { current = other }
    }
    return current
  }

  /// The share of the gain that suffices for an index with fewer columns.
  static let shareOfGainOfNarrow = 0.8
}

extension IndexCandidate {
  /// The index with only the keys that find or order rows; nil if it has no other keys, or only other keys.
  fileprivate var withoutReadKeys: IndexCandidate? {
    guard (1..<keys.count).contains(seekingKeys) else { return nil }
    var index = self
    index.keys = Array(keys.prefix(seekingKeys))
    return index
  }
}

extension [IndexCandidate] {
  /// Whether these are the indexes of another set, perhaps without columns that are only read.
  func areNarrowed(from other: [IndexCandidate]) -> Bool {
    let own = Set(self)
    return other.count == count && other.allSatisfy { own.contains($0) || $0.withoutReadKeys.map(own.contains) == true }
  }

  /// The number of columns and conditions of all indexes.
  var size: Int { reduce(0) { $0 + $1.keys.count + ($1.condition == nil ? 0 : 1) } }
}

extension IndexBench.Result {
  /// Whether this set is the better choice of two sets with about the same cost.
  func isSimpler(than other: Self) -> Bool {
    // An index with a small part of the rows is better than an index of all rows.
    if pages < other.pages / 4 { return true }
    if other.pages < pages / 4 { return false }
    return (set.size, pages) < (other.set.size, other.pages)
  }
}
