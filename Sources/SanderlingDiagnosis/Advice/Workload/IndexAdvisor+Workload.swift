extension IndexAdvisor {
  /// The indexes to create and to drop for a whole workload, measured together.
  ///
  /// `advice` has the results of `advise(on:)` for the statements, which must have been measured. `dropping` has
  /// indexes that are superfluous for other reasons. They are dropped if no statement loses by it. Throws
  /// `DiagnosisError`. O(candidates · statements) plans, and O(rows · log rows) for each index that is built, within
  /// `searchTime`.
  func indexSet(
    for statements: [AnalyzedStatement], advice: [StatementAdvice], maximumIndexes: Int,
    dropping others: [IndexSchema] = [], searchTime: Duration = .seconds(15)
  ) throws -> IndexAdvice {
    let measured = statements.filter { $0.shape != nil && !$0.measurements.isEmpty }
    // If some statements need ANALYZE, a set is chosen with the new statistics, and another set without them.
    let wantsStatistics = try advice.contains(where: \.needsStatistics) && statistics.planner() != nil
    let plain = try indexSet(
      for: measured, advice, maximumIndexes, others, analyzing: false,
      searchTime: wantsStatistics ? searchTime / 2 : searchTime)
    if !wantsStatistics {
      // Without statistics, SQLite may use one statement's index for another statement, so that neither can have the
      // index.
      guard !schema.hasStatistics || statistics.isStale, leavesMuch(plain.gains, of: advice, measured),
        try statistics.planner() != nil
      else { return plain.advice }
    }
    var analyzed = try indexSet(
      for: measured, advice, maximumIndexes, others, analyzing: true, searchTime: searchTime / 2)
    // Statistics can mislead, too. No gain of other statements justifies a read that takes several times as long.
    if analyzed.gains.contains(where: \.isMuchWorse), !plain.gains.contains(where: \.isMuchWorse) {
      return plain.advice
    }
    // As for one statement, no index is proposed if ANALYZE does nearly as well. If no statement needs ANALYZE for
    // itself, ANALYZE must save more, together with indexes.
    let least =
      wantsStatistics
      ? Self.preferenceOfStatistics * plain.gains.saving
      : max(Self.gainOfStatistics * plain.gains.saving, plain.gains.saving + GainRule.leastCost)
    guard analyzed.gains.saving > least, !analyzed.advice.create.isEmpty || paysAlone(analyzed.gains, wantsStatistics),
      try !harms(&analyzed.advice, analyzed.gains)
    else { return plain.advice }
    return analyzed.advice
  }

  /// Whether ANALYZE without any index is a gain: a statement with another plan must gain as much as by a fix.
  private func paysAlone(_ gains: [WorkloadGain], _ isWanted: Bool) -> Bool {
    isWanted
      && gains.contains { gain in
        gain.planAfter.nodes.map(\.detail) != gain.statement.plan.nodes.map(\.detail)
          && GainRule(before: gain.comparisons.map(\.before), executions: gain.statement.statement.count)
            .isMet(by: gain.comparisons.map(\.after))
      }
  }

  /// Whether a whole change with ANALYZE harms a statement with values of some kind. The effect of the statistics alone
  /// is measured here, too. The advice gets a limit for each untried statement.
  private func harms(_ advice: inout IndexAdvice, _ gains: [WorkloadGain]) throws -> Bool {
    let near = gains.filter(\.isReadInAnotherWay)
    if near.isEmpty { return false }
    var limits = Dictionary(near.map { ($0.statement.statement.id, HarmCheck.Verdict.untriedLimit) }) { first, _ in
      first
    }
    do {
      let trials = try Trial(connection: copy.connection).run(advice.migrationSQL) {
        try near.map { try harm.trials(of: $0.statement) }
      }.value
      for (gain, trials) in zip(near, trials) {
        let verdict = try harm.verdict(on: trials)
        if verdict.isHarmful { return true }
        limits[gain.statement.statement.id] = verdict.limit
      }
    } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
      // The remaining statements were not tried.
    }
    advice.note(limits)
    return false
  }

  /// Whether the statements would save much more with their own indexes than with the indexes for all.
  private func leavesMuch(
    _ gains: [WorkloadGain], of advice: [StatementAdvice], _ statements: [AnalyzedStatement]
  ) -> Bool {
    var (alone, together) = (0.0, 0.0)
    for statement in statements where !statement.isWrite {
      let id = statement.statement.id
      guard let own = advice.first(where: { $0.statement == id }), !own.candidates.isEmpty else { continue }
      let count = Double(max(1, statement.statement.count))
      alone += (own.comparisons.workBefore - own.comparisons.workAfter) * count
      together += gains.first { $0.statement.statement.id == id }?.saved ?? 0
    }
    return together < Self.shareOfOwnIndexes * alone
  }

  private func indexSet(
    for statements: [AnalyzedStatement], _ advice: [StatementAdvice], _ maximumIndexes: Int,
    _ others: [IndexSchema], analyzing: Bool, searchTime: Duration
  ) throws -> (advice: IndexAdvice, gains: [WorkloadGain]) {
    let left = deadline.remaining()
    let patience = Deadline(afterWorking: searchTime).earlier(Deadline(after: left * Self.shareOfChoice)).earlier(
      deadline)
    // A part of the time is kept to build and prove the found set, even if other processes use the processor most of
    // the time.
    let searchPatience = Deadline(afterWorking: searchTime * 0.6).earlier(Deadline(after: left * Self.shareOfSearch))
      .earlier(deadline)
    let planner = try analyzing ? statistics.planner() ?? planner : planner
    defer { planner.clear() }
    return try IndexBench.run(
      on: copy.connection, schema: schema, names: names, runner: runner, deadline: patience,
      statistics: analyzing ? statistics.statements : []
    ) { bench in
      let search = try IndexSetSearch(
        advisor: self, planner: planner, statements: statements, advice: advice, bench: bench,
        maximumIndexes: maximumIndexes, deadline: searchPatience)
      let proof = IndexSetProof(advisor: self, bench: bench, statements: statements, isAnalyzing: analyzing)
      let own = ownSet(of: statements, advice, maximumIndexes, analyzing: analyzing)
      let drops = advice.compactMap(\.harmfulIndex) + others
      let proven: IndexSetProof.Proven
      if let own {
        // The finding of the statement already has the verdict with values of each kind.
        let (advice, gains) = try proof.advice(creating: own, dropping: drops)
        proven = IndexSetProof.Proven(chosen: own, advice: advice, gains: gains)
      } else {
        proven = try proof.harmless(
          creating: paying(try harmless(search, proof), search, proof), dropping: drops,
          within: { deadline.remaining() * Self.shareOfHarmed })
      }
      var result = proven.advice
      if result.isMeasured {
        result.slowedForms = Set(
          try (proof.formerForms.gains(proven.chosen, isAnalyzing: analyzing) ?? []).filter(\.isMuchWorse)
            .map { -$0.statement.statement.id })
        result.verdict =
          IndexSetVerdict(
            result: result, advice: advice, names: names, writes: search.writes,
            leftOut: try search.leftOut(of: Set(proven.chosen)), isAnalyzing: analyzing,
            isIncomplete: search.isIncomplete
          ).text
        result.note(proven.remarks)
      }
      return (result, proven.gains)
    }
  }

  /// The indexes of a read that is the only statement: they cost no other statement anything. Nil for several
  /// statements.
  private func ownSet(
    of statements: [AnalyzedStatement], _ advice: [StatementAdvice], _ maximumIndexes: Int, analyzing: Bool
  ) -> [IndexCandidate]? {
    guard statements.count == 1, !statements[0].isWrite,
      let own = advice.first(where: { $0.statement == statements[0].statement.id }), own.needsStatistics == analyzing,
      !own.candidates.isEmpty, own.candidates.count <= maximumIndexes
    else { return nil }
    return own.candidates
  }

  /// The share of the remaining time in which one set is tried with values of each kind. Other sets have to be
  /// measured, too.
  private static let shareOfHarmed = 0.2

  /// The best measured set. Each further search leaves out indexes that made a statement slower.
  private func harmless(_ search: IndexSetSearch, _ proof: IndexSetProof) throws -> [IndexCandidate] {
    let bench = proof.bench
    var excluded: Set<IndexCandidate> = []
    var best: (set: [IndexCandidate], saving: Double, isMisleading: Bool)?
    var areHarmed = false
    for round in 0..<Self.maximumSearches {
      let chosen = try search.search(without: excluded)
        .sorted { $0.definition < $1.definition }
      guard let gains = try proof.gains(chosen, isAnalyzing: proof.isAnalyzing) else {
        // There is no time to measure another set. From a set that misleads a statement, the misleading indexes are
        // removed.
        guard let best else { return chosen }
        return best.isMisleading ? best.set.filter { !excluded.contains($0) } : best.set
      }
      // The losses of statements in their present form, until the app's code is changed, count as well. But they are
      // limited, because the code changes together with the schema.
      let former = try (proof.formerForms.gains(chosen, isAnalyzing: proof.isAnalyzing) ?? []).filter(\.isMuchWorse)
      let saving = gains.saving + max(former.saving, -Self.mostLossOfFormerForms * abs(gains.saving))
      // No gain of other statements justifies a read that takes several times as long, even if only with some values.
      let harmed = try proof.harms(of: chosen, gains, within: deadline.remaining() * Self.shareOfHarmed).harmed
      let isMisleading = gains.contains(where: \.isMuchWorse) || !harmed.isEmpty
      let isBetter =
        if let best, best.isMisleading != isMisleading { best.isMisleading && saving >= 0 } else {
          saving > best?.saving ?? -.infinity
        }
      if isBetter { (best, areHarmed) = ((chosen, saving, isMisleading), !harmed.isEmpty) }
      let slower = gains.filter { !$0.isNoWorse } + former
      let harmful =
        try slower.flatMap { try culprits(in: chosen, of: $0, bench: bench) }
        + harmed.flatMap { gain in chosen.filter { gain.indexes.contains(names.name(of: $0).asciiLowercased) } }
      let wrong = try changingResults(chosen, search, bench: bench, gains.map(\.statement))
      // No index may change a result, but bugs of SQLite can.
      if !wrong.isEmpty, best?.set == chosen { best = nil }
      if harmful.isEmpty && wrong.isEmpty || bench.isLost { break }
      // An index with the same beginning misleads, too. After the second time, all indexes with this beginning are left
      // out.
      excluded.formUnion(wrong.union(round == 0 ? Set(harmful) : search.candidates(beginningAs: harmful)))
    }
    // An index that harms a statement with some values is no fix for another statement.
    return best.map { best in areHarmed ? best.set.filter { !excluded.contains($0) } : best.set } ?? []
  }

  /// The indexes of a set with which a statement returns other rows.
  private func changingResults(
    _ chosen: [IndexCandidate], _ search: IndexSetSearch, bench: IndexBench, _ statements: [AnalyzedStatement]
  ) throws -> Set<IndexCandidate> {
    var found: Set<IndexCandidate> = []
    for statement in statements where !statement.isWrite && !deadline.hasPassed {
      let unproven = try search.unproven(statement, with: Set(chosen))
      guard !unproven.isEmpty, let before = try bench.images(of: statement, with: []),
        let after = try bench.images(of: statement, with: chosen)
      else { continue }
      if !after.isSame(as: before) { found.formUnion(unproven) }
    }
    return found
  }

  /// The index without which a statement is no slower than before. If SQLite then uses another misleading index, all
  /// indexes of the set that the statement reads.
  private func culprits(
    in chosen: [IndexCandidate], of gain: WorkloadGain, bench: IndexBench
  ) throws -> [IndexCandidate] {
    let tables = schema.tablesTouched(by: gain.statement)
    for index in chosen where tables.contains(index.table.asciiLowercased) {
      guard let result = try bench.measure(gain.statement, with: chosen.filter { $0 != index }) else { return [] }
      let cost = ExecutionCost.of(result.measurements, beside: gain.statement.measurements)
      if GainRule.isNoWorse(cost, than: gain.before) { return [index] }
    }
    return chosen.filter { gain.indexes.contains(names.name(of: $0).asciiLowercased) }
  }

  private static let maximumSearches = 5
  /// The shares of the remaining time for the search of a set, and for the search with the choice.
  private static let shareOfSearch = 0.45
  private static let shareOfChoice = 0.85
  /// The greatest share of a set's saving that losses of the present forms take.
  private static let mostLossOfFormerForms = 0.2
  static let preferenceOfStatistics = 0.9
  /// The least ratio of the saving with ANALYZE to the saving without, if no statement needs ANALYZE for itself.
  private static let gainOfStatistics = 1.05
  /// The share of the statements' savings with their own indexes that the indexes for all must reach.
  private static let shareOfOwnIndexes = 0.95

  /// The set without indexes that cost the writes more than they save, after the writes were measured.
  private func paying(
    _ chosen: [IndexCandidate], _ search: IndexSetSearch, _ proof: IndexSetProof
  ) throws -> [IndexCandidate] {
    var chosen = chosen
    while !chosen.isEmpty, let gains = try proof.gains(chosen) {
      if gains.reduce(0.0, { $0 + $1.saved }) > 0 { break }
      // Among the indexes of the tables with the costliest write, the index that saves least is removed.
      let written = gains.filter { $0.after > $0.before && $0.statement.isWrite }
        .max { $0.after - $0.before < $1.after - $1.before }
      let tables = written.map { schema.tablesTouched(by: $0.statement) } ?? []
      let savings = try chosen.map { try search.saving(of: [$0], with: Set(chosen).subtracting([$0])) }
      let places = chosen.indices.filter { tables.contains(chosen[$0].table.asciiLowercased) }
      guard let place = places.min(by: { savings[$0] < savings[$1] }) else { break }
      chosen.remove(at: place)
    }
    return chosen
  }
}
