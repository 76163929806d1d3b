/// The effect of a change of indexes on one statement of a workload.
struct WorkloadGain {
  var statement: AnalyzedStatement
  var comparisons: [Comparison]
  var before: Double
  var after: Double
  var planAfter: QueryPlan
  /// The names of the indexes that the statement reads after the change, in lower case.
  var indexes: Set<String>

  /// Creates the gain; nil if nothing was measured.
  init?(_ statement: AnalyzedStatement, _ result: IndexBench.Result) {
    comparisons = zip(statement.baseline, result.measurements)
      .map { Comparison(bindings: $0.sample.name, before: $0.measurement, after: $1) }
    if comparisons.isEmpty { return nil }
    self.statement = statement
    before = ExecutionCost.of(comparisons.map(\.before))
    after = ExecutionCost.of(comparisons.map(\.after), beside: comparisons.map(\.before))
    planAfter = result.plan
    indexes = result.indexesRead
  }

  /// The gain for a report. The set of values with the greatest effect comes first.
  var gain: StatementGain {
    let most = comparisons.indices.max { Self.change(comparisons[$0]) < Self.change(comparisons[$1]) } ?? 0
    var gain = StatementGain(statement: statement.statement.id, comparison: comparisons[most])
    gain.others = comparisons.indices.filter { $0 != most }.map { comparisons[$0] }
    return gain
  }

  /// Whether the statement is a read with another plan.
  var isReadInAnotherWay: Bool {
    !statement.isWrite && planAfter.nodes.map(\.detail) != statement.plan.nodes.map(\.detail)
  }

  var isChange: Bool { abs(before - after) > max(100, 0.05 * before) }
  var isNoWorse: Bool { statement.isWrite && !isMuchWorse || GainRule.isNoWorse(after, than: before) }

  /// Whether a search takes several times as long, by a noticeable time. A stopped run counts too, because its cost is
  /// only a lower bound. A write that searches for its rows as before only pays for the indexes.
  var isMuchWorse: Bool {
    if statement.isWrite, planAfter.nodes.map(\.detail) == statement.plan.nodes.map(\.detail) { return false }
    let isStopped = comparisons.contains { $0.before.isComplete && !$0.after.isComplete }
    return isStopped || after > 2 * before + GainRule.leastCost && (!isTimed || lostTime > Self.unnoticed)
  }

  private static let unnoticed = Duration.microseconds(50)
  private var isTimed: Bool { comparisons.contains { $0.before.warmTime > .zero } }
  private var lostTime: Duration {
    (comparisons.map(\.after).warmTime - comparisons.map(\.before).warmTime) / comparisons.count
  }

  /// The saving of all executions; negative for a loss.
  var saved: Double { (before - after) * Double(max(1, statement.statement.count)) }

  /// Whether the statement gets no slower. A write may pay for new indexes, but not for searches without dropped
  /// indexes.
  func isNoWorse(without drops: [IndexSchema]) -> Bool {
    guard statement.isWrite, drops.contains(where: statement.uses) else { return isNoWorse }
    return GainRule.isNoWorse(after, than: before)
  }

  /// Whether the statement costs no more than with another change.
  func isNoWorse(than others: [WorkloadGain]) -> Bool {
    others.contains {
      $0.statement.statement.id == statement.statement.id && GainRule.isNoWorse(after, than: $0.after)
    }
  }

  private static func change(_ comparison: Comparison) -> Double {
    abs(ExecutionCost.of(comparison.before) - ExecutionCost.of(comparison.after))
  }
}

extension [WorkloadGain] {
  /// The saving of all executions. A loss of a read counts twice, because users expect that no index slows a read.
  var saving: Double { reduce(0.0) { $0 + ($1.isNoWorse ? $1.saved : 2 * $1.saved) } }

  /// The cost of the writes after the change, as a multiple of the present cost; nil if there are no writes.
  var writeCost: Double? {
    let writes = filter(\.statement.isWrite)
    let before = writes.reduce(0) { $0 + $1.before * Double(Swift.max(1, $1.statement.statement.count)) }
    let after = writes.reduce(0) { $0 + $1.after * Double(Swift.max(1, $1.statement.statement.count)) }
    return before > 0 ? after / before : nil
  }
}

extension IndexBench.Result {
  /// The names of the indexes that the plan reads, in lower case.
  var indexesRead: Set<String> { Set(WhatIfPlanner.indexes(in: plan.nodes.map(\.detail)).map(\.asciiLowercased)) }
}
