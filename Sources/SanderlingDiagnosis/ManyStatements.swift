import SanderlingTerminal

/// Searches fixes if there are too many statements for trials of each. First it chooses indexes for all of them
/// together, then it looks for rewrites of those that stay slow.
struct ManyStatements {
  let context: DetectorContext
  let advisor: IndexAdvisor
  let options: Diagnosis.Options
  let progress: (DiagnosisProgress) -> Void

  private var connection: SQLiteConnection { context.connection }

  /// The share of the remaining time for the planner's answers on each statement.
  private static let shareOfPlans = 0.2
  /// The share of the time remaining after that for measuring the indexes together.
  private static let shareOfSet = 0.8
  /// The share of the time remaining then for rewrites. The rest is for counting rows and for ending on time.
  private static let shareOfForms = 0.8
  /// The greatest share of the remaining time for the rewrites of one statement.
  private static let shareOfOne = 0.15

  /// Whether there are so many trials that each statement would get less time than it needs.
  static func areIn(_ work: [StatementWork], time: Duration, bytes: Int64) -> Bool {
    let worthwhile = work.count(where: \.isWorthATrial)
    return worthwhile > WorkloadMeasuring.fewStatements
      && time / worthwhile < StatementWork.usualBudget(bytes: bytes)
  }

  /// Returns the planned sets of indexes, by the statements' numbers. The most expensive statements are planned first.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled.
  func plan(_ work: [StatementWork]) throws -> [Int: [PlannedSet]] {
    let planner = PlannedSets(advisor)
    defer { advisor.planner.clear() }
    return try connection.limited(toPassing: connection.budget.deadline.remaining() * Self.shareOfPlans) {
      var planned: [Int: [PlannedSet]] = [:]
      for one in work where !one.statement.measurements.isEmpty {
        try Task.checkCancellation()
        if connection.budget.deadline.hasPassed { break }
        planned[one.statement.statement.id] = try planner.sets(for: one.statement)
      }
      return planned
    }
  }

  /// Measures indexes for all statements, with the `superfluous` ones dropped, and adds their effects to the report.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled or a trial left the copy changed.
  func chooseIndexes(
    for work: [StatementWork], _ planned: [Int: [PlannedSet]], dropping superfluous: [IndexSchema],
    _ report: inout DiagnosisReport
  ) throws -> [Int: StatementAdvice] {
    progress(.choosingIndexes)
    var served: [Int: StatementAdvice] = [:]
    try report.noting("The indexes for all statements") { report in
      let set = try advisor.jointIndexSet(
        for: work.map(\.statement), planned: planned, maximumIndexes: options.maximumIndexes, dropping: superfluous,
        searchTime: connection.budget.deadline.remaining() * Self.shareOfSet)
      report.indexAdvice = set.advice
      if let readers = set.unmeasuredReaders, readers > 0 {
        report.notes.append(
          "The indexes also change the plans of \(Figure.count(readers, "statement")) that were not measured with the indexes."
        )
      }
      let statements = Dictionary(work.map { ($0.statement.statement.id, $0.statement) }) { first, _ in first }
      for one in set.statements {
        served[one.statement] = one
        guard let statement = statements[one.statement] else { continue }
        report.findings += AdviceFinding(advice: one, analyzed: statement, names: advisor.names).findings
      }
    }
    return served
  }

  /// Looks for rewrites of the statements that take the most time with the new indexes, and adds all statements to the
  /// report. Returns the examined statements.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled or a trial left the copy changed.
  func findForms(
    of work: inout [StatementWork], _ served: [Int: StatementAdvice], planned: Set<Int>,
    _ report: inout DiagnosisReport
  ) throws -> Set<Int> {
    let search = FixSearch(context: context, advisor: advisor, options: options, progress: progress)
    let times = work.map(\.expectedTime)
    let left = zip(work, times).map { one, time in
      time * (served[one.statement.statement.id].flatMap { $0.comparisons.shareOfTimeLeft } ?? 1)
    }
    let slowestFirst = work.indices.sorted { left[$0] == left[$1] ? $0 < $1 : left[$0] > left[$1] }
    var searched: Set<Int> = []
    for place in work.indices where !work[place].statement.measurements.isEmpty && !work[place].isWorthATrial {
      work[place].isCutShort = false
    }
    try connection.limited(toPassing: connection.budget.deadline.remaining() * Self.shareOfForms) {
      for place in slowestFirst where work[place].isWorthATrial && !connection.budget.deadline.hasPassed {
        try Task.checkCancellation()
        let statement = work[place].statement
        progress(.tryingFixes(statement: statement.statement.id, number: searched.count + 1, of: work.count))
        var context = context
        // Indexes that only a rewrite needs would not have been measured with the others.
        context.advisor = nil
        context.advice = served[statement.statement.id]
        try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfOne) {
          let stopped = try search.findForms(of: statement, context, &report)
          work[place].isCutShort = !stopped.isEmpty || !planned.contains(statement.statement.id)
          if !stopped.isEmpty { report.notes.append("S\(statement.statement.id): \(FindingDetectors.limit)") }
        }
        searched.insert(statement.statement.id)
      }
    }
    for place in slowestFirst {
      let isInTime = !connection.budget.deadline.hasPassed && !work[place].statement.measurements.isEmpty
      report.statements.append(
        work[place].report(on: connection, schema: context.schema, countsRows: isInTime))
    }
    report.statements.sort { $0.statement.id < $1.statement.id }
    return searched
  }
}

extension StatementWork {
  /// The time of all executions in seconds: from the log, or else measured.
  fileprivate var expectedTime: Double {
    statement.statement.totalTime?.inSeconds ?? measuredTime
  }
}
