import Foundation
import SanderlingSQLite
import SanderlingTerminal

/// One diagnosis: a copy of the database, and all findings on it. Confined to the thread that runs it.
struct DiagnosisRun {
  private let options: Diagnosis.Options
  private let progress: (DiagnosisProgress) -> Void
  private let start = WorkClock.current.now
  private let copy: DatabaseCopy
  private let schema: DatabaseSchema
  private let deadline: Deadline
  private let adversary: AdversarialCopy
  private let ledger = RewriteLedger()
  private let tried = TriedFixes()
  private var connection: SQLiteConnection { copy.connection }

  /// The share of the time budget for the diagnosis. The rest is for assembling and writing the report.
  private static let shareOfWork = 0.985

  /// Copies the database. Throws `DiagnosisError`.
  init(database: URL, options: Diagnosis.Options, progress: @escaping (DiagnosisProgress) -> Void) throws {
    self.options = options
    self.progress = progress
    progress(.copying)
    var copying = DatabaseCopy.Options()
    copying.diskBudget = options.diskBudget
    copying.temporaryFolder = options.temporaryFolder
    copy = try DatabaseCopy(of: database, options: copying)
    // The time for copying the file does not count as time for statements.
    deadline = options.deadline ?? Deadline(after: options.timeBudget * Self.shareOfWork)
    progress(.readingSchema)
    schema = try DatabaseSchemaReader(connection: copy.connection, countingTime: options.timeBudget * 0.2).read()
    copy.connection.names = schema.names
    adversary = AdversarialCopy(copy: copy, schema: schema)
  }

  /// Diagnoses a workload.
  ///
  /// - Throws: `DiagnosisError` if a trial changed the copy, or `CancellationError`.
  func report(on workload: Workload) throws -> DiagnosisReport {
    var report = DiagnosisReport(database: summary, skipped: workload.skipped)
    let analyzed = try connection.limited(to: StatementBudget(deadline: deadline)) {
      let share =
        workload.statements.count > WorkloadMeasuring.fewStatements
        ? Self.shareOfManyStatements : Self.shareOfStatements
      let left = deadline.remaining()
      // Time lost to other processes must shorten all steps, not only the later ones.
      let time = StatementBudget(
        deadline: Deadline(afterWorking: left * share).earlier(Deadline(after: left * (share + Self.shareOfWaiting))))
      let (order, work) = try connection.limited(to: time) { try measure(workload, &report) }
      // No statement can be diagnosed: the report contains only the errors.
      guard !work.isEmpty || workload.statements.isEmpty else { return [AnalyzedStatement]() }
      var advisor = try IndexAdvisor(
        copy: copy, schema: schema, runner: runner, evidence: LiteralEvidence(work.map(\.statement)))
      advisor.allowsIndexes = options.maximumIndexes > 0
      return ManyStatements.areIn(work, time: time.deadline.remaining(), bytes: copy.bytes)
        ? try diagnoseTogether(work, order, advisor, &report)
        : try diagnoseEach(work, order, advisor, time, &report)
    }
    IndexLimit(options.maximumIndexes).apply(to: &report)
    report.findings.removeAll(where: FindingOverlap(report.findings).isRepeated)
    if let kinds = options.kinds { report.findings.removeAll { !kinds.contains($0.kind) } }
    SeverityBounds(report).apply(to: &report.findings)
    report.findings = FindingOrder(report.statements.map(\.statement)).sorted(report.findings)
    var seen: Set<String> = []
    report.notes = (notes(of: analyzed) + report.notes).filter { seen.insert($0).inserted }
    report.elapsed = start.duration(to: WorkClock.current.now)
    return report
  }

  /// The share of the time for single statements, all together.
  private static let shareOfStatements = 0.75
  /// Most of many statements share indexes, which must be chosen and measured for all of them together.
  private static let shareOfManyStatements = 0.5
  /// The share of the time that may pass while other processes use the processor.
  private static let shareOfWaiting = 0.05
  /// If there are many statements, the findings about the database itself may take this share of the remaining time.
  private static let shareOfDatabase = 0.12

  /// The share of the remaining time for the choice of indexes for all statements. A second choice with ANALYZE can add
  /// half as much.
  private static let shareOfChoice = 0.6

  /// The share of the remaining time for one question about the database itself.
  private static let shareOfDatabaseQuestion = 0.1

  private func measure(
    _ workload: Workload, _ report: inout DiagnosisReport
  ) throws -> (WorkloadOrder, [StatementWork]) {
    let order = try WorkloadOrder(workload, connection: connection, schema: schema)
    // A statement that SQLite refuses is an error; a statement that doesn't work on rows is only skipped.
    report.skipped = order.skipped + report.skipped
    let measuring = WorkloadMeasuring(
      connection: connection, schema: schema, bytes: copy.bytes, options: options, progress: progress)
    return (order, try measuring.measure(order, &report))
  }

  // MARK: Few statements

  /// Tries fixes for each statement, then chooses indexes for all of them.
  private func diagnoseEach(
    _ measured: [StatementWork], _ order: WorkloadOrder, _ advisor: IndexAdvisor, _ time: StatementBudget,
    _ report: inout DiagnosisReport
  ) throws -> [AnalyzedStatement] {
    var work = measured
    let search = FixSearch(context: context(advisor), advisor: advisor, options: options, progress: progress)
    let advice = try connection.limited(to: time) { try search.findFixes(&work, &report) }
    // From here on, measurements concern all statements together.
    noteTrials(of: work, in: &report)
    if !work.isEmpty { report.coverage = order.coverage(measured: work.times, searched: report.tried) }
    let analyzed = work.map(\.statement)
    try checkDatabase(analyzed, advisor, &report)
    try chooseIndexes(analyzed, advisor, advice, &report)
    return analyzed
  }

  private func chooseIndexes(
    _ analyzed: [AnalyzedStatement], _ advisor: IndexAdvisor, _ advice: [StatementAdvice],
    _ report: inout DiagnosisReport
  ) throws {
    progress(.choosingIndexes)
    let plan = ReportPlan(report.findings, ledger: ledger, advice: advice, isOfOneStatement: analyzed.count == 1)
    var chosen: IndexAdvice?
    let (statements, planned) = plan.statements(analyzed, advice, report.findings)
    let superfluous = superfluousIndexes(by: report, advisor)
    let wantsIndexes = planned.contains { !$0.candidates.isEmpty }
    let isTogether = (wantsIndexes || superfluous.count > 1) && options.maximumIndexes > 0
    if isTogether {
      try report.noting("The indexes for all statements") { report in
        let advised = Set(planned.map(\.statement))
        let writes = Self.writes(of: statements)
        var advisor = advisor
        advisor.formerForms = plan.formerForms(of: analyzed, report.findings)
        chosen = try advisor.indexSet(
          // Each index slows writes, including those without a search for fixes.
          for: statements.filter { advised.contains($0.statement.id) || writes.contains($0.statement.id) },
          advice: planned,
          maximumIndexes: options.maximumIndexes, dropping: superfluous,
          searchTime: deadline.remaining() * Self.shareOfChoice)
        if wantsIndexes { report.indexAdvice = chosen }
      }
    }
    report.findings = plan.findings(
      report.findings, chosen, isUnmeasured: isTogether && chosen?.isMeasured != true, names: advisor.names)
    report.findings.note(chosen?.limits ?? [:])
    try report.noting("ANALYZE beside the indexes") { report in
      try StatisticsInPlan(context: context(advisor), indexes: chosen, names: advisor.names)
        .settle(&report.findings, statements)
    }
  }

  // MARK: Many statements

  /// Chooses indexes for all statements, then looks for rewrites of those that stay slow.
  private func diagnoseTogether(
    _ measured: [StatementWork], _ order: WorkloadOrder, _ advisor: IndexAdvisor, _ report: inout DiagnosisReport
  ) throws -> [AnalyzedStatement] {
    var work = measured
    let analyzed = work.map(\.statement)
    let many = ManyStatements(context: context(advisor), advisor: advisor, options: options, progress: progress)
    let planned = try many.plan(work)
    try connection.limited(toPassing: deadline.remaining() * Self.shareOfDatabase) {
      try checkDatabase(analyzed, advisor, &report)
    }
    let superfluous = superfluousIndexes(by: report, advisor)
    let served = try many.chooseIndexes(for: work, planned, dropping: superfluous, &report)
    let looked = try many.findForms(of: &work, served, planned: Set(planned.keys), &report)
    noteTrials(of: work, in: &report)
    // The planner was asked about indexes for all planned statements.
    report.coverage = order.coverage(
      measured: work.times, searched: report.tried.union(planned.keys).intersection(work.times.keys))
    report.notes.append(
      "Indexes were searched for all measured statements together, and other forms for the \(Figure.count(looked.count, "statement")) "
        + "that take most time with the indexes. --budget allows more.")
    let indexes = report.indexAdvice
    report.findings = ReportPlan(report.findings, ledger: ledger, advice: Array(served.values))
      .findings(report.findings, indexes, isUnmeasured: indexes?.isMeasured != true, names: advisor.names)
    let statistics = StatisticsInPlan(context: context(advisor), indexes: indexes, names: advisor.names)
    do {
      try statistics.settle(&report.findings, analyzed)
    } catch let error as DiagnosisError {
      if error.endsDiagnosis { throw error }
      statistics.withdraw(from: &report.findings, "The time ended before this fix was measured with the indexes.")
    }
    return analyzed
  }

  // MARK: Both

  /// Records for each statement how far the search for its fixes came.
  private func noteTrials(of work: [StatementWork], in report: inout DiagnosisReport) {
    let byNumber = Dictionary(work.map { ($0.statement.statement.id, $0) }) { first, _ in first }
    for place in report.statements.indices {
      let id = report.statements[place].statement.id
      if let work = byNumber[id] { report.statements[place].state = work.state(tried: tried.count(of: id)) }
    }
  }

  /// Looks for problems with indexes, statistics and settings.
  private func checkDatabase(
    _ analyzed: [AnalyzedStatement], _ advisor: IndexAdvisor, _ report: inout DiagnosisReport
  ) throws {
    progress(.checkingDatabase)
    try report.noting("The database") { report in
      var context = context(advisor)
      context.questionTime = max(context.questionTime, deadline.remaining() * Self.shareOfDatabaseQuestion)
      let (found, limits) = try DatabaseDetectors.findings(for: analyzed, in: context)
      report.findings += found
      report.notes += limits
    }
  }

  private func superfluousIndexes(by report: DiagnosisReport, _ advisor: IndexAdvisor) -> [IndexSchema] {
    let drops = report.findings.filter(\.isProven).flatMap(\.dropsIndexes)
    return schema.indexes.filter { drops.contains(context(advisor).dropping($0)) }
  }

  /// The most frequent measured writes. Each set of indexes is measured with all of them.
  private static func writes(of statements: [AnalyzedStatement]) -> Set<Int> {
    let writes = statements.filter { $0.isWrite && !$0.measurements.isEmpty }
      .sorted {
        $0.statement.count == $1.statement.count
          ? $0.statement.id < $1.statement.id : $0.statement.count > $1.statement.count
      }
    return Set(writes.prefix(mostWrites).map(\.statement.id))
  }

  private static let mostWrites = 12

  private func context(_ advisor: IndexAdvisor) -> DetectorContext {
    var context = DetectorContext(
      copy: copy, schema: schema, runner: advisor.runner, advisor: advisor, showsValues: options.showsValues,
      adversary: adversary)
    context.ledger = ledger
    return context
  }

  private var runner: StatementRunner {
    var runner = StatementRunner(connection: connection)
    runner.tried = tried
    return runner
  }
}

extension DiagnosisReport {
  /// The statements that fixes were tried for, by number.
  fileprivate var tried: Set<Int> {
    Set(
      statements.filter { if case .measured(_, .tried) = $0.state { true } else { false } }.map(\.statement.id))
  }
}

extension [StatementWork] {
  /// The time of all executions of each measured statement, in seconds, by the statement's number.
  fileprivate var times: [Int: Double] {
    Dictionary(
      filter { !$0.statement.measurements.isEmpty }.map { ($0.statement.statement.id, $0.measuredTime) }
    ) { first, _ in first }
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

  /// Notes that the reader needs to trust the figures.
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
