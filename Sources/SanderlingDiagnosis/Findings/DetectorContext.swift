/// The input of detectors: a copy, facts about the copy, and budgets.
struct DetectorContext {
  let copy: DatabaseCopy
  let schema: DatabaseSchema
  /// Measures statements on the copy's connection.
  var runner: StatementRunner
  /// The longest time that a detector may use the copy for one of its questions.
  var questionTime: Duration
  /// Finds indexes for rewritten statements; nil if only the rewrite counts.
  var advisor: IndexAdvisor?
  /// The advice of indexes alone for the statement.
  var advice: StatementAdvice?
  /// Whether fixes may show literals of statements.
  var showsValues: Bool
  /// The literals of views, which appear in a statement in place of a view's name.
  private let literalsOfViews: Set<String>
  private let names: SQLNames
  /// The copy on which statements are compared. A diagnosis has one.
  let adversary: AdversarialCopy
  /// Tries each fix with values of each kind. A diagnosis has one.
  let harm: HarmCheck
  /// Collects proven rewrites for the plan of the report; nil if only the findings count.
  var ledger: RewriteLedger?
  /// Notes that a detector's time ended before the detector had tried everything.
  let shortfall = Shortfall()

  /// A mark that all copies of a context share. It is cleared before each detector runs.
  final class Shortfall {
    var happened = false
  }

  init(
    copy: DatabaseCopy, schema: DatabaseSchema, runner: StatementRunner, questionTime: Duration = .seconds(1),
    advisor: IndexAdvisor? = nil, showsValues: Bool = false, adversary: AdversarialCopy? = nil
  ) {
    (self.copy, self.schema, self.runner, self.questionTime) = (copy, schema, runner, questionTime)
    (self.advisor, self.showsValues) = (advisor, showsValues)
    literalsOfViews = Set(schema.views.map(\.sql).flatMap(LiteralEvidence.literals))
    names = schema.names
    self.adversary = adversary ?? AdversarialCopy(copy: copy, schema: schema)
    harm = advisor?.harm ?? HarmCheck(connection: copy.connection, schema: schema, runner: runner)
  }

  var connection: SQLiteConnection { copy.connection }
  var comparer: ResultComparer { ResultComparer(connection: connection) }

  /// Runs `body`, and stops it after the time of one question.
  func limited<Result>(_ body: () throws -> Result) rethrows -> Result {
    try connection.limited(to: questionTime, body)
  }

  /// Runs detectors one after the other. Returns their findings, the detectors that the budget stopped or left out, and
  /// whether SQLite refused a statement.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled, or if a trial left the copy changed.
  func findings<Detector>(
    of detectors: [Detector], _ look: (Detector) throws -> [Finding]
  ) throws -> (findings: [Finding], stopped: [Detector], hasFailed: Bool) {
    var (findings, stopped, hasFailed): ([Finding], [Detector], Bool) = ([], [], false)
    for detector in detectors {
      if connection.budget.deadline.hasPassed {
        stopped.append(detector)
        continue
      }
      shortfall.happened = false
      do {
        findings += try limited { try look(detector) }
        if shortfall.happened { stopped.append(detector) }
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        stopped.append(detector)
      } catch DiagnosisError.diskFull, DiagnosisError.corrupt {
        stopped.append(detector)
      } catch DiagnosisError.statement, DiagnosisError.notAllowed, DiagnosisError.unavailable {
        hasFailed = true
      }
    }
    return (findings, stopped, hasFailed)
  }

  /// The result of `find`; nil if the time ends first. The shortfall is noted: earlier findings stay, and the detector
  /// runs again with more time.
  func unlessStopped<Result>(_ find: () throws -> Result?) throws -> Result? {
    do {
      return try find()
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      shortfall.happened = true
      return nil
    }
  }

  /// The verdict on a fix with values of each kind. An untried fix stays with a limit, and its detector runs again with
  /// more time.
  func harmVerdict(
    on statement: AnalyzedStatement, as form: String, changes: [String], authority: StatementAuthority = .trial
  ) throws -> HarmCheck.Verdict {
    let verdict = try harm.verdict(on: statement, as: form, changes: changes, authority: authority)
    if verdict == .untried { shortfall.happened = true }
    return verdict
  }

  /// All rows of a query with the values of a sample.
  func rows(_ sql: String, _ values: [Int: BoundValue] = [:]) throws -> [[BoundValue]] {
    try limited {
      let statement = try connection.prepare(sql, authority: .reading)
      try statement.bind(values)
      var rows: [[BoundValue]] = []
      while try statement.step() { rows.append(statement.row) }
      return rows
    }
  }

  /// Compares the results of two statements within the time of one query.
  ///
  /// Throws `DiagnosisError`, also if the detector's time ended first: an unfinished comparison shows no difference,
  /// and is repeated with more time.
  func compare(
    _ one: String, _ other: String, bindings: [Int: BoundValue], otherBindings: [Int: BoundValue],
    order: ResultComparer.Order
  ) throws -> ResultComparer.Verdict {
    let verdict = try limited {
      try comparer.compare(one, other, bindings: bindings, otherBindings: otherBindings, order: order)
    }
    if case .unknown(let reason) = verdict, reason == .cancelled || connection.budget.deadline.hasPassed {
      throw DiagnosisError.stopped(reason)
    }
    return verdict
  }

  /// SQL in the form in which a fix may show it.
  func shown(_ sql: String) -> String { literals.shown(sql) }

  private var literals: LiteralRemover {
    LiteralRemover(showsValues: showsValues, ofSchema: literalsOfViews, names: names)
  }
}
