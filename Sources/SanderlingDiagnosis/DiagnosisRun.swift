import Foundation
import GRDBSQLite

/// One diagnosis: a copy, and all that is found on it. Confined to the thread that runs it.
struct DiagnosisRun {
  private let options: Diagnosis.Options
  private let progress: (DiagnosisProgress) -> Void
  private let start = ContinuousClock.now
  private let copy: DatabaseCopy
  private let schema: DatabaseSchema
  private let deadline: Deadline

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
    schema = try SchemaReader(connection: copy.connection).read()
  }

  /// - Throws: `DiagnosisError` when the copy was changed by a trial, or `CancellationError`.
  func report(on workload: Workload) throws -> DiagnosisReport {
    var report = DiagnosisReport(database: summary, skipped: workload.skipped)
    let analyzed = try analyze(workload, &report)
    report.statements = analyzed.map(statementReport)
    let advisor = try IndexAdvisor(
      copy: copy, schema: schema, runner: runner(within: deadline), deadline: deadline,
      literals: LiteralRemover(showsValues: options.showsValues))
    var advice: [StatementAdvice] = []
    for (index, statement) in analyzed.enumerated() {
      try Task.checkCancellation()
      if deadline.hasPassed { break }
      progress(.statement(number: index + 1, of: analyzed.count))
      try within("S\(statement.statement.id)", &report) { report in
        advice.append(try advisor.advise(on: statement))
        report.findings +=
          AdviceFinding(
            advice: advice[advice.count - 1], analyzed: statement, names: advisor.names,
            literals: advisor.literals
          ).findings
      }
      try within("S\(statement.statement.id)", &report) { report in
        var context = context(advisor)
        context.advice = advice.last.flatMap { $0.statement == statement.statement.id ? $0 : nil }
        let (found, limits) = try FindingDetectors.findings(for: statement, in: context)
        report.findings += found
        report.notes += limits.map { "S\(statement.statement.id): \($0)" }
      }
    }
    progress(.checkingDatabase)
    try within("The database", &report) { report in
      let (found, limits) = try DatabaseDetectors.findings(for: analyzed, in: context(advisor))
      report.findings += found
      report.notes += limits
    }
    progress(.choosingIndexes)
    if advice.contains(where: { !$0.candidates.isEmpty }), options.maximumIndexes > 0 {
      try within("The indexes for all statements", &report) { report in
        let advised = Set(advice.map(\.statement))
        report.indexAdvice = try advisor.indexSet(
          for: analyzed.filter { advised.contains($0.statement.id) }, advice: advice,
          maximumIndexes: options.maximumIndexes, searchTime: min(.seconds(15), deadline.remaining() / 2))
      }
    }
    report.findings.removeAll(where: FindingOverlap(report.findings).isRepeated)
    if let kinds = options.kinds { report.findings.removeAll { !kinds.contains($0.kind) } }
    report.findings = FindingOrder(workload).sorted(report.findings)
    report.notes = notes(of: analyzed) + report.notes
    report.elapsed = start.duration(to: .now)
    return report
  }
}

// MARK: - Statements

extension DiagnosisRun {
  private func analyze(_ workload: Workload, _ report: inout DiagnosisReport) throws -> [AnalyzedStatement] {
    var analyzed: [AnalyzedStatement] = []
    for (index, statement) in workload.statements.enumerated() {
      try Task.checkCancellation()
      progress(.statement(number: index + 1, of: workload.statements.count))
      do {
        analyzed.append(try analyzer(within: share(of: workload.statements.count - index)).analyze(statement))
      } catch let error as DiagnosisError {
        if error == .trialNotUndone || error == .stopped(.cancelled) { throw error }
        report.skipped.append(SkippedInput(place: statement.places.first, reason: "S\(statement.id): \(error)"))
      }
    }
    return analyzed
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
    var context = DetectorContext(copy: copy, schema: schema, runner: advisor.runner, deadline: deadline)
    context.advisor = advisor
    context.showsValues = options.showsValues
    return context
  }

  /// The time for one of the statements that are left: what others don't need, later ones may.
  private func share(of count: Int) -> Deadline {
    let share = deadline.remaining() / max(count, 1)
    return Deadline(after: max(share, .milliseconds(100))).earlier(deadline)
  }

  private func runner(within deadline: Deadline) -> StatementRunner {
    StatementRunner(connection: copy.connection, timeBudget: options.statementBudget, deadline: deadline)
  }

  private func analyzer(within deadline: Deadline) -> StatementAnalyzer {
    StatementAnalyzer(connection: copy.connection, schema: schema, runner: runner(within: deadline), deadline: deadline)
  }

  private func statementReport(_ analyzed: AnalyzedStatement) -> StatementReport {
    let worst = analyzed.baseline.max { $0.measurement.steps < $1.measurement.steps }
    let counter = PlanCounter(
      connection: copy.connection, schema: schema, timeBudget: options.statementBudget, deadline: deadline)
    let plan = counter.counted(
      analyzed.plan, of: analyzed.sql, bindings: worst?.sample.values ?? [:], measurement: worst?.measurement)
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
    var notes = [
      "Measured with SQLite \(String(cString: sqlite3_libversion())) on a copy of the database. Another version may plan "
        + "otherwise.",
      "Cold: the first execution with an empty page cache; the operating system's cache is not emptied. Warm: the least time "
        + "of one to seven executions that find all pages in the cache.",
    ]
    notes += copy.standIns.notes
    notes += schema.limits
    for statement in analyzed { notes += statement.limits.map { "S\(statement.statement.id): \($0)" } }
    if deadline.hasPassed {
      notes.append("The time budget ended before everything was measured; --budget allows more.")
    }
    return notes
  }
}
