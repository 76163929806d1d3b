/// What detectors work with: a copy, what is known of it, and what may be spent.
struct DetectorContext {
  let copy: DatabaseCopy
  let schema: DatabaseSchema
  /// Measures on the copy's connection.
  var runner: StatementRunner
  /// The time that one question of a detector to the copy may take.
  var questionTime: Duration
  /// Finds indexes for statements that take the place of others; nil where only the rewrite counts.
  var advisor: IndexAdvisor?
  /// What indexes alone do for the statement.
  var advice: StatementAdvice?
  /// Whether literals of statements may stand in fixes.
  var showsValues: Bool
  /// Which stand in a statement where a view's text does.
  private let literalsOfViews: Set<String>
  private let names: SQLNames
  /// Where statements are told apart; one for all of a diagnosis.
  let adversary: AdversarialCopy
  /// Tries each fix with values of each kind; one for all of a diagnosis.
  let harm: HarmCheck
  /// Where proven rewrites are noted for the plan of the report; nil where only the findings count.
  var ledger: RewriteLedger?
  /// Tells that a detector found something, and the time ended while it looked for better.
  let shortfall = Shortfall()

  /// Made with the context, and kept by its copies: a detector's question sets it, and the next one begins without.
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

  /// Runs `body` for as long as one question may take.
  func limited<Result>(_ body: () throws -> Result) rethrows -> Result {
    try connection.limited(to: questionTime, body)
  }

  /// What detectors find one after the other, which the budget stopped, though they may have found something, or left out, and whether
  /// SQLite refused one something.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled, or when a trial left the copy changed.
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

  /// What `find` finds; nil where the time ends before, which is noted: what was found already stands, and is asked for again with more
  /// time.
  func unlessStopped<Result>(_ find: () throws -> Result?) throws -> Result? {
    do {
      return try find()
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      shortfall.happened = true
      return nil
    }
  }

  /// What a fix does with values of each kind. One that there was no time to try stands with its limit, and its detector is asked again
  /// with more time.
  func harmVerdict(
    on statement: AnalyzedStatement, as form: String, changes: [String], authority: StatementAuthority = .trial
  ) throws -> HarmCheck.Verdict {
    let verdict = try harm.verdict(on: statement, as: form, changes: changes, authority: authority)
    if verdict == .untried { shortfall.happened = true }
    return verdict
  }

  /// All rows of a question with the values of a sample.
  func rows(_ sql: String, _ values: [Int: BoundValue] = [:]) throws -> [[BoundValue]] {
    try limited {
      let statement = try connection.prepare(sql, authority: .reading)
      try statement.bind(values)
      var rows: [[BoundValue]] = []
      while try statement.step() { rows.append(statement.row) }
      return rows
    }
  }

  /// Compares what two statements return, for as long as one question may take.
  ///
  /// Throws `DiagnosisError`, also where the detector's time ended before: what was not compared to its end isn't different, and is to be
  /// compared again with more time.
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

  /// SQL as a fix may show it.
  func shown(_ sql: String) -> String { literals.shown(sql) }

  private var literals: LiteralRemover {
    LiteralRemover(showsValues: showsValues, ofSchema: literalsOfViews, names: names)
  }
}
