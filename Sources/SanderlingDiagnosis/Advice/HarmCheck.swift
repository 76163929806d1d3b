import SanderlingTerminal

/// Tries a fix with values of each kind, and finds the values with which the fix does harm. For example, a fix that
/// speeds up a big chat from 429 to 0.03 ms may slow a chat with one old message from 0.007 to 224 ms.
///
/// Every fix of a statement is checked here before it is proposed: rewrites, orders of joins, created and dropped
/// indexes, and ANALYZE. ``HarmRule`` defines harm. Belongs to the thread of the copy's connection.
final class HarmCheck {
  /// The effect of a fix with the values for which it does most harm.
  struct Harm: Hashable, Sendable {
    /// The kind of values.
    var values: String
    /// The cost with the fix, as a multiple of the cost without it. A lower bound if the run with the fix was stopped.
    var ratio: Double
    /// Whether only literals other than those of the statement show the harm, and the statement's literals are
    /// constants of the app's code.
    var isOfOwnLiterals: Bool
    /// Whether only other bounds of ranges, or other patterns, show the harm.
    var isOfBounds = false

    /// Whether a fix with this harm is rejected.
    var refuses: Bool { !isOfOwnLiterals && !isOfBounds }

    /// The reason for the rejection.
    var reason: String { "With \(values) values the statement would take \(Figure.ratio(ratio)) as long as now." }

    /// The limit of a fix that stays, because the app never uses the harmful values, or because they are bounds of
    /// ranges.
    var limit: String {
      isOfOwnLiterals
        ? "It fits the values that the statement names. With \(values) ones in their place it takes \(Figure.ratio(ratio)) as long as now."
        : "It fits ranges and patterns as they were measured. With \(values) bounds it takes \(Figure.ratio(ratio)) as long as now."
    }
  }

  enum Verdict: Hashable, Sendable {
    case harmless
    /// Harmless with the literals of the app's code and with the measured bounds, but harmful with other literals or
    /// bounds.
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

  /// Measurements of a fix with values of each kind, made while the fix was in place. The measurements without the fix
  /// follow later.
  struct Trials {
    fileprivate var statement: AnalyzedStatement
    fileprivate var literals: VaryingLiterals?
    fileprivate var probes: [ValueProbe] = []
    /// The present statement with each set of values; nil if the fix was not tried with these values.
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
  /// Decides which literals belong to the app's code.
  var evidence: LiteralEvidence
  private var probes: [String: Probes] = [:]
  private var known: [Question: Verdict] = [:]

  /// The share of the remaining time that one fix may take.
  private static let shareOfTime = 0.3
  /// The time of one query: for each kind of values, one or two queries read the rows.
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

  /// The effect of a rewrite, of changes of the database, or of both, with values of each kind.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled or a trial left the copy changed. O(rows read) with each
  /// set of values, and the cost of the changes.
  func verdict(
    on statement: AnalyzedStatement, as form: String? = nil, changes: [String] = [],
    authority: StatementAuthority = .trial
  ) throws -> Verdict {
    let question = Question(statement: statement.statement.id, sql: statement.sql, form: form, changes: changes)
    // Within another trial, the statement reads its rows by another plan.
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

  /// Whether there are values with which to try a fix. False for a write without a rewrite: the cost of an index for
  /// writes is decided over all statements.
  func concerns(_ statement: AnalyzedStatement, _ form: String? = nil) throws -> Bool {
    guard let shape = statement.shape, !statement.isWrite || form != nil else { return false }
    return try inTime { try !probes(of: statement, shape).probes.isEmpty } ?? true
  }

  /// Measures a statement or its rewrite while a fix is in place.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled. O(rows read) with each set of values.
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

  /// The verdict on a fix from its trials, after the fix was removed.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled. O(rows read) with the values with which the fix costs
  /// enough to do harm.
  func verdict(on trials: Trials) throws -> Verdict {
    if trials.isUntried { return .untried }
    return try inTime { try compared(trials) } ?? .untried
  }

  private func compared(_ trials: Trials) throws -> Verdict {
    guard let shape = trials.statement.shape, let literals = trials.literals else { return .harmless }
    var harms: [Harm] = []
    for (place, probe) in trials.probes.enumerated() {
      // A fix does no harm if the statement costs little with it, whatever the cost before, or costs less than before.
      guard let text = trials.texts[place], let after = trials.afters[place],
        ExecutionCost.of(after) > HarmRule.mostCost,
        let before = try measured(text, probe, shape, steps: HarmRule.mostStepsBefore(after)),
        HarmRule.isHarm(before, after)
      else { continue }
      // The rewrite was proven. So another number of rows means that a literal's place in the rewrite was not found.
      if !probe.literals.isEmpty, after.isComplete, before.rowsReturned != after.rowsReturned { continue }
      harms.append(
        Harm(
          values: probe.name, ratio: ExecutionCost.of(after) / max(1, ExecutionCost.of(before)),
          isOfOwnLiterals: !probe.literals.isEmpty && isOwn(probe, literals, of: trials.statement),
          isOfBounds: probe.isOfBounds))
    }
    // Harm with values that the app may bind counts before harm with other values.
    if let worst = harms.filter(\.refuses).max(by: { $0.ratio < $1.ratio }) { return .harmful(worst) }
    return harms.max { $0.ratio < $1.ratio }.map(Verdict.fitsItsValues) ?? .harmless
  }

  /// Runs a body for a share of the remaining time; nil if this time ends first.
  private func inTime<Result>(_ body: () throws -> Result) throws -> Result? {
    do {
      return try connection.limited(to: connection.budget.deadline.remaining() * Self.shareOfTime, body)
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      return nil
    }
  }

  /// Measures a run; nil for values with which SQLite can't run the statement, such as a text that is no full-text
  /// query.
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

  /// Whether the literals that the probe replaces belong to the app's code, as far as the workload and the column show.
  private func isOwn(_ probe: ValueProbe, _ literals: VaryingLiterals, of statement: AnalyzedStatement) -> Bool {
    literals.literals.filter { probe.literals[$0.number] != nil }.allSatisfy { literal in
      let id = statement.statement.id
      return evidence.isOwn(literal.sql, of: id, table: literal.table, columns: [literal.column])
        || evidence.isOfCode(literal.column, of: literal.table, in: id)
        || isFlag(literal.column, of: literal.table)
    }
  }

  /// Whether a column has few distinct values in the whole table.
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
