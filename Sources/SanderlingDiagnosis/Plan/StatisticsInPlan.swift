/// Decides whether ANALYZE is proposed together with the indexes of a plan.
struct StatisticsInPlan {
  let context: DetectorContext
  /// The plan's indexes; nil if there are none.
  let indexes: IndexAdvice?
  let names: IndexNames
  private var migration: [String] { indexes?.migrationSQL ?? [] }

  /// Withdraws ANALYZE if it is no gain together with the plan's changes of indexes, or if it makes other statements
  /// slower. A statement that is left without a fix is kept from the index that misleads it, if that helps. A statement
  /// that ANALYZE helps keeps its form.
  ///
  /// Throws `DiagnosisError`. O(rows that the statements read), a few times.
  func settle(_ findings: inout [Finding], _ statements: [AnalyzedStatement]) throws {
    let answered = findings.answered
    try decide(&findings, statements)
    for id in answered.subtracting(findings.answered).sorted() {
      guard let statement = statements.first(where: { $0.statement.id == id }) else { continue }
      findings += try Trial(connection: context.connection).run(migration) { try misled(statement) }.value
    }
    findings.keepOneAnswer(slowedForms: indexes?.slowedForms ?? [])
  }

  /// Rewrites that keep SQLite from a misleading index, measured with the plan's indexes.
  private func misled(_ statement: AnalyzedStatement) throws -> [Finding] {
    var (statement, context) = (statement, context)
    statement.plan = try PlanReader(connection: context.connection, schema: context.schema).plan(of: statement.sql)
    // Other indexes would not be measured together with the plan's indexes.
    (context.advisor, context.advice) = (nil, nil)
    return try MisleadingIndexDetector().findings(for: statement, in: context).filter(\.isProven)
  }

  private func decide(_ findings: inout [Finding], _ statements: [AnalyzedStatement]) throws {
    let places = findings.indices.filter { findings[$0].isProven && findings[$0].analyzesAll }
    guard !places.isEmpty, !migration.contains("ANALYZE") else { return }
    if findings.refuseStatistics {
      for place in places where findings[place].statement != nil {
        takeBack(
          place, of: &findings, "ANALYZE makes other statements of the workload slower: they need an index first.")
      }
      return
    }
    guard !migration.isEmpty else { return }
    let result = try result(for: statements)
    guard result.isBetter else {
      return withdraw(from: &findings, "With the other changes of this report ANALYZE makes no statement faster.")
    }
    for place in places {
      findings[place].limits += result.limits.filter { !findings[place].limits.contains($0) }
    }
  }

  /// Withdraws ANALYZE.
  func withdraw(from findings: inout [Finding], _ reason: String) {
    for place in findings.indices where findings[place].isProven && findings[place].analyzesAll {
      takeBack(place, of: &findings, reason)
    }
  }

  /// Withdraws ANALYZE from one finding. If the plan's indexes serve the statement as well and it has no other fix,
  /// they replace ANALYZE.
  private func takeBack(_ place: Int, of findings: inout [Finding], _ reason: String) {
    let statement = findings[place].statement
    let hasAnother = findings.indices.contains {
      $0 != place && findings[$0].statement == statement && findings[$0].isProven && findings[$0].fix != nil
    }
    guard !hasAnother, let indexes, indexes.isMeasured, let statement, let gain = indexes.gain(of: statement),
      indexes.shareOfCost(of: statement) < IndexAdvice.shareOfAnotherFix, !indexes.read(by: statement).isEmpty
    else { return findings[place].withdraw(reason) }
    findings[place].follow(indexes.read(by: statement), of: indexes, gain, names)
  }

  /// The effect of ANALYZE on the statements with the plan's indexes.
  private func result(for statements: [AnalyzedStatement]) throws -> WorkloadTrial.Result {
    let measured = statements.filter { !$0.measurements.isEmpty }
    return try Trial(connection: context.connection).run(migration) {
      let reader = PlanReader(connection: context.connection, schema: context.schema)
      let changed = try measured.map { statement in
        var statement = statement
        statement.plan = try reader.plan(of: statement.sql)
        return statement
      }
      let trial = WorkloadTrial(context: context)
      let replanned = try trial.replanned(by: ["ANALYZE"], among: changed).map { statement in
        var statement = statement
        statement.measurements = try context.runner.measure(statement, noLongerThanBefore: false)
        return statement
      }
      return try replanned.isEmpty ? WorkloadTrial.Result() : trial.result(of: ["ANALYZE"], for: replanned)
    }.value
  }
}

extension [Finding] {
  /// Leaves one fix for each statement that has both ANALYZE and a rewrite as proven fixes.
  ///
  /// The fix is ANALYZE, which changes no code. The rewrites are the fix if one of them corrects a wrong result, or if
  /// the statement in its present form takes longer with the plan's indexes.
  mutating func keepOneAnswer(slowedForms: Set<Int>) {
    for place in indices where self[place].isProven && self[place].analyzesAll {
      guard let statement = self[place].statement else { continue }
      let others = indices.filter {
        self[$0].statement == statement && self[$0].isProven && self[$0].isAnotherForm
      }
      if others.isEmpty { continue }
      if slowedForms.contains(statement) || others.contains(where: { self[$0].severity == .wrongResult }) {
        self[place].withdraw("The statement needs another form in any case.")
      } else {
        for other in others {
          self[other].withdraw("ANALYZE gains as much or more for the statement, and one is enough.")
        }
      }
    }
  }

  /// The statements that have a proven fix.
  fileprivate var answered: Set<Int> { Set(filter { $0.isProven && $0.fix != nil }.compactMap(\.statement)) }

  /// Whether ANALYZE makes a statement of the workload slower.
  var refuseStatistics: Bool {
    contains { finding in
      guard finding.statement == nil, [.missingStatistics, .staleStatistics].contains(finding.kind) else {
        return false
      }
      if case .triedNotBetter = finding.outcome { return true } else { return false }
    }
  }
}

extension Finding {
  /// Whether the fix is a rewrite of the statement. Findings about the read columns, about repeated executions and
  /// about triggers are other questions.
  fileprivate var isAnotherForm: Bool {
    guard let sql = fix?.sql, !sql.isEmpty else { return false }
    return !sql.allSatisfy(\.changesSchema)
      && ![.wideRowsForCount, .repeatedStatement, .triggerWithoutColumns].contains(kind)
  }
}
