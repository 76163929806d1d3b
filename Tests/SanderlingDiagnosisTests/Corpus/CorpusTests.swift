import Foundation
import Testing

@testable import SanderlingDiagnosis

/// The score of the diagnosis for statements whose best fix was written down before, beside the score of `.expert`.
///
/// Time limits the trials of the diagnosis, so these tests run alone: `make corpus`.
/// `SANDERLING_CORPUS_SCHEMAS=chat,mail` scores only these schemas, `SANDERLING_CORPUS_PART=1/6` one of six parts, and
/// `SANDERLING_CORPUS_JOBS=2` two schemas at once. With `SANDERLING_CORPUS_COUNTED`, time is counted as ``CountedTime``
/// says, so the score is the same on each machine. `SANDERLING_CORPUS_REPORTS=FOLDER` keeps the report of each schema.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["SANDERLING_CORPUS_SCORE"] != nil))
struct CorpusTests {
  @Test func problemsOfTheCorpusAreFoundFixedAndNotInvented() async throws {
    var scores = SchemaScores()
    for schemaScores in try await Self.schemas.concurrentMap(jobs: Self.jobs, { try await self.scores(of: $0) }) {
      scores.add(schemaScores)
    }
    let (tool, set, expert, reports) = (scores.tool, scores.set, scores.expert, scores.reports)
    let names = Corpus.heldOut.map(\.name)
    let heldOut = CorpusScore(
      name: "diagnosis, of the schemas that it was not made with",
      outcomes: tool.outcomes.filter { outcome in names.contains { outcome.id.hasPrefix($0 + "-") } })
    print(
      tool, set, heldOut, expert, reports, scores.proofs, "diagnosed in \(scores.elapsed)", separator: "\n\n")
    #expect(reports.refused.isEmpty && reports.wrong.isEmpty && reports.contradictions.isEmpty, "\(reports)")
    #expect(reports.printed > 0)
    #expect(reports.budget <= 1.2)
    #expect(reports.linesPerStatement <= 80)
    #expect(heldOut.found >= 0.9)
    #expect(heldOut.gain >= 0.9)
    #expect(tool.found >= 0.95)
    #expect(tool.wrong <= 0.02)
    #expect(tool.gain >= 0.9)
    #expect(set.wrong <= 0.02)
    #expect(set.gain >= 0.9)
    if ExpertAdvice.shell != nil {
      #expect(tool.gain > expert.gain)
      #expect(tool.wrong < expert.wrong)
    }
  }

  private func scores(of schema: CorpusSchema) async throws -> SchemaScores {
    var scores = SchemaScores()
    try await CorpusCheck.check(schema)
    let path = try await CorpusFolder.shared.path(of: schema)
    var options = Diagnosis.Options()
    // The score runs the fixes of the report, so they need their values.
    options.showsValues = true
    let clock = Self.countsTime ? WorkClock.counted(.init(each: CountedTime.ofQuestion)) : .machine
    let report = try WorkClock.$current.withValue(clock) {
      let times = StatementTimes()
      let report = try Diagnosis(database: URL(fileURLWithPath: path), options: options)
        .run(schema.workload) { times.note($0) }
      print(
        """
        \(schema.name): \(report.findings.count) findings in \(report.elapsed)
          \(report.indexAdvice?.verdict ?? "no advice on indexes")
          slowest: \(times.slowest(3, of: schema.statements.map(\.id)))
        """)
      // Each statement has a share of the budget. Time that statements leave goes to those that used up their share.
      #expect(times.longestShare < options.timeBudget / 6, "\(schema.name): \(times.longestShare)")
      return report
    }
    scores.elapsed = report.elapsed
    try keep(report, of: schema)
    scores.proofs.add(report)
    try await scores.reports.add(report, of: schema, timeBudget: options.timeBudget)
    let advice = schema.advice(in: report)
    try await scores.tool.add(schema, advice: advice)
    let triggers = report.findings.filter { $0.kind == .triggerWithoutColumns && $0.outcome.isKept }
    try await scores.set.add(
      schema, advice: advice,
      migratedBy: (report.indexAdvice?.migrationSQL ?? []) + triggers.flatMap { $0.fix?.sql ?? [] })
    if ExpertAdvice.shell != nil {
      try await scores.expert.add(schema, advice: try await ExpertAdvice.advice(for: schema))
    }
    try checkDroppedIndexes(schema, report, path)
    return scores
  }

  /// How many schemas are scored at once. Time limits a diagnosis, so scores to publish are of one schema at a time.
  private static var jobs: Int {
    ProcessInfo.processInfo.environment["SANDERLING_CORPUS_JOBS"].flatMap { Int($0) } ?? 1
  }

  private static let countsTime = ProcessInfo.processInfo.environment["SANDERLING_CORPUS_COUNTED"] != nil

  static var schemas: [CorpusSchema] {
    let environment = ProcessInfo.processInfo.environment
    let wanted = environment["SANDERLING_CORPUS_SCHEMAS"]?.split(separator: ",")
    let part = environment["SANDERLING_CORPUS_PART"].map { text in
      guard let part = CorpusPart(text) else {
        preconditionFailure("SANDERLING_CORPUS_PART is no part like 1/6: \(text)")
      }
      return part
    }
    return Corpus.schemas.filter { schema in
      (wanted?.contains(schema.name[...]) ?? true) && (part?.contains(schema.name) ?? true)
    }
  }

  private func keep(_ report: DiagnosisReport, of schema: CorpusSchema) throws {
    guard let folder = ProcessInfo.processInfo.environment["SANDERLING_CORPUS_REPORTS"] else { return }
    let url = URL(fileURLWithPath: folder)
    try Data(TerminalReport(report).text.utf8).write(to: url.appendingPathComponent("\(schema.name).txt"))
    try Data(TerminalReport(report, showsValues: true, isVerbose: true).text.utf8)
      .write(to: url.appendingPathComponent("\(schema.name).verbose.txt"))
  }

  /// Checks that the superfluous indexes are named, and that no index is dropped that enforces something.
  private func checkDroppedIndexes(
    _ schema: CorpusSchema, _ report: DiagnosisReport, _ path: String
  ) throws {
    func words(_ finding: Finding) -> Set<String> {
      Set(
        (finding.fix?.sql ?? []).flatMap {
          $0.components(separatedBy: CharacterSet(charactersIn: " \"`[];"))
        })
    }
    // An index that a statement of the workload reads is named in the title of its finding, without being dropped.
    func named(_ finding: Finding) -> Set<String> {
      words(finding).union(finding.title.components(separatedBy: CharacterSet(charactersIn: " ,")))
    }
    // An index whose removal makes a statement slower is dropped only together with the new indexes.
    let dropped = Set(report.indexAdvice?.drop.map(\.name) ?? [])
    for index in schema.superfluousIndexes {
      #expect(
        !dropped.isDisjoint(with: index.names)
          || report.findings.contains { $0.kind == index.kind && !named($0).isDisjoint(with: index.names) },
        "\(schema.name): none of \(index.names) is named as \(index.kind.rawValue)")
    }
    // A unique index enforces nothing if a key has the same columns.
    let enforcing = try CorpusConnection(path: path).run(
      """
      SELECT i.name FROM sqlite_master m, pragma_index_list(m.name) i WHERE m.type = 'table' AND i."unique" AND NOT EXISTS (
        SELECT 1 FROM pragma_index_list(m.name) j WHERE i.origin = 'c' AND NOT i.partial AND j.origin <> 'c' AND j."unique"
        AND (SELECT group_concat(name) FROM pragma_index_info(j.name)) = (SELECT group_concat(name) FROM pragma_index_info(i.name)))
      """,
      keepsRows: true
    ).rows.compactMap { row in
      if case .text(let name) = row[0] { name } else { nil }
    }
    for finding in report.findings where words(finding).contains("DROP") {
      #expect(
        words(finding).isDisjoint(with: enforcing), "\(schema.name): \(finding.fix?.sql ?? [])")
    }
  }
}

/// The scores of the diagnosis and of `.expert` for some schemas.
private struct SchemaScores: Sendable {
  var tool = CorpusScore(name: "diagnosis")
  var set = CorpusScore(name: "diagnosis, all indexes of its migration together")
  var expert = CorpusScore(name: ".expert")
  var reports = ReportScore()
  var proofs = ProofScore()
  var elapsed = Duration.zero

  mutating func add(_ other: SchemaScores) {
    tool.outcomes += other.tool.outcomes
    set.outcomes += other.set.outcomes
    expert.outcomes += other.expert.outcomes
    reports.add(other.reports)
    proofs.add(other.proofs)
    elapsed += other.elapsed
  }
}

/// The numbers of comparisons with which the rewrites of reports were proven.
private struct ProofScore: Sendable, CustomStringConvertible {
  private var proofs: [FormProof] = []

  mutating func add(_ report: DiagnosisReport) { proofs += report.findings.compactMap(\.formProof) }
  mutating func add(_ other: ProofScore) { proofs += other.proofs }

  var description: String {
    let withRows = proofs.map(\.comparisonsWithRows).sorted()
    let all = proofs.map(\.comparisons).reduce(0, +)
    guard let least = withRows.first else { return "proofs: none" }
    let few = withRows.count { $0 < 8 }
    return
      "proofs: \(proofs.count) forms, \(all) comparisons, \(withRows.reduce(0, +)) with rows: at least \(least), in the middle "
      + "\(withRows[withRows.count / 2]) for one form; \(few) with fewer than 8"
  }
}

extension Array where Element: Sendable {
  /// The results in the order of the elements. `jobs` elements are transformed at once.
  fileprivate func concurrentMap<Result: Sendable>(
    jobs: Int, _ transform: @escaping @Sendable (Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      for (number, element) in enumerated() {
        if number >= jobs, let (done, result) = try await group.next() { results[done] = result }
        group.addTask { (number, try await transform(element)) }
      }
      for try await (done, result) in group { results[done] = result }
      return indices.compactMap { results[$0] }
    }
  }
}

extension CorpusSchema {
  /// The statements as a workload, as a log would record them.
  var workload: Workload {
    Workload(
      statements: statements.enumerated().map { index, statement in
        let known = statement.logsValues ? statement.executions.prefix(8) : []
        return WorkloadStatement(
          id: index + 1, fingerprint: statement.sql, sql: statement.sql,
          count: statement.executions.count,
          operations: statement.operation.map { [$0: 1] } ?? [:],
          mostPerOperation: statement.operation == nil ? 0 : statement.executions.count,
          bindings: known.filter { !$0.isEmpty }.map { values in
            Dictionary(
              uniqueKeysWithValues: values.enumerated().map { ($0.offset + 1, $0.element.bound) })
          },
          places: [InputPlace(source: name, line: index + 1)])
      })
  }

  /// The report's advice for each statement, without advice that the report marks as uncertain.
  fileprivate func advice(in report: DiagnosisReport) -> [String: CorpusAdvice] {
    var advice: [String: CorpusAdvice] = [:]
    for (index, statement) in statements.enumerated() {
      var own = CorpusAdvice(kinds: [])
      for finding in report.findings
      where finding.outcome.isKept && concerns(finding, index + 1, statement) {
        own.kinds?.insert(finding.kind)
        let makesTable = finding.fix?.sql.contains { $0.hasPrefix("CREATE VIRTUAL TABLE") } ?? false
        for sql in finding.fix?.sql ?? [] {
          // The statements that fill a new full-text table belong to the change.
          if !sql.isStatementOnRows || makesTable && sql.hasPrefix("INSERT") {
            if !own.changes.contains(sql) { own.changes.append(sql) }
          } else if own.replacement == nil {
            own.replacement = sql
            own.reportedRatio = finding.outcome.ratio
          }
        }
      }
      advice[statement.id] = own
    }
    return advice
  }

  /// Whether a finding counts for a statement. A finding of the whole database counts if the statement has its kind of
  /// problem.
  private func concerns(_ finding: Finding, _ number: Int, _ statement: CorpusStatement) -> Bool {
    switch statement.verdict {
    case .none(_, let tolerated): finding.statement == number && !tolerated.contains(finding.kind)
    case .fix(let kinds, _, _, _):
      finding.statement == number || finding.statement == nil && kinds.contains(finding.kind)
    }
  }
}

extension Finding.Outcome {
  fileprivate var isKept: Bool {
    if case .triedNotBetter = self { false } else { true }
  }

  /// The cost after the fix divided by the cost before, with the corpus's formula of costs.
  fileprivate var ratio: Double? {
    guard case .proven(let comparisons) = self else { return nil }
    func cost(_ measurement: StatementMeasurement) -> Double {
      let pages = measurement.pages + measurement.automaticIndexRows
      return Double(measurement.steps + 50 * pages + 500)
    }
    let before = comparisons.map { cost($0.before) }.reduce(0, +)
    return before > 0 ? comparisons.map { cost($0.after) }.reduce(0, +) / before : nil
  }
}

extension String {
  fileprivate var isStatementOnRows: Bool {
    let word = drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }.uppercased()
    return ["SELECT", "WITH", "VALUES", "INSERT", "REPLACE", "UPDATE", "DELETE"].contains(word)
  }
}

/// The processor time of each statement in all its phases together, and of the phases that belong to no statement.
///
/// Processor time excludes other load on the machine. A diagnosis runs on the thread that calls it.
private final class StatementTimes {
  private enum Part: Hashable {
    case share(Int)
    case left(Int)
    case other(String)
  }

  private var times: [Part: Duration] = [:]
  private var current: Part?
  private var begin = Duration.zero

  /// The longest time of a statement within its share of the budget. The budget is fixed, since it grows only for
  /// databases of more than 100 MB.
  var longestShare: Duration {
    times.filter { if case .share = $0.key { true } else { false } }.values.max() ?? .zero
  }

  func note(_ progress: DiagnosisProgress) {
    let part: Part =
      switch progress {
      case .measuring(let statement, _, _), .tryingFixes(let statement, _, _): .share(statement)
      case .goingOn(let statement, _, _): .left(statement)
      case .copying, .readingSchema, .checkingDatabase, .choosingIndexes: .other(progress.description)
      }
    note(part)
  }

  private func note(_ part: Part?) {
    let now = Deadline.timeOfThread
    if let current { times[current, default: .zero] += now - begin }
    (begin, current) = (now, part)
  }

  func slowest(_ count: Int, of ids: [String]) -> String {
    note(nil)
    return times.sorted { $0.value > $1.value }.prefix(count).map { part, time in
      let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
      let name =
        switch part {
        case .share(let statement): ids[statement - 1]
        case .left(let statement): "\(ids[statement - 1]) in the time left"
        case .other(let name): name
        }
      return "\(name) \((seconds * 100).rounded() / 100) s"
    }.joined(separator: ", ")
  }
}
