/// Measures the statements of a workload with a whole change of indexes.
struct IndexSetProof {
  let advisor: IndexAdvisor
  let bench: IndexBench
  let statements: [AnalyzedStatement]
  /// Whether ANALYZE is part of the change, so that it concerns all tables.
  var isAnalyzing = false
  /// Whether a statement that is planned as it was is taken to cost what it did: what many statements leave no time to measure.
  var trustsPlans = false

  /// The change with all that it does, and nothing said of it. What it would drop stays where a statement gets worse without it;
  /// `harmful` and `others` are indexes that go if none does.
  ///
  /// `known` is what the new indexes alone do, in the order in which they were made then; nil where that is to be measured, too.
  ///
  /// Without `isMeasured` where the time ended before all statements were measured. Throws `DiagnosisError`.
  func advice(
    creating chosen: [IndexCandidate], dropping others: [IndexSchema], known: [WorkloadGain]? = nil
  ) throws -> (advice: IndexAdvice, gains: [WorkloadGain]) {
    let redundant = RedundantIndexes(schema: advisor.schema).find(creating: Set(chosen)).sorted { $0.name < $1.name }
    var drops = redundant
    for index in others where !drops.contains(where: { $0.name == index.name }) { drops.append(index) }
    drops.sort { $0.name < $1.name }
    var alone = known
    // What would make a statement slower stays: first those that the statement reads now, then all.
    for round in 0..<Self.maximumRounds {
      if drops.isEmpty, let known { return (advice(creating: chosen, dropping: [], known), known) }
      guard let gains = try gains(chosen, dropping: drops, isAnalyzing: isAnalyzing),
        let former = try drops.isEmpty ? [] : formerForms.gains(chosen, dropping: drops, isAnalyzing: isAnalyzing)
      else {
        if drops.isEmpty { break }
        drops = []
        continue
      }
      // Of a former form only what it reads now counts: what new indexes do to it is no reason to keep another one.
      var worse = (gains + former.filter { drops.contains(where: $0.statement.uses) })
        .filter { !$0.isNoWorse(without: drops) }
      if !worse.isEmpty, !drops.isEmpty {
        // Nor is what they do to a statement that is as slow when all others stay.
        alone = try alone ?? self.gains(chosen, isAnalyzing: isAnalyzing)
        worse.removeAll { $0.isNoWorse(than: alone ?? []) }
      }
      if worse.isEmpty || drops.isEmpty {
        // A tie between indexes falls by the order in which they are made: the migration makes them as they were measured.
        let chosen = chosen.sorted { bench.order.firstIndex(of: $0) ?? .max < bench.order.firstIndex(of: $1) ?? .max }
        return (advice(creating: chosen, dropping: drops, gains), gains)
      }
      let needed = drops.filter { index in worse.contains { $0.statement.uses(index) } }
      drops = needed.isEmpty || round > 3 ? [] : drops.filter { index in !needed.contains { $0.name == index.name } }
    }
    return (
      IndexAdvice(
        verdict:
          "The time ended before the indexes were measured together: each that a finding has is proven for its own statements "
          + "only. --budget allows more."), []
    )
  }

  private static let maximumRounds = 8

  /// The same of statements as the app runs them until its code is changed.
  var formerForms: IndexSetProof {
    IndexSetProof(
      advisor: advisor, bench: bench, statements: advisor.formerForms, isAnalyzing: isAnalyzing,
      trustsPlans: trustsPlans)
  }

  private func advice(
    creating chosen: [IndexCandidate], dropping drops: [IndexSchema], _ gains: [WorkloadGain]
  ) -> IndexAdvice {
    let names = advisor.names
    var result = IndexAdvice(verdict: "")
    result.gains = gains.filter(\.isChange).map(\.gain)
      .sorted { $0.statement < $1.statement }
    result.drop = drops.map { index in
      IndexChange(
        name: index.name, table: index.table, sql: "DROP INDEX \(index.name.quotedIdentifier)",
        pages: index.pages ?? 0, statements: [])
    }
    (result.isMeasured, result.candidates) = (true, chosen)
    result.create = chosen.map { index in
      let name = names.name(of: index)
      return IndexChange(
        name: name, table: index.table, sql: index.creation(named: name), pages: bench.sizes[index] ?? 0,
        statements: gains.filter { serves($0, index) }.map(\.statement.statement.id).sorted())
    }
    result.pages =
      result.create.reduce(0) { $0 + $1.pages } - result.drop.reduce(0) { $0 + $1.pages }
    result.writeCost = gains.writeCost
    let migration = IndexMigration(
      create: chosen.map { ($0, names.name(of: $0)) }, drop: drops,
      statistics: isAnalyzing
        ? .ofAll : .of(Set(chosen.filter(advisor.schema.hasStatistics(ofIndexesBeside:)).map(names.name))))
    (result.migrationSQL, result.migrationGRDB) = (migration.sql, migration.grdb)
    result.migrationSanderling = migration.sanderling
    return result
  }

  /// Whether a statement reads an index, or looks for rows that refer to what it deletes, which plans don't show. A row that is
  /// inserted looks up what it refers to, and gains nothing by that.
  private func serves(_ gain: WorkloadGain, _ index: IndexCandidate) -> Bool {
    let isRead = gain.indexes.contains(advisor.names.name(of: index).asciiLowercased)
    guard gain.statement.isWrite else { return isRead }
    return gain.after < gain.before
      && (isRead
        || index.isUnseen
          && advisor.schema.tablesTouched(by: gain.statement).contains(index.table.asciiLowercased))
  }

  /// What a set does with values of each kind.
  struct Harms {
    /// The statements that it harms with some of them.
    var harmed: [WorkloadGain] = []
    /// What is to be said of statements, by their numbers: with which values the set harms, and what was not tried.
    var remarks: [Int: String] = [:]
  }

  /// What a set does with values of each kind to the statements that it has planned otherwise, as far as the time tells.
  ///
  /// Throws `DiagnosisError`. O(rows read) with each of the values.
  func harms(of chosen: [IndexCandidate], _ gains: [WorkloadGain], within time: Duration) throws -> Harms {
    try advisor.copy.connection.limited(to: time) {
      var harms = Harms()
      for gain in gains where gain.isReadInAnotherWay {
        // An index that is taken away at the end of the time may take all others with it.
        let verdict: HarmCheck.Verdict =
          try advisor.deadline.hasPassed
          ? .untried : bench.harm(to: gain.statement, with: chosen, by: advisor.harm)
        if verdict.isHarmful { harms.harmed.append(gain) }
        harms.remarks[gain.statement.statement.id] = verdict.remark
      }
      return harms
    }
  }

  /// A change that was measured as a whole.
  struct Proven {
    var chosen: [IndexCandidate]
    var advice: IndexAdvice
    var gains: [WorkloadGain]
    /// What trials with values of each kind say of statements, by their numbers.
    var remarks: [Int: String] = [:]
  }

  /// The change as `advice(creating:dropping:known:)` has it, without the indexes that harm a statement with values of some kind.
  ///
  /// `time` is what the trials with values may take, asked again for each set. Throws `DiagnosisError`.
  func harmless(
    creating indexes: [IndexCandidate], dropping others: [IndexSchema], known: [WorkloadGain]? = nil,
    within time: () -> Duration
  ) throws -> Proven {
    var (chosen, known) = (indexes, known)
    while true {
      let (advice, gains) = try self.advice(creating: chosen, dropping: others, known: known)
      guard advice.isMeasured else { return Proven(chosen: chosen, advice: advice, gains: gains) }
      let harms = try self.harms(of: chosen, gains, within: time())
      let harmful = harms.harmed.reduce(into: Set<String>()) { $0.formUnion($1.indexes) }
      let rest = chosen.filter { !harmful.contains(advisor.names.name(of: $0).asciiLowercased) }
      if rest.count == chosen.count {
        return Proven(chosen: chosen, advice: advice, gains: gains, remarks: harms.remarks)
      }
      (chosen, known) = (rest, nil)
    }
  }

  /// What the statements cost with a set; nil when the time ends before all are measured.
  ///
  /// Throws `DiagnosisError`.
  func gains(
    _ chosen: [IndexCandidate], dropping dropped: [IndexSchema] = [], isAnalyzing: Bool = false
  ) throws -> [WorkloadGain]? {
    if chosen.isEmpty && dropped.isEmpty && !isAnalyzing { return [] }
    let touched = Set(chosen.map(\.table.asciiLowercased) + dropped.map(\.table.asciiLowercased))
    let near = statements.filter { isAnalyzing || !advisor.schema.tablesTouched(by: $0).isDisjoint(with: touched) }
    if trustsPlans {
      let results = try bench.replanned(near, with: chosen, dropping: dropped)
      guard results.count == near.count else { return nil }
      return zip(near, results).compactMap(WorkloadGain.init)
    }
    var gains: [WorkloadGain] = []
    for statement in near {
      if advisor.deadline.hasPassed || bench.isLost { return nil }
      guard let result = try bench.measure(statement, with: chosen, dropping: dropped) else { return nil }
      if let gain = WorkloadGain(statement, result) { gains.append(gain) }
    }
    return gains
  }
}
