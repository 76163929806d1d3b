import SanderlingTerminal

/// Tries a fix with values of each kind, and says for which values it does harm. A fix that takes a big chat from 429 to 0.03 ms may take a
/// chat with one old message from 0.007 to 224 ms.
///
/// Every fix of a statement passes here before it is proposed: other forms, orders of joins, indexes that are made or dropped, and ANALYZE.
/// ``HarmRule`` defines harm. Belongs to the thread of the copy's connection.
final class HarmCheck {
  /// The effect of a fix with the values for which it does most harm.
  struct Harm: Hashable, Sendable {
    /// The kind of values.
    var values: String
    /// How many times as much it takes with them: at least so many, where the run after it was ended.
    var ratio: Double
    /// Whether only other literals show it than those that the statement names, and these belong to the app's code.
    var isOfOwnLiterals: Bool
    /// Whether only other bounds of ranges, or other patterns, show it.
    var isOfBounds = false

    /// Whether a fix that does it is none.
    var refuses: Bool { !isOfOwnLiterals && !isOfBounds }

    /// Why a fix is none.
    var reason: String { "With \(values) values the statement would take \(Figure.ratio(ratio)) as long as now." }

    /// For a fix that stays, as the values that it harms with are none of the app's, or bounds of ranges.
    var limit: String {
      isOfOwnLiterals
        ? "It fits the values that the statement names. With \(values) ones in their place it takes \(Figure.ratio(ratio)) as long as now."
        : "It fits ranges and patterns as they were measured. With \(values) bounds it takes \(Figure.ratio(ratio)) as long as now."
    }
  }

  enum Verdict: Hashable, Sendable {
    case harmless
    /// Harmless with the values that the app's code names, and with bounds as measured, and no fix where others stand in their place.
    case fitsItsValues(Harm)
    case harmful(Harm)
    /// The time ended before values of all kinds were tried.
    case untried

    static let untriedLimit =
      "The time ended before it was tried with frequent, rare and absent values. --statement-budget allows more."

    var isHarmful: Bool { if case .harmful = self { true } else { false } }

    /// The limit that a report shows with the fix.
    var limit: String? {
      switch self {
      case .harmless, .harmful: nil
      case .fitsItsValues(let harm): harm.limit
      case .untried: Self.untriedLimit
      }
    }

    /// For a harmful fix, the reason why it is no fix; for other fixes, the `limit`.
    var remark: String? { if case .harmful(let harm) = self { harm.reason } else { limit } }
  }

  /// Measurements of a fix with values of each kind, made while the fix was in place. The other measurements are to be made without the fix.
  struct Trials {
    fileprivate var statement: AnalyzedStatement
    fileprivate var literals: VaryingLiterals?
    fileprivate var probes: [ValueProbe] = []
    /// The statement as it is, with each of the values; nil where the fix was not tried with them.
    fileprivate var texts: [String?] = []
    fileprivate var afters: [StatementMeasurement?] = []
    fileprivate var isUntried = false
  }

  private struct Question: Hashable {
    var statement: Int
    var sql: String
    var form: String?
    var changes: [String]
  }

  private struct Probes {
    var literals: VaryingLiterals
    var probes: [ValueProbe]
  }

  private let connection: SQLiteConnection
  private let schema: DatabaseSchema
  private let runner: StatementRunner
  private let sampler: BindingSampler
  /// Tells which literals belong to the app's code.
  var evidence: LiteralEvidence
  private var probes: [String: Probes] = [:]
  private var known: [Question: Verdict] = [:]

  /// The share of the remaining time that one fix may take.
  private static let shareOfTime = 0.3
  /// Each kind of values asks the rows once or twice.
  private static let timeOfQuestion = Duration.milliseconds(60)

  init(
    connection: SQLiteConnection, schema: DatabaseSchema, runner: StatementRunner,
    evidence: LiteralEvidence = LiteralEvidence()
  ) {
    (self.connection, self.schema, self.evidence) = (connection, schema, evidence)
    sampler = BindingSampler(connection: connection, schema: schema, timeBudget: Self.timeOfQuestion)
    var runner = runner
    (runner.repetition, runner.keepsBounds) = (.once, true)
    self.runner = runner
  }

  /// The effect of another form of a statement, of changes of the database, or of both, with values of each kind.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled or a trial left the copy changed. O(rows read) with each of the values, and the
  /// cost of the changes.
  func verdict(
    on statement: AnalyzedStatement, as form: String? = nil, changes: [String] = [],
    authority: StatementAuthority = .trial
  ) throws -> Verdict {
    let question = Question(statement: statement.statement.id, sql: statement.sql, form: form, changes: changes)
    // Within another trial the rows are read in another way.
    let isKept = !connection.isInTransaction
    if isKept, let verdict = known[question] { return verdict }
    guard try concerns(statement, form) else { return .harmless }
    let trials = try inTime {
      try changes.isEmpty
        ? self.trials(of: statement, as: form)
        : Trial(connection: connection).run(changes, authority: authority) {
          try self.trials(of: statement, as: form)
        }.value
    }
    guard let trials else { return .untried }
    let verdict = try verdict(on: trials)
    if isKept, verdict != .untried { known[question] = verdict }
    return verdict
  }

  /// Whether there are values to try it with. The cost of an index for writes is a matter of all statements.
  func concerns(_ statement: AnalyzedStatement, _ form: String? = nil) throws -> Bool {
    guard let shape = statement.shape, !statement.isWrite || form != nil else { return false }
    return try inTime { try !probes(of: statement, shape).probes.isEmpty } ?? true
  }

  /// Measures a statement, or another form of it, where a fix is in place.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled. O(rows read) with each of the values.
  func trials(of statement: AnalyzedStatement, as form: String? = nil) throws -> Trials {
    var trials = Trials(statement: statement)
    guard let shape = statement.shape, try concerns(statement, form) else { return trials }
    let measured: Void? = try inTime {
      let (literals, probes) = try self.probes(of: statement, shape)
      (trials.literals, trials.probes) = (literals, probes)
      for probe in probes {
        let sql = literals.replaced(in: statement.sql, with: probe.literals)
        let other = literals.replaced(in: form ?? statement.sql, with: probe.literals)
        trials.texts.append(other == nil ? nil : sql)
        trials.afters.append(try other.flatMap { try self.measured($0, probe, shape, steps: .max) })
      }
    }
    trials.isUntried = measured == nil
    return trials
  }

  /// The verdict on a fix from the measurements made with it, when the fix isn't in place any more.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled. O(rows read) with those values with which it takes more than next to nothing.
  func verdict(on trials: Trials) throws -> Verdict {
    if trials.isUntried { return .untried }
    return try inTime { try compared(trials) } ?? .untried
  }

  private func compared(_ trials: Trials) throws -> Verdict {
    guard let shape = trials.statement.shape, let literals = trials.literals else { return .harmless }
    var harms: [Harm] = []
    for (place, probe) in trials.probes.enumerated() {
      // A fix does no harm where the statement takes next to nothing with it, whatever it took before, or takes less than before.
      guard let text = trials.texts[place], let after = trials.afters[place],
        ExecutionCost.of(after) > HarmRule.mostCost,
        let before = try measured(text, probe, shape, steps: HarmRule.mostStepsBefore(after)),
        HarmRule.isHarm(before, after)
      else { continue }
      // Another number of rows tells that a literal's place in the form was not found, for the form itself was proven.
      if !probe.literals.isEmpty, after.isComplete, before.rowsReturned != after.rowsReturned { continue }
      harms.append(
        Harm(
          values: probe.name, ratio: ExecutionCost.of(after) / max(1, ExecutionCost.of(before)),
          isOfOwnLiterals: !probe.literals.isEmpty && isOwn(probe, literals, of: trials.statement),
          isOfBounds: probe.isOfBounds))
    }
    // Values that the app binds count before those that its code never names.
    if let worst = harms.filter(\.refuses).max(by: { $0.ratio < $1.ratio }) { return .harmful(worst) }
    return harms.max { $0.ratio < $1.ratio }.map(Verdict.fitsItsValues) ?? .harmless
  }

  /// Runs a body for a share of the remaining time; nil where that ends before.
  private func inTime<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfTime, body)
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
  }

  /// Nil for values with which SQLite can't run it: a text that is no full-text query.
  private func measured(
    _ sql: String, _ probe: ValueProbe, _ shape: QueryShape, steps: Int64
  ) throws -> StatementMeasurement? {
    var runner = runner
    runner.stepBudget = steps
    let values = MovableStatement.values(probe.values, named: shape.parameterNames, for: sql)
    do {
      let measurement = try runner.measure(sql, bindings: values)
      if !measurement.isComplete, connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(.time) }
      return measurement
    } catch DiagnosisError.statement {
      return nil
    }
  }

  private func probes(
    of statement: AnalyzedStatement, _ shape: QueryShape
  ) throws -> (literals: VaryingLiterals, probes: [ValueProbe]) {
    let key = "\(statement.statement.id) \(statement.sql)"
    if let known = probes[key] { return (known.literals, known.probes) }
    let literals = VaryingLiterals(shape)
    let found = ProbeSampler(sampler: sampler).probes(of: statement, literals)
    if connection.budget.deadline.hasPassed { throw DiagnosisError.stopped(.time) }
    probes[key] = Probes(literals: literals, probes: found)
    return (literals, found)
  }

  /// Whether the literals in whose place the probe has other values belong to the app's code, as far as the workload and the column tell.
  private func isOwn(_ probe: ValueProbe, _ literals: VaryingLiterals, of statement: AnalyzedStatement) -> Bool {
    literals.literals.filter { probe.literals[$0.number] != nil }.allSatisfy { literal in
      let id = statement.statement.id
      return evidence.isOwn(literal.sql, of: id, table: literal.table, columns: [literal.column])
        || evidence.isOfCode(literal.column, of: literal.table, in: id)
        || isFlag(literal.column, of: literal.table)
    }
  }

  /// Whether a column has few values in all of its rows.
  private func isFlag(_ column: String, of table: String) -> Bool {
    let (column, table) = (column.quotedIdentifier, table.quotedIdentifier)
    let row = sampler.firstRow(
      { limit in
        let rows = limit.map { "(SELECT \(column) FROM \(table) LIMIT \($0))" } ?? table
        return "SELECT count(*) FROM (SELECT DISTINCT \(column) FROM \(rows) LIMIT \(TermSampler.valuesOfFlag + 1))"
      }, [])
    return row?.first?.integer.map { $0 <= TermSampler.valuesOfFlag } ?? false
  }
}
