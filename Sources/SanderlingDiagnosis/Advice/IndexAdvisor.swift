/// Finds the indexes that make statements cheaper, by trying them on a copy.
///
/// Belongs to the thread of the copy's connection.
struct IndexAdvisor {
  let copy: DatabaseCopy
  let schema: DatabaseSchema
  let runner: StatementRunner
  /// The end of the connection's remaining budget.
  var deadline: Deadline { copy.connection.budget.deadline }
  /// The time in which indexes for one statement may be built; nil for a share of the connection's remaining budget.
  let buildTime: Duration?
  let names: IndexNames
  let facts: ColumnFacts
  let planner: WhatIfPlanner
  let statistics: StatisticsTrial
  /// Decides which literals an index may hold.
  var evidence: LiteralEvidence { didSet { harm.evidence = evidence } }
  /// Tries each found fix with values of each kind.
  let harm: HarmCheck
  /// The present forms of statements that get a rewrite. The app runs these forms until its code is changed, so no
  /// index that they need is dropped. Their numbers are not in the workload.
  var formerForms: [AnalyzedStatement] = []

  /// Whether new indexes may be advised.
  var allowsIndexes = true

  /// The least cost for which indexes are proposed that SQLite uses only with statistics.
  private static let leastCostToDependOnStatistics = 4 * GainRule.leastCostOfTrial

  /// The greatest number of sets that are measured for one statement.
  static let maximumSets = 16

  /// Creates an advisor. Throws `DiagnosisError` if the schema can't be copied.
  init(
    copy: DatabaseCopy, schema: DatabaseSchema, runner: StatementRunner? = nil,
    buildTime: Duration? = nil, evidence: LiteralEvidence = LiteralEvidence()
  ) throws {
    self.copy = copy
    self.schema = schema
    let runner = runner ?? StatementRunner(connection: copy.connection)
    self.runner = runner
    harm = HarmCheck(connection: copy.connection, schema: schema, runner: runner, evidence: evidence)
    self.buildTime = buildTime
    self.evidence = evidence
    names = IndexNames(schema: schema)
    facts = ColumnFacts(connection: copy.connection, schema: schema)
    planner = WhatIfPlanner(connection: try copy.makeSchemaCopy(), names: names)
    statistics = StatisticsTrial(copy: copy, schema: schema, names: names)
  }

  /// The change for one statement alone.
  ///
  /// Throws `DiagnosisError`. O(rows · log rows) of the tables that get indexes, within `buildTime`.
  func advise(on statement: AnalyzedStatement) throws -> StatementAdvice {
    var advice = StatementAdvice(statement: statement.statement.id, planBefore: statement.plan)
    guard let shape = statement.shape, !statement.measurements.isEmpty else {
      advice.verdict = "The statement could not be read or run, so that no index was looked for."
      return advice
    }
    guard GainRule(before: statement.measurements).isWorthATrial else {
      advice.verdict = "It reads so little that no index is needed."
      return advice
    }
    var trials = StatementTrials(advisor: self, statement: statement, shape: shape)
    var indexes = try allowsIndexes ? trials.tryIndexes(&advice) : nil
    let analyzed = try inTime("ANALYZE was", &advice, { _ in try trials.tryStatistics() })
    var needsStatistics = false
    if wantsIndexesWithStatistics(indexes, analyzed, trials.rule),
      let renewed = try inTime(
        "indexes together with ANALYZE were", &advice, { try trials.tryIndexes(&$0, withNewStatistics: true) }),
      isMuchBetter(renewed, than: indexes, trials),
      try isHarmless(renewed.set.map { $0.creation(named: names.name(of: $0)) } + ["ANALYZE"], to: statement, &advice)
    {
      (indexes, needsStatistics) = (renewed, true)
    }
    let rule = trials.rule
    let best = indexes.map { rule.gain($0.measurements) } ?? 0
    if let analyzed, rule.isMet(by: analyzed),
      rule.gain(analyzed) >= Self.preferenceOfStatistics * best, !isFarWorse(analyzed, than: indexes, rule),
      try isHarmless(statistics.statements, to: statement, &advice)
    {
      advice.change = .analyze
      advice.kind = schema.hasStatistics ? .staleStatistics : .missingStatistics
      advice.sql = ["ANALYZE"]
      advice.comparisons = trials.comparisons(analyzed)
      advice.verdict = "ANALYZE is enough: with statistics SQLite finds a better way by the indexes that exist."
      return advice
    }
    if let (index, measurements) = try inTime("dropping an index was", &advice, { _ in try trials.tryDropping() }),
      rule.isMet(by: measurements), rule.isMetByTime(measurements),
      best < 0.9 * rule.gain(measurements),
      try isHarmless(["DROP INDEX \(index.name.quotedIdentifier)"], to: statement, &advice)
    {
      advice.change = .drop(index)
      advice.kind = .harmfulIndex
      advice.node = statement.plan.nodes.first { $0.step.index == index.name }?.id
      advice.sql = ["DROP INDEX \(index.name.quotedIdentifier)"]
      advice.comparisons = trials.comparisons(measurements)
      advice.verdict = "The index \(index.name) leads SQLite to a worse way than it takes without it."
      return advice
    }
    if let indexes {
      trials.fill(&advice, with: indexes)
      if needsStatistics {
        advice.sql = advice.indexes.map(\.sql) + ["ANALYZE"]
        advice.verdict +=
          schema.hasStatistics
          ? " The statistics are so old that SQLite would not use it before ANALYZE runs, too."
          : " There are no statistics, and SQLite would not use it before ANALYZE runs, too."
      }
    } else if advice.verdict.isEmpty {
      advice.verdict =
        allowsIndexes ? "No index makes it enough cheaper." : "No index was looked for, since none may be made."
    }
    return advice
  }

  /// Whether changes do no harm to the statement, with values of any kind. A limit of the changes goes into the advice.
  private func isHarmless(
    _ changes: [String], to statement: AnalyzedStatement, _ advice: inout StatementAdvice
  ) throws -> Bool {
    let verdict = try harm.verdict(on: statement, changes: changes)
    advice.note(verdict)
    return !verdict.isHarmful
  }

  /// The result of a trial. If the time ends first, the result is nil, and the advice gets a limit.
  private func inTime<Found>(
    _ what: String, _ advice: inout StatementAdvice, _ trial: (inout StatementAdvice) throws -> Found?
  ) throws -> Found? {
    do {
      return try trial(&advice)
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      advice.isCutShort = true
      advice.limits.append("The time ended before \(what) tried. \(StatementTime.remark)")
      return nil
    }
  }

  /// Whether SQLite may use indexes only with statistics: there are none, or they are old, and the found fixes leave
  /// much of the cost.
  private func wantsIndexesWithStatistics(
    _ indexes: IndexBench.Result?, _ analyzed: [StatementMeasurement]?, _ rule: GainRule
  ) -> Bool {
    guard allowsIndexes else { return false }
    if statistics.isStale { return true }
    let left = [indexes?.measurements, analyzed].compactMap { $0 }.map(rule.cost).min() ?? rule.cost
    return !schema.hasStatistics && left >= Self.leastCostToDependOnStatistics
  }

  /// Whether indexes are so much better with ANALYZE that they may depend on statistics.
  private func isMuchBetter(
    _ renewed: IndexBench.Result, than indexes: IndexBench.Result?, _ trials: StatementTrials
  ) -> Bool {
    let rule = trials.rule
    // With statistics, SQLite may scan an index until LIMIT ends the scan. A search that is a gain needs neither
    // statistics nor a limit.
    if let indexes, !indexes.isWalk, renewed.isWalk, trials.hasLimit { return false }
    let (cost, least) = (rule.cost(renewed.measurements), indexes.map { rule.cost($0.measurements) } ?? rule.cost)
    return statistics.isStale ? cost < 0.8 * least : cost < 0.5 * least && least - cost > GainRule.leastCost
  }

  /// Whether indexes save much of the remaining cost, even if that is little of the cost before.
  private func isFarWorse(
    _ measurements: [StatementMeasurement], than indexes: IndexBench.Result?, _ rule: GainRule
  ) -> Bool {
    guard let indexes else { return false }
    let (cost, least) = (rule.cost(measurements), rule.cost(indexes.measurements))
    return cost > 1.5 * least && cost > GainRule.leastCostOfTrial
  }
}
