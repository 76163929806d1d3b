/// Which of the sets that were measured is the one to have.
extension StatementTrials {
  /// So many sets that harm with some kind of values make way for the next best.
  private static let mostHarmful = 4

  /// The best set that harms with no kind of values; nil where none pays.
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

  /// Whether a set still is better where only the time says so, and other processes may have taken it before.
  func isConfirmed(_ result: IndexBench.Result, on bench: IndexBench) throws -> Bool {
    if rule.isMetByCost(result.measurements) { return true }
    guard let now = try bench.measure(statement, with: []) else { return false }
    return GainRule(before: now.measurements, executions: statement.statement.count).isMet(by: result.measurements)
  }

  /// The simplest set of those that are about as good as the best.
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
    // How far a walk goes until LIMIT ends it depends on the values; a search depends on what it finds.
    let searches = paying.filter { result in
      !result.isWalk && rule.gain(result.measurements) >= 0.9 * rule.gain(best.measurements)
    }
    return searches.min { rule.cost($0.measurements) < rule.cost($1.measurements) } ?? best
  }

  /// What an index that is read from end to end has to save: it is a copy of columns that the table has.
  static let leastShareOfCopy = 0.4
  /// The same of one that is an eighth of the table at most: what is read from the disk is nearly all gone.
  private static let leastShareOfShortCopy = 0.3

  private func readsFewPages(_ result: IndexBench.Result) -> Bool {
    let pages = (
      before: statement.measurements.reduce(0) { $0 + $1.pages }, after: result.measurements.reduce(0) { $0 + $1.pages }
    )
    return 8 * pages.after <= pages.before
  }

  var hasLimit: Bool { shape.selects.contains { $0.parent == nil && $0.limit != nil } }

  /// Whether a cost is as good as a lower one, as far as anybody would notice.
  func isAsGood(_ cost: Double, as least: Double) -> Bool {
    cost <= 1.2 * least + Self.negligibleCost && rule.cost - cost >= 0.8 * (rule.cost - least)
  }

  /// Steps that are not worth a column.
  static let negligibleCost = 1_500.0

  /// Whether there is hardly anything left to gain.
  func isGoodEnough(_ results: [IndexBench.Result]) -> Bool {
    guard let best = best(of: results) else { return false }
    let rows = best.measurements.reduce(0.0) { $0 + Double($1.rowsReturned) }
    return rule.cost(best.measurements) <= max(0.001 * rule.cost, 400 + 120 * rows)
  }

  /// Without the indexes that add nothing.
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

  /// Without the columns that are there to be read only, where that leaves most of the gain: an index is written and kept.
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

  /// The share of the gain that is enough for an index of fewer columns.
  static let shareOfGainOfNarrow = 0.8
}

extension IndexCandidate {
  /// With the keys only that find or order rows; nil where there are no others, or only others.
  fileprivate var withoutReadKeys: IndexCandidate? {
    guard (1..<keys.count).contains(seekingKeys) else { return nil }
    var index = self
    index.keys = Array(keys.prefix(seekingKeys))
    return index
  }
}

extension [IndexCandidate] {
  /// Whether they are the indexes of another set, perhaps without columns that are read only.
  func areNarrowed(from other: [IndexCandidate]) -> Bool {
    let own = Set(self)
    return other.count == count && other.allSatisfy { own.contains($0) || $0.withoutReadKeys.map(own.contains) == true }
  }

  /// How many columns and conditions the indexes have in all.
  var size: Int { reduce(0) { $0 + $1.keys.count + ($1.condition == nil ? 0 : 1) } }
}

extension IndexBench.Result {
  /// Whether it is the better choice of two sets that cost about the same.
  func isSimpler(than other: Self) -> Bool {
    // A small part of the rows beats an index of all of them.
    if pages < other.pages / 4 { return true }
    if other.pages < pages / 4 { return false }
    return (set.size, pages) < (other.set.size, other.pages)
  }
}
