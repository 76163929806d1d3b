/// When a fix does harm with one set of values, whatever it gains with others.
///
/// It harms where the statement takes over twice as much as without it, and over half a millisecond more. Both are counted, in the measure of
/// ``ExecutionCost``: the same in each run, and on each machine.
enum HarmRule {
  static let mostRatio = 2.0
  /// About half a millisecond: a hundred take a microsecond, as measured for warm caches.
  static let mostCost = 50_000.0

  /// The steps that a run before may take, so that each harm is seen: one that takes more is none, whatever pages it reads.
  static func mostStepsBefore(_ after: StatementMeasurement) -> Int64 {
    let cost = ExecutionCost.of(after)
    return Int64(max(0, min(cost / mostRatio, cost - mostCost, 1e15))) + 1
  }

  /// The cost of a run that was ended is a lower bound. When the run without the fix was ended, there is no harm; when the run with the fix
  /// was ended, its lower bound counts.
  static func isHarm(_ before: StatementMeasurement, _ after: StatementMeasurement) -> Bool {
    guard before.isComplete else { return false }
    let (cost, costAfter) = (ExecutionCost.of(before), ExecutionCost.of(after))
    return costAfter > mostRatio * cost && costAfter - cost > mostCost
  }
}
