/// The rule when a fix does harm with one set of values, whatever it gains with others.
///
/// A fix does harm if the statement costs over twice as much as without it, and over half a millisecond more. Both are
/// measured by ``ExecutionCost``, which is the same in each run and on each machine.
enum HarmRule {
  static let mostRatio = 2.0
  /// About half a millisecond: with warm caches, a hundred steps were measured to take a microsecond.
  static let mostCost = 50_000.0

  /// The steps that a run without the fix may take so that harm is still possible. A run that takes more steps shows no
  /// harm, whatever pages it reads.
  static func mostStepsBefore(_ after: StatementMeasurement) -> Int64 {
    let cost = ExecutionCost.of(after)
    return Int64(max(0, min(cost / mostRatio, cost - mostCost, 1e15))) + 1
  }

  /// Whether a fix does harm. The cost of a stopped run is a lower bound. If the run without the fix was stopped, there
  /// is no harm. If the run with the fix was stopped, its lower bound counts.
  static func isHarm(_ before: StatementMeasurement, _ after: StatementMeasurement) -> Bool {
    guard before.isComplete else { return false }
    let (cost, costAfter) = (ExecutionCost.of(before), ExecutionCost.of(after))
    return costAfter > mostRatio * cost && costAfter - cost > mostCost
  }
}
