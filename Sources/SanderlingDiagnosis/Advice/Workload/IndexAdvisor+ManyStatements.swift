/// Indexes that were measured together for many statements.
struct JointIndexSet {
  var advice: IndexAdvice
  /// The advice for each statement that the indexes make faster by enough.
  var statements: [StatementAdvice]
  /// The number of further readers of the indexes, among the statements that were not measured, or not with the
  /// indexes; nil if it isn't known.
  var unmeasuredReaders: Int?
}

extension IndexAdvisor {
  /// The indexes to create and to drop, if there is no time to try indexes for each statement.
  ///
  /// `planned` has the savings that plans promise for the statements, by their numbers. The indexes are measured
  /// together, as ``indexSet(for:advice:maximumIndexes:dropping:searchTime:)`` does. But a statement with its former
  /// plan is assumed to keep its cost. Throws `DiagnosisError`. O(rows · log rows) for each index that is built, and
  /// O(rows read) of the statements that the indexes concern, within `searchTime`.
  func jointIndexSet(
    for statements: [AnalyzedStatement], planned: [Int: [PlannedSet]], maximumIndexes: Int,
    dropping others: [IndexSchema], searchTime: Duration
  ) throws -> JointIndexSet {
    let weights = Self.weights(of: statements)
    let order = statements.indices.filter { statements[$0].shape != nil && !statements[$0].measurements.isEmpty }
      .sorted {
        ExecutionCost.of(statements[$0].measurements) * weights[$0]
          > ExecutionCost.of(statements[$1].measurements) * weights[$1]
      }
    let measured = order.map { statements[$0] }
    let patience = Deadline(after: searchTime).earlier(deadline)
    var runner = runner
    runner.repetition = .seldom
    return try IndexBench.run(
      on: copy.connection, schema: schema, names: names, runner: runner, deadline: patience
    ) { bench in
      let writes = WorkloadWrites(statements: measured)
      let search = JointIndexSearch(
        self, bench, order.map { (statements[$0], weights[$0]) }, options: planned, writes: writes,
        maximumIndexes: maximumIndexes,
        deadline: Deadline(after: patience.remaining() * Self.shareOfSearch))
      let found = try search.search()
      let proof = IndexSetProof(advisor: self, bench: bench, statements: measured, trustsPlans: true)
      let proven = try proof.harmless(
        creating: found.set, dropping: others, known: found.gains,
        within: { patience.remaining() * Self.shareOfHarm })
      var result = proven.advice
      if result.isMeasured {
        result.verdict =
          IndexSetVerdict(
            result: result, advice: [], names: names, writes: writes, leftOut: [], isAnalyzing: false,
            isIncomplete: search.isIncomplete
          ).text
        result.note(proven.remarks)
      }
      return JointIndexSet(
        advice: result,
        statements: proven.gains.compactMap { self.advice(of: $0, in: proven, bench) },
        unmeasuredReaders: result.isMeasured
          ? try readers(
            of: proven.chosen,
            among: statements.filter { $0.measurements.isEmpty || found.unrun.contains($0.statement.id) },
            bench) : nil)
    }
  }

  /// The share of the remaining time in which the indexes are tried with values of each kind. The rest is for the
  /// proof.
  private static let shareOfHarm = 0.25

  /// The number of statements whose plans read the indexes; nil if there is no time for the plans.
  private func readers(
    of chosen: [IndexCandidate], among statements: [AnalyzedStatement], _ bench: IndexBench
  ) throws -> Int? {
    let names = Set(chosen.map { self.names.name(of: $0).asciiLowercased })
    let reads = statements.filter { $0.shape != nil && !$0.isWrite }
    let plans = try bench.plans(of: reads, with: chosen)
    guard plans.count == reads.count else { return nil }
    return plans.count { plan in
      WhatIfPlanner.indexes(in: plan.nodes.map(\.detail)).contains { names.contains($0.asciiLowercased) }
    }
  }

  /// The share of the time in which the set is searched. The rest is for the proof, which runs the writes and tries
  /// further drops.
  private static let shareOfSearch = 0.8

  /// The weights of an execution of each statement. If a log has the times of all statements, the times of reads
  /// decide: they come from the values of all executions, and a measurement has the values of one. A write's logged
  /// time includes the commit, which no index changes, so each execution of a write counts once.
  static func weights(of statements: [AnalyzedStatement]) -> [Double] {
    let counts = statements.map { Double(max(1, $0.statement.count)) }
    let costs = statements.map { ExecutionCost.of($0.measurements) }
    let times = statements.compactMap(\.statement.totalTime).map(\.inSeconds)
    guard times.count == statements.count else { return counts }
    let reads = statements.indices.filter { !statements[$0].isWrite && costs[$0] > 0 }
    let (time, cost) = (reads.reduce(0) { $0 + times[$1] }, reads.reduce(0) { $0 + counts[$1] * costs[$1] })
    guard time > 0, cost > 0 else { return counts }
    var weights = counts
    for place in reads { weights[place] = times[place] / time * cost / costs[place] }
    return weights
  }

  /// The advice of the set for one statement; nil if its gain is too small.
  private func advice(
    of gain: WorkloadGain, in proven: IndexSetProof.Proven, _ bench: IndexBench
  ) -> StatementAdvice? {
    let statement = gain.statement
    let after = gain.comparisons.map(\.after)
    guard let shape = statement.shape, GainRule(before: statement.measurements).isMet(by: after) else { return nil }
    let set = proven.chosen.filter { index in
      gain.indexes.contains(names.name(of: index).asciiLowercased)
        || statement.isWrite && index.isUnseen
          && schema.tablesTouched(by: statement).contains(index.table.asciiLowercased)
    }
    if set.isEmpty { return nil }
    var advice = StatementAdvice(statement: statement.statement.id, planBefore: statement.plan)
    let result = IndexBench.Result(
      set: set, measurements: after, plan: gain.planAfter, indexPages: bench.sizes.filter { set.contains($0.key) })
    StatementTrials(advisor: self, statement: statement, shape: shape).fill(&advice, with: result)
    if let remark = proven.remarks[statement.statement.id] { advice.limits.append(remark) }
    return advice
  }
}
