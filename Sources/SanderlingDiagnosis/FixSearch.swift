import SanderlingTerminal

/// Tries fixes for each statement of a workload, starting with the greatest total cost.
struct FixSearch {
  let context: DetectorContext
  let advisor: IndexAdvisor
  let options: Diagnosis.Options
  let progress: (DiagnosisProgress) -> Void

  private var connection: SQLiteConnection { context.connection }

  /// The share of a statement's remaining time for fixes, and within it the share for indexes. The rest is for counting
  /// the rows of the plan.
  private static let shareOfFixes = 0.85
  private static let shareOfIndexes = 0.75
  /// The share of the remaining time for fixes that one detector may use.
  private static let shareOfQuestion = 0.2
  /// The share for all detectors together when they are repeated.
  private static let shareOfQuestions = 0.8
  /// Interrupted searches may share this part of the time that several statements left.
  private static let shareOfGoingOn = 0.5
  /// An interrupted statement is tried again only with at least this multiple of its former time.
  private static let leastFactor = 1.5

  /// Adds findings and statements to the report within the connection's budget.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled or a trial left the copy changed.
  func findFixes(
    _ work: inout [StatementWork], _ report: inout DiagnosisReport
  ) throws -> [StatementAdvice] {
    if work.contains(where: \.isWorthATrial) { _ = try advisor.statistics.planner() }
    var advice: [StatementAdvice] = []
    var searched: Set<Int> = []
    let areMany = work.count > WorkloadMeasuring.fewStatements
    let slowestFirst = work.indices.sorted(by: { work[$0].cost > work[$1].cost })
    var worthwhile = slowestFirst.count { work[$0].isWorthATrial }
    var interrupted: [Interrupted] = []
    for (rank, place) in slowestFirst.enumerated() {
      try Task.checkCancellation()
      // The statements with the greatest cost may use time that other statements don't need.
      if options.statementBudget == nil, worthwhile > 0 {
        work[place].time.extend(to: connection.budget.deadline.remaining() / worthwhile)
        worthwhile -= 1
      }
      let isInTime = !connection.budget.deadline.hasPassed && !(areMany && work[place].statement.measurements.isEmpty)
      progress(.tryingFixes(statement: work[place].statement.statement.id, number: rank + 1, of: work.count))
      if isInTime {
        if let stopped = try findFixes(&work[place], at: place, &advice, &report) { interrupted.append(stopped) }
        searched.insert(work[place].statement.statement.id)
      }
      report.statements.append(
        work[place].report(on: connection, schema: context.schema, countsRows: isInTime || !areMany))
    }
    // After that, indexes for several statements must be chosen together.
    let share = work.count > 1 ? Self.shareOfGoingOn : 1
    try connection.limited(to: connection.budget.deadline.remaining() * share) {
      try goOn(with: interrupted, &work, &advice, &report)
    }
    report.statements.sort { $0.statement.id < $1.statement.id }
    let untried = work.count - searched.count
    if untried > 0 {
      report.notes.append(
        "The time ended before fixes were tried for \(Figure.count(untried, "statement")); --budget allows more.")
    }
    return advice
  }

  private func findFixes(
    _ work: inout StatementWork, at place: Int, _ advice: inout [StatementAdvice], _ report: inout DiagnosisReport
  ) throws -> Interrupted? {
    let name = work.name
    var (statement, time, isCutShort) = (work.statement, work.time, true)
    defer { (work.statement, work.time, work.isCutShort) = (statement, time, isCutShort) }
    return try time.spend(Self.shareOfFixes, on: connection) {
      let given = connection.budget.deadline.remaining()
      var context = context
      // Rewrites of a slow statement may be slow, too.
      context.questionTime = max(context.questionTime, connection.budget.deadline.remaining() * Self.shareOfQuestion)
      try report.noting(name) { report in
        let found = try self.advice(on: statement)
        context.advice = found
        advice.append(found)
        if let baseline = found.baseline {
          statement.measurements = baseline
          if !statement.isIncomplete { statement.limits.removeAll { $0 == StatementAnalyzer.lowerBounds } }
        }
        note(found, of: statement, in: &report)
      }
      let stopped = try findForms(of: statement, context, &report)
      isCutShort = !stopped.isEmpty || context.advice?.isCutShort ?? true
      if stopped.isEmpty, context.advice?.lacksTime != true { return nil }
      return Interrupted(
        place: place, statement: statement, advice: context.advice, detectors: stopped, time: given)
    }
  }

  /// Returns the indexes for a statement, within a share of its remaining time.
  private func advice(on statement: AnalyzedStatement) throws -> StatementAdvice {
    try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfIndexes) {
      try advisor.advise(on: statement)
    }
  }

  /// Adds the advice on a statement to the report.
  private func note(_ advice: StatementAdvice, of statement: AnalyzedStatement, in report: inout DiagnosisReport) {
    let findings = AdviceFinding(advice: advice, analyzed: statement, names: advisor.names).findings
    report.findings += findings
    // A finding already contains its limits.
    if findings.isEmpty { report.notes += advice.limits.map { "S\(statement.statement.id): \($0)" } }
  }

  /// A search for indexes, or detectors, that ended when a statement's share of the time was used.
  private struct Interrupted {
    /// The position among the statements of the search.
    var place: Int
    var statement: AnalyzedStatement
    var advice: StatementAdvice?
    var detectors: [any FindingDetector]
    /// The statement's time for trying fixes.
    var time: Duration
  }

  /// Searches for indexes again with more time, if none were found.
  private func goOn(
    with one: Interrupted, _ advice: inout [StatementAdvice], _ report: inout DiagnosisReport
  ) throws -> StatementAdvice? {
    guard let old = one.advice, old.lacksTime, !connection.budget.deadline.hasPassed else { return one.advice }
    var result = old
    try report.noting("S\(one.statement.statement.id)") { report in
      let found = try self.advice(on: one.statement)
      guard !found.isNone else { return }
      let outdone = AdviceFinding(advice: old, analyzed: one.statement, names: advisor.names).findings
      report.findings.removeAll { finding in outdone.contains { $0.saysTheSame(as: finding) } }
      let notes = old.limits.map { "S\(one.statement.statement.id): \($0)" }
      report.notes.removeAll(where: notes.contains)
      advice.removeAll { $0.statement == old.statement }
      advice.append(found)
      note(found, of: one.statement, in: &report)
      result = found
    }
    return result
  }

  /// Gives interrupted searches the time that all statements together left, starting with the greatest cost.
  private func goOn(
    with interrupted: [Interrupted], _ work: inout [StatementWork], _ advice: inout [StatementAdvice],
    _ report: inout DiagnosisReport
  ) throws {
    for (place, one) in interrupted.enumerated() {
      try Task.checkCancellation()
      // An interrupted search is repeated only if it gets more time. Few detectors are repeated, so each may use more
      // of it.
      let (left, least) = (connection.budget.deadline.remaining(), one.time * Self.leastFactor)
      let part = max(Self.shareOfQuestion, Self.shareOfQuestions / Double(max(1, one.detectors.count)))
      let (even, former) = (left / (interrupted.count - place), one.time * Self.shareOfQuestion)
      let mayAskLonger = !one.detectors.isEmpty && even * part > former * Self.leastFactor
      guard options.statementBudget == nil, left > least || mayAskLonger else {
        if !one.detectors.isEmpty { report.notes.append("S\(one.statement.statement.id): \(FindingDetectors.limit)") }
        continue
      }
      progress(.goingOn(statement: one.statement.statement.id, number: place + 1, of: interrupted.count))
      let share = mayAskLonger ? even : max(least, even)
      var context = context
      context.questionTime = max(context.questionTime, share * part)
      try connection.limited(to: share) {
        context.advice = try goOn(with: one, &advice, &report)
        let stopped = try findForms(of: one.statement, by: one.detectors, context, &report)
        work[one.place].isCutShort = !stopped.isEmpty || context.advice?.isCutShort ?? true
        if !stopped.isEmpty { report.notes.append("S\(one.statement.statement.id): \(FindingDetectors.limit)") }
      }
    }
  }

  /// Looks for rewrites of a statement and for its other problems. Returns the detectors that the budget ended.
  func findForms(
    of statement: AnalyzedStatement, by detectors: [any FindingDetector] = FindingDetectors.all,
    _ context: DetectorContext, _ report: inout DiagnosisReport
  ) throws -> [any FindingDetector] {
    var stopped: [any FindingDetector] = []
    try report.noting("S\(statement.statement.id)") { report in
      let (found, left) = try FindingDetectors.findings(of: detectors, for: statement, in: context)
      // Findings of the longer search replace those from before the time ended.
      report.findings.removeAll { old in found.contains { $0.saysTheSame(as: old) } }
      // With enough time, an untried form that isn't found again is harmful for some values.
      if left.isEmpty { report.findings.removeAll { $0.statement == statement.statement.id && $0.isUntriedForm } }
      report.findings += found
      stopped = left
    }
    return stopped
  }
}

extension Finding {
  /// Whether both describe the same problem of one statement.
  fileprivate func saysTheSame(as other: Finding) -> Bool {
    statement == other.statement && kind == other.kind && title == other.title
  }

  /// Whether the finding is a rewrite that was not tried with values of each kind.
  fileprivate var isUntriedForm: Bool {
    limits.contains(HarmCheck.Verdict.untriedLimit) && fix.map { !$0.sql.allSatisfy(\.changesSchema) } ?? false
  }
}
