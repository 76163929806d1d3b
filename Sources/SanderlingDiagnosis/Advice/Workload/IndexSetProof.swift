/// Measures the statements of a workload with a change to the indexes that may create and drop several of them.
struct IndexSetProof {
  let advisor: IndexAdvisor
  let bench: IndexBench
  let statements: [AnalyzedStatement]
  /// Whether ANALYZE is part of the change, so that it concerns all tables.
  var isAnalyzing = false
  /// Whether a statement with its former plan is assumed to keep its cost. With many statements, there is no time to
  /// measure all.
  var trustsPlans = false

  /// The change with its measured effect, without a verdict. An index that would be dropped stays if a statement gets
  /// slower without it. `others` are indexes to drop if no statement gets slower.
  ///
  /// `known` has the gains of the new indexes alone, in the order of their creation; nil if these are to be measured,
  /// too.
  ///
  /// `isMeasured` is false if the time ended before all statements were measured. Throws `DiagnosisError`.
  func advice(
    creating chosen: [IndexCandidate], dropping others: [IndexSchema], known: [WorkloadGain]? = nil
  ) throws -> (advice: IndexAdvice, gains: [WorkloadGain]) {
    let redundant = RedundantIndexes(schema: advisor.schema).find(creating: Set(chosen)).sorted { $0.name < $1.name }
    var drops = redundant
    for index in others where !drops.contains(where: { $0.name == index.name }) { drops.append(index) }
    drops.sort { $0.name < $1.name }
    var alone = known
    // Indexes stay if a statement would be slower without them: first the indexes that the statement reads now, then
    // all.
    for round in 0..<Self.maximumRounds {
      if drops.isEmpty, let known { return (advice(creating: chosen, dropping: [], known), known) }
      guard let gains = try gains(chosen, dropping: drops, isAnalyzing: isAnalyzing),
        let former = try drops.isEmpty ? [] : formerForms.gains(chosen, dropping: drops, isAnalyzing: isAnalyzing)
      else {
        if drops.isEmpty { break }
        drops = []
        continue
      }
      // A present form counts only if it reads a dropped index. The effect of new indexes on it is no reason to keep
      // another index.
      var worse = (gains + former.filter { drops.contains(where: $0.statement.uses) })
        .filter { !$0.isNoWorse(without: drops) }
      if !worse.isEmpty, !drops.isEmpty {
        // A statement that is as slow without any drop is no reason either.
        alone = try alone ?? self.gains(chosen, isAnalyzing: isAnalyzing)
        worse.removeAll { $0.isNoWorse(than: alone ?? []) }
      }
      if worse.isEmpty || drops.isEmpty {
        // SQLite decides between equal indexes by the order of their creation. So the migration creates them in the
        // measured order.
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

  /// The proof for the present forms of statements that get a rewrite.
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

  /// Whether a statement reads an index, or searches for rows that refer to its deleted rows, which plans don't show.
  /// The insertion of a row looks up its parents, and gains nothing by the index.
  private func serves(_ gain: WorkloadGain, _ index: IndexCandidate) -> Bool {
    let isRead = gain.indexes.contains(advisor.names.name(of: index).asciiLowercased)
    guard gain.statement.isWrite else { return isRead }
    return gain.after < gain.before
      && (isRead
        || index.isUnseen
          && advisor.schema.tablesTouched(by: gain.statement).contains(index.table.asciiLowercased))
  }

  /// The effect of a set with values of each kind.
  struct Harms {
    /// The statements that the set harms with some values.
    var harmed: [WorkloadGain] = []
    /// The remarks on statements, by their numbers: the values with which the set does harm, and missing trials.
    var remarks: [Int: String] = [:]
  }

  /// The effect of a set, with values of each kind, on the statements whose plans it changes, as far as time allows.
  ///
  /// Throws `DiagnosisError`. O(rows read) with each set of values.
  func harms(of chosen: [IndexCandidate], _ gains: [WorkloadGain], within time: Duration) throws -> Harms {
    try advisor.copy.connection.limited(to: time) {
      var harms = Harms()
      for gain in gains where gain.isReadInAnotherWay {
        // If the time ends while an index is dropped, all built indexes may be lost.
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
    /// The remarks from trials with values of each kind, by the statements' numbers.
    var remarks: [Int: String] = [:]
  }

  /// The change of `advice(creating:dropping:known:)`, without indexes that harm a statement with values of some kind.
  ///
  /// `time` returns the time for the trials with values, and is called for each set. Throws `DiagnosisError`.
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

  /// The gains of the statements with a set; nil if the time ends before all are measured.
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
