import Foundation
import SanderlingSQLite

/// One diagnosis: a copy, and all that is found on it. Confined to the thread that runs it.
struct DiagnosisRun {
  private let options: Diagnosis.Options
  private let progress: (DiagnosisProgress) -> Void
  private let start = ContinuousClock.now
  private let copy: DatabaseCopy
  private let schema: DatabaseSchema
  private let deadline: Deadline
  private let adversary: AdversarialCopy
  private let ledger = RewriteLedger()
  private var connection: SQLiteConnection { copy.connection }

  /// Copies the database. Throws `DiagnosisError`.
  init(database: URL, options: Diagnosis.Options, progress: @escaping (DiagnosisProgress) -> Void) throws {
    self.options = options
    self.progress = progress
    progress(.copying)
    var copying = DatabaseCopy.Options()
    copying.diskBudget = options.diskBudget
    copying.temporaryFolder = options.temporaryFolder
    copy = try DatabaseCopy(of: database, options: copying)
    deadline = Deadline(after: options.timeBudget)
    progress(.readingSchema)
    schema = try SchemaReader(connection: copy.connection, countingTime: options.timeBudget * 0.2).read()
    adversary = AdversarialCopy(copy: copy, schema: schema)
  }

  /// - Throws: `DiagnosisError` when the copy was changed by a trial, or `CancellationError`.
  func report(on workload: Workload) throws -> DiagnosisReport {
    var report = DiagnosisReport(database: summary, skipped: workload.skipped)
    let analyzed = try connection.limited(to: StatementBudget(deadline: deadline)) {
      // What concerns them all has to be measured, too.
      let areMany = workload.statements.count > Self.fewStatements
      let share = areMany ? Self.shareOfManyStatements : Self.shareOfStatements
      let (analyzed, advisor, advice) = try connection.limited(to: deadline.remaining() * share) {
        let order = try WorkloadOrder(workload, connection: connection, schema: schema)
        report.skipped += order.skipped
        var work = try analyze(order, &report)
        let advisor = try IndexAdvisor(
          copy: copy, schema: schema, runner: runner, evidence: LiteralEvidence(work.map(\.statement)))
        let (advice, searched) = try findFixes(&work, advisor, &report)
        if !work.isEmpty {
          let measured = work.filter { !$0.statement.measurements.isEmpty }.map(\.statement.statement.id)
          report.coverage = order.coverage(measured: Set(measured), searched: searched)
        }
        return (work.map(\.statement), advisor, advice)
      }
      // None of what was given can be diagnosed: the errors are all there is to say.
      guard !analyzed.isEmpty || workload.statements.isEmpty else { return analyzed }
      try checkDatabase(analyzed, advisor, &report)
      try chooseIndexes(analyzed, advisor, advice, &report)
      return analyzed
    }
    report.findings.removeAll(where: FindingOverlap(report.findings).isRepeated)
    if let kinds = options.kinds { report.findings.removeAll { !kinds.contains($0.kind) } }
    report.findings = FindingOrder(workload).sorted(report.findings)
    report.notes = notes(of: analyzed) + report.notes
    report.elapsed = start.duration(to: .now)
    return report
  }

  private func checkDatabase(
    _ analyzed: [AnalyzedStatement], _ advisor: IndexAdvisor, _ report: inout DiagnosisReport
  ) throws {
    progress(.checkingDatabase)
    try within("The database", &report) { report in
      let (found, limits) = try DatabaseDetectors.findings(for: analyzed, in: context(advisor))
      report.findings += found
      report.notes += limits
    }
  }

  private func chooseIndexes(
    _ analyzed: [AnalyzedStatement], _ advisor: IndexAdvisor, _ advice: [StatementAdvice],
    _ report: inout DiagnosisReport
  ) throws {
    progress(.choosingIndexes)
    let plan = ReportPlan(report.findings, ledger: ledger)
    var chosen: IndexAdvice?
    let (statements, planned) = plan.statements(analyzed, advice, report.findings)
    let drops = report.findings.filter(\.isProven).flatMap(\.dropsIndexes)
    let superfluous = schema.indexes.filter { drops.contains(context(advisor).dropping($0)) }
    let wantsIndexes = planned.contains { !$0.candidates.isEmpty }
    let isTogether = (wantsIndexes || superfluous.count > 1) && options.maximumIndexes > 0
    if isTogether {
      try within("The indexes for all statements", &report) { report in
        let advised = Set(planned.map(\.statement))
        let writes = Self.writes(of: statements)
        chosen = try advisor.indexSet(
          // Each index costs the writes, also those that nothing was searched for.
          for: statements.filter { advised.contains($0.statement.id) || writes.contains($0.statement.id) },
          advice: planned,
          maximumIndexes: options.maximumIndexes, dropping: superfluous,
          searchTime: min(.seconds(15), deadline.remaining() / 2))
        if wantsIndexes { report.indexAdvice = chosen }
      }
    }
    report.findings = plan.findings(
      report.findings, chosen, isUnmeasured: isTogether && chosen?.isMeasured != true, names: advisor.names)
    try within("ANALYZE beside the indexes", &report) { report in
      try StatisticsInPlan(context: context(advisor), migration: chosen?.migrationSQL ?? [])
        .settle(&report.findings, statements)
    }
  }
}

// MARK: - Statements

extension DiagnosisRun {
  /// The writes that run most often and were measured: each set of indexes is measured with all of them.
  private static func writes(of statements: [AnalyzedStatement]) -> Set<Int> {
    let writes = statements.filter { $0.isWrite && !$0.measurements.isEmpty }
      .sorted {
        $0.statement.count == $1.statement.count
          ? $0.statement.id < $1.statement.id : $0.statement.count > $1.statement.count
      }
    return Set(writes.prefix(mostWrites).map(\.statement.id))
  }

  private static let mostWrites = 12
}

extension DiagnosisRun {
  /// What is known of a statement, and the time that is left for it.
  private struct Work {
    /// Its place in the workload, from 1.
    let number: Int
    var statement: AnalyzedStatement
    var time: StatementTime

    var name: String { "S\(statement.statement.id)" }
    /// What all its executions cost.
    var cost: Double { ExecutionCost.of(statement.measurements) * Double(max(1, statement.statement.count)) }
  }

  /// The share of the time that single statements may take, all together.
  private static let shareOfStatements = 0.75
  /// Of many statements, most share indexes, which have to be chosen and measured for them together.
  private static let shareOfManyStatements = 0.5
  /// The shares of a statement's time to measure it, of what is left then to try fixes (and of that, indexes), and of what
  /// is left at the end to count the rows of its plan. SQLite looks at the clock between instructions: some time has to
  /// remain for long ones.
  private static let shareOfMeasuring = 0.4
  private static let shareOfFixes = 0.85
  private static let shareOfIndexes = 0.75
  private static let shareOfCounting = 0.7
  /// The share that one detector may take of what is left to try fixes.
  private static let shareOfQuestion = 0.2

  /// More statements are too many to measure each, and to search fixes for each: those that cost most in all come first.
  private static let fewStatements = 24
  /// The share of the statements' time to measure many.
  private static let shareOfMeasuringMany = 0.4
  /// The share of that for reads and writes alike; writes, which indexes make slower, have the rest to themselves.
  private static let shareOfAllKinds = 0.85
  /// Of many, each one may take so much of what is left to measure them.
  private static let shareOfOne = 1.0 / 16

  /// Reads, plans and measures the statements, those first that cost most in all.
  private func analyze(_ order: WorkloadOrder, _ report: inout DiagnosisReport) throws -> [Work] {
    guard order.items.count > Self.fewStatements else {
      return try measure(order.items, leastShare: 0, &report)
    }
    return try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfMeasuringMany) {
      var work = try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfAllKinds) {
        try measure(order.items, leastShare: Self.shareOfOne, &report)
      }
      // One that was refused is skipped already, and asked for no second time.
      let left = Set(work.filter { $0.statement.measurements.isEmpty && $0.statement.isWrite }.map(\.number))
      let writes = order.items.filter { left.contains($0.number) }
      let measured = try measure(writes, leastShare: Self.shareOfOne, &report)
      for one in measured where !one.statement.measurements.isEmpty {
        if let place = work.firstIndex(where: { $0.number == one.number }) { work[place] = one }
      }
      return work
    }
  }

  /// Measures for as long as there is time. Of the others the plans are known.
  private func measure(
    _ items: [WorkloadOrder.Item], leastShare: Double, _ report: inout DiagnosisReport
  ) throws -> [Work] {
    var work: [Work] = []
    for (place, item) in items.enumerated() {
      try Task.checkCancellation()
      // What others don't need, later ones may take.
      let remaining = connection.budget.deadline.remaining()
      let share = max(remaining / (items.count - place), remaining * leastShare)
      var time = StatementTime(options.statementBudget ?? max(share, Self.usualBudget(bytes: copy.bytes)))
      if leastShare > 0, connection.budget.deadline.hasPassed {
        let unmeasured = AnalyzedStatement(
          statement: item.statement, shape: item.shape, samples: [], plan: item.plan)
        work.append(Work(number: item.number, statement: unmeasured, time: time))
        continue
      }
      progress(.statement(number: place + 1, of: items.count))
      do {
        let analyzed = try connection.limited(to: share) {
          try time.spend(Self.shareOfMeasuring, on: connection) {
            try analyzer.analyze(item.statement, plan: item.plan, shape: item.shape)
          }
        }
        work.append(Work(number: item.number, statement: analyzed, time: time))
      } catch let error as DiagnosisError {
        if error == .trialNotUndone || error == .stopped(.cancelled) { throw error }
        report.skipped.append(
          SkippedInput(place: item.statement.places.first, reason: "S\(item.statement.id): \(error)"))
      }
    }
    return work
  }

  /// Tries fixes for the statements, those that cost most in all first.
  private func findFixes(
    _ work: inout [Work], _ advisor: IndexAdvisor, _ report: inout DiagnosisReport
  ) throws -> (advice: [StatementAdvice], searched: Set<Int>) {
    if work.contains(where: { GainRule(before: $0.statement.measurements).isWorthATrial }) {
      _ = try advisor.statistics.planner()
    }
    var advice: [StatementAdvice] = []
    var searched: Set<Int> = []
    let areMany = work.count > Self.fewStatements
    let slowestFirst = work.indices.sorted(by: { work[$0].cost > work[$1].cost })
    var worthwhile = slowestFirst.count { GainRule(before: work[$0].statement.measurements).isWorthATrial }
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
        try findFixes(&work[place], advisor, &advice, &report)
        searched.insert(work[place].statement.statement.id)
      }
      report.statements.append(statementReport(&work[place], countsRows: isInTime || !areMany))
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
    _ work: inout Work, _ advisor: IndexAdvisor, _ advice: inout [StatementAdvice], _ report: inout DiagnosisReport
  ) throws {
    let name = work.name
    var (statement, time) = (work.statement, work.time)
    defer { (work.statement, work.time) = (statement, time) }
    try time.spend(Self.shareOfFixes, on: connection) {
      var context = context(advisor)
      // A slow statement's other forms may be slow, too.
      context.questionTime = max(context.questionTime, connection.budget.deadline.remaining() * Self.shareOfQuestion)
      try within(name, &report) { report in
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
      try within(name, &report) { report in
        let (found, limits) = try FindingDetectors.findings(for: statement, in: context)
        report.findings += found
        report.notes += limits.map { "\(name): \($0)" }
      }
    }
  }

  /// Two seconds for up to 100 MB, and more for more in proportion: to read all rows takes as long.
  private static func usualBudget(bytes: Int64) -> Duration {
    .seconds(2) * max(1, Double(bytes) / 100_000_000)
  }

  /// Does a part of the work. What its budget stops, or SQLite refuses, leaves a note, and the rest goes on.
  private func within(
    _ name: String, _ report: inout DiagnosisReport, _ work: (inout DiagnosisReport) throws -> Void
  ) throws {
    do {
      try work(&report)
    } catch let error as DiagnosisError {
      if error == .trialNotUndone || error == .stopped(.cancelled) { throw error }
      report.notes.append("\(name): not all could be tried. \(error)")
    }
  }

  private func context(_ advisor: IndexAdvisor) -> DetectorContext {
    var context = DetectorContext(
      copy: copy, schema: schema, runner: advisor.runner, advisor: advisor, showsValues: options.showsValues,
      adversary: adversary)
    context.ledger = ledger
    return context
  }

  private var runner: StatementRunner { StatementRunner(connection: connection) }

  private var analyzer: StatementAnalyzer {
    StatementAnalyzer(connection: connection, schema: schema, runner: runner)
  }

  private func statementReport(_ work: inout Work, countsRows: Bool) -> StatementReport {
    let analyzed = work.statement
    let worst = analyzed.baseline.max { $0.measurement.steps < $1.measurement.steps }
    var plan = analyzed.plan
    if countsRows {
      plan = work.time.spend(Self.shareOfCounting, on: connection) {
        PlanCounter(connection: connection, schema: schema).counted(
          analyzed.plan, of: analyzed.sql, bindings: worst?.sample.values ?? [:], measurement: worst?.measurement)
      }
    }
    return StatementReport(
      statement: analyzed.statement, plan: plan,
      measurements: analyzed.baseline.map { (bindings: $0.sample.name, measurement: $0.measurement) },
      hidden: HiddenCosts(analyzed: analyzed, schema: schema).sentences)
  }
}

// MARK: - The database

extension DiagnosisRun {
  private var summary: DatabaseSummary {
    DatabaseSummary(
      name: copy.name, sqliteVersion: String(cString: sqlite3_libversion()), bytes: copy.bytes,
      pageSize: copy.header.pageSize, journalMode: copy.header.usesWriteAheadLog ? "wal" : "rollback",
      tables: schema.tables.count { $0.kind == .ordinary }, indexes: schema.indexes.count,
      analyzedIndexes: schema.indexes.count { !$0.statistics.isEmpty })
  }

  /// What the reader has to know to trust the figures.
  private func notes(of analyzed: [AnalyzedStatement]) -> [String] {
    var notes = StandardNote.all(sqliteVersion: String(cString: sqlite3_libversion()))
    notes += copy.standIns.notes
    notes += schema.limits
    for statement in analyzed { notes += statement.limits.map { "S\(statement.statement.id): \($0)" } }
    if deadline.hasPassed {
      notes.append("The time budget ended before everything was measured; --budget allows more.")
    }
    return notes
  }
}
