/// Tries fixes for each statement of a workload, those that cost most in all first.
struct FixSearch {
  let context: DetectorContext
  let advisor: IndexAdvisor
  let options: Diagnosis.Options
  let progress: (DiagnosisProgress) -> Void

  private var connection: SQLiteConnection { context.connection }

  /// The shares of what is left of a statement's time to try fixes, and of that, indexes. What is left at the end is to count the
  /// rows of its plan.
  private static let shareOfFixes = 0.85
  private static let shareOfIndexes = 0.75
  /// The share that one detector may take of what is left to try fixes.
  private static let shareOfQuestion = 0.2

  /// Adds findings and statements to the report, as far as the connection's budget allows.
  ///
  /// Throws `DiagnosisError` when the diagnosis is cancelled, or a trial left the copy changed.
  func findFixes(
    _ work: inout [StatementWork], _ report: inout DiagnosisReport
  ) throws -> (advice: [StatementAdvice], searched: Set<Int>) {
    if work.contains(where: \.isWorthATrial) { _ = try advisor.statistics.planner() }
    var advice: [StatementAdvice] = []
    var searched: Set<Int> = []
    let areMany = work.count > WorkloadMeasuring.fewStatements
    let slowestFirst = work.indices.sorted(by: { work[$0].cost > work[$1].cost })
    var worthwhile = slowestFirst.count { work[$0].isWorthATrial }
    for (rank, place) in slowestFirst.enumerated() {
      try Task.checkCancellation()
      // What others don't need, those that cost most may take.
      if options.statementBudget == nil, worthwhile > 0 {
        work[place].time.extend(to: connection.budget.deadline.remaining() / worthwhile)
        worthwhile -= 1
      }
      let isInTime = !connection.budget.deadline.hasPassed && !(areMany && work[place].statement.measurements.isEmpty)
      progress(.statement(number: rank + 1, of: work.count))
      if isInTime {
        try findFixes(&work[place], &advice, &report)
        searched.insert(work[place].statement.statement.id)
      }
      report.statements.append(
        work[place].report(on: connection, schema: context.schema, countsRows: isInTime || !areMany))
    }
    report.statements.sort { $0.statement.id < $1.statement.id }
    let untried = work.count - searched.count
    if untried > 0 {
      report.notes.append(
        "The time ended before fixes were tried for \(Figure.count(untried, "statement")); --budget allows more.")
    }
    return (advice, searched)
  }

  private func findFixes(
    _ work: inout StatementWork, _ advice: inout [StatementAdvice], _ report: inout DiagnosisReport
  ) throws {
    let name = work.name
    var (statement, time) = (work.statement, work.time)
    defer { (work.statement, work.time) = (statement, time) }
    try time.spend(Self.shareOfFixes, on: connection) {
      var context = context
      // A slow statement's other forms may be slow, too.
      context.questionTime = max(context.questionTime, connection.budget.deadline.remaining() * Self.shareOfQuestion)
      try report.noting(name) { report in
        let found = try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfIndexes) {
          try advisor.advise(on: statement)
        }
        context.advice = found
        advice.append(found)
        if let baseline = found.baseline {
          statement.measurements = baseline
          if !statement.isIncomplete { statement.limits.removeAll { $0 == StatementAnalyzer.lowerBounds } }
        }
        let findings = AdviceFinding(advice: found, analyzed: statement, names: advisor.names).findings
        report.findings += findings
        // A finding has its limits with it.
        if findings.isEmpty { report.notes += found.limits.map { "\(name): \($0)" } }
      }
      try findForms(of: statement, context, &report)
    }
  }

  /// Looks for other forms of a statement, and for what else is wrong with it.
  func findForms(
    of statement: AnalyzedStatement, _ context: DetectorContext, _ report: inout DiagnosisReport
  ) throws {
    let name = "S\(statement.statement.id)"
    try report.noting(name) { report in
      let (found, limits) = try FindingDetectors.findings(for: statement, in: context)
      report.findings += found
      report.notes += limits.map { "\(name): \($0)" }
    }
  }
}
