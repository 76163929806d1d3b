extension IndexAdvisor {
  /// The indexes to create and to drop for a whole workload, measured together.
  ///
  /// `advice` is what `advise(on:)` gave for the statements, which must have been measured; `dropping` are indexes that are
  /// superfluous for other reasons, and go if no statement loses by it. Throws `DiagnosisError`.
  /// O(candidates · statements) plans, and O(rows · log rows) for each index that is built, within `searchTime`.
  func indexSet(
    for statements: [AnalyzedStatement], advice: [StatementAdvice], maximumIndexes: Int,
    dropping others: [IndexSchema] = [], searchTime: Duration = .seconds(15)
  ) throws -> IndexAdvice {
    let measured = statements.filter { $0.shape != nil && !$0.measurements.isEmpty }
    // Where some statements need ANALYZE, indexes are chosen for what the planner knows then, and as things are.
    let wantsStatistics = try advice.contains(where: \.needsStatistics) && statistics.planner() != nil
    let plain = try indexSet(
      for: measured, advice, maximumIndexes, others, analyzing: false,
      searchTime: wantsStatistics ? searchTime / 2 : searchTime)
    guard wantsStatistics else { return plain.advice }
    let analyzed = try indexSet(
      for: measured, advice, maximumIndexes, others, analyzing: true, searchTime: searchTime / 2)
    return analyzed.saving > plain.saving ? analyzed.advice : plain.advice
  }

  private func indexSet(
    for statements: [AnalyzedStatement], _ advice: [StatementAdvice], _ maximumIndexes: Int,
    _ others: [IndexSchema], analyzing: Bool, searchTime: Duration
  ) throws -> (advice: IndexAdvice, saving: Double) {
    let patience = Deadline(afterWorking: searchTime).earlier(deadline)
    // What is found has to be built and proven.
    let searchPatience = Deadline(afterWorking: searchTime * 0.6).earlier(deadline)
    let planner = try analyzing ? statistics.planner() ?? planner : planner
    defer { planner.clear() }
    return try IndexBench.run(
      on: copy.connection, schema: schema, names: names, runner: runner, deadline: patience,
      statistics: analyzing ? statistics.statements : []
    ) { bench in
      let search = IndexSetSearch(
        advisor: self, planner: planner, statements: statements, advice: advice, bench: bench,
        maximumIndexes: maximumIndexes, deadline: searchPatience)
      let chosen = try harmless(search, bench: bench, statements: statements, analyzing)
      let proven = try proven(
        try paying(chosen, search, bench: bench, statements: statements), search: search, bench: bench,
        statements: statements, advice: advice, others, analyzing)
      return (proven.advice, Self.saving(proven.gains))
    }
  }

  /// The best set that was measured, of those that are found without the indexes which made a statement slower.
  private func harmless(
    _ search: IndexSetSearch, bench: IndexBench, statements: [AnalyzedStatement], _ analyzing: Bool
  ) throws -> [IndexCandidate] {
    var excluded: Set<IndexCandidate> = []
    var best: (set: [IndexCandidate], saving: Double, isMisleading: Bool)?
    for _ in 0..<Self.maximumSearches {
      let chosen = try search.search(without: excluded)
        .sorted { $0.definition < $1.definition }
      guard let gains = try gains(chosen, dropping: [], bench: bench, statements: statements, analyzing) else {
        return best?.set ?? chosen
      }
      let saving = Self.saving(gains)
      // No gain of others makes up for a read that takes several times as long.
      let isMisleading = gains.contains(where: \.isMuchWorse)
      let isBetter =
        if let best, best.isMisleading != isMisleading { best.isMisleading && saving >= 0 } else {
          saving > best?.saving ?? -.infinity
        }
      if isBetter { best = (chosen, saving, isMisleading) }
      let harmful = try gains.filter { !$0.isNoWorse }.compactMap { try culprit(in: chosen, of: $0, bench: bench) }
      let wrong = try changingResults(chosen, search, bench: bench, gains.map(\.statement))
      // No index may change a result, but SQLite's bugs can.
      if !wrong.isEmpty, best?.set == chosen { best = nil }
      if harmful.isEmpty && wrong.isEmpty || bench.isLost { break }
      excluded.formUnion(wrong.union(harmful))
    }
    return best?.set ?? []
  }

  /// The indexes of a set with which a statement returns other rows than without.
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

  /// The index without which a statement is no slower than before; nil when no single one is to blame.
  private func culprit(
    in chosen: [IndexCandidate], of gain: WorkloadGain, bench: IndexBench
  ) throws -> IndexCandidate? {
    let tables = schema.tablesTouched(by: gain.statement)
    for index in chosen where tables.contains(index.table.asciiLowercased) {
      guard let result = try bench.measure(gain.statement, with: chosen.filter { $0 != index }) else { return nil }
      let cost = ExecutionCost.of(result.measurements)
      if cost <= GainRule.tolerance * gain.before + 500 { return index }
    }
    return nil
  }

  private static let maximumSearches = 5

  /// What all executions save. What reads lose counts twice: nobody expects an index to make anything slower.
  private static func saving(_ gains: [WorkloadGain]) -> Double {
    gains.reduce(0.0) { sum, gain in
      let saved = (gain.before - gain.after) * Double(max(1, gain.statement.statement.count))
      return sum + (gain.isNoWorse ? saved : 2 * saved)
    }
  }

  /// The indexes without those that cost the writes more than they save, now that writes are measured.
  private func paying(
    _ chosen: [IndexCandidate], _ search: IndexSetSearch, bench: IndexBench, statements: [AnalyzedStatement]
  ) throws -> [IndexCandidate] {
    var chosen = chosen
    while !chosen.isEmpty, let gains = try gains(chosen, dropping: [], bench: bench, statements: statements) {
      let saved = gains.reduce(0.0) {
        $0 + ($1.before - $1.after) * Double(max(1, $1.statement.statement.count))
      }
      if saved > 0 { break }
      // Of the table that is written most, the one that saves least.
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

  /// Measures all statements with the whole change; what it would drop stays where a statement gets worse without it.
  private func proven(
    _ chosen: [IndexCandidate], search: IndexSetSearch, bench: IndexBench, statements: [AnalyzedStatement],
    advice: [StatementAdvice], _ others: [IndexSchema], _ analyzing: Bool
  ) throws -> (advice: IndexAdvice, gains: [WorkloadGain]) {
    let redundant = RedundantIndexes(schema: schema).find(creating: Set(chosen)).sorted { $0.name < $1.name }
    let harmful = advice.compactMap { advice in
      if case .drop(let index) = advice.change { index } else { nil }
    }
    var drops = redundant
    for index in harmful + others where !drops.contains(where: { $0.name == index.name }) { drops.append(index) }
    // A tie between indexes falls by the order in which they are made: the migration makes them as they were measured.
    let chosen = chosen.sorted { bench.order.firstIndex(of: $0) ?? .max < bench.order.firstIndex(of: $1) ?? .max }
    var result = IndexAdvice(verdict: "")
    var kept: [WorkloadGain] = []
    drops.sort { $0.name < $1.name }
    // What would make a statement slower stays: first those that the statement reads now, then all.
    for round in 0..<8 {
      guard let gains = try gains(chosen, dropping: drops, bench: bench, statements: statements, analyzing) else {
        if drops.isEmpty { break }
        drops = []
        continue
      }
      let worse = gains.filter { !$0.isNoWorse(without: drops) }
      if !worse.isEmpty, !drops.isEmpty {
        let needed = drops.filter { index in worse.contains { $0.statement.uses(index) } }
        drops =
          needed.isEmpty || round > 3 ? [] : drops.filter { index in !needed.contains { $0.name == index.name } }
        continue
      }
      let attempt = drops
      kept = gains
      result.gains = gains.filter(\.isChange)
        .map { StatementGain(statement: $0.statement.statement.id, comparison: $0.comparison) }
      result.drop = attempt.map { index in
        IndexChange(
          name: index.name, table: index.table, sql: "DROP INDEX \(SQLIdentifier.quoted(index.name))",
          pages: index.pages ?? 0, statements: [])
      }
      (result.isMeasured, result.candidates) = (true, chosen)
      result.create = chosen.map { index in
        let name = names.name(of: index)
        return IndexChange(
          name: name, table: index.table, sql: index.creation(named: name), pages: bench.pages[index] ?? 0,
          statements: gains.filter { $0.indexes.contains(name.asciiLowercased) }.map(\.statement.statement.id))
      }
      result.pages =
        result.create.reduce(0) { $0 + $1.pages } - result.drop.reduce(0) { $0 + $1.pages }
      result.writeCost = writeCost(gains)
      let migration = IndexMigration(
        create: chosen.map { ($0, names.name(of: $0)) }, drop: attempt,
        statistics: analyzing
          ? .ofAll : .of(Set(chosen.filter(schema.hasStatistics(ofIndexesBeside:)).map(names.name))))
      (result.migrationSQL, result.migrationGRDB) = (migration.sql, migration.grdb)
      result.migrationSanderling = migration.sanderling
      result.verdict = try verdict(
        result, search: search, advice: advice, statements: statements, chosen, analyzing)
      break
    }
    if result.verdict.isEmpty {
      result.verdict =
        "The time ended before the indexes were measured together: each that a finding has is proven for its own statements "
        + "only. --budget allows more."
    }
    return (result, kept)
  }

  private struct WorkloadGain {
    var statement: AnalyzedStatement
    var comparisons: [Comparison]
    var before: Double
    var after: Double
    /// The names of the indexes that the statement reads then, in lower case.
    var indexes: Set<String>

    /// The set of values with which the change matters most.
    var comparison: Comparison {
      comparisons.max { Self.change($0) < Self.change($1) } ?? comparisons[0]
    }

    var isChange: Bool { abs(before - after) > max(100, 0.05 * before) }
    var isNoWorse: Bool { statement.isWrite || after <= GainRule.tolerance * before + 500 }

    /// Whether a read takes several times as long. One that was stopped for that has a lower bound only.
    var isMuchWorse: Bool {
      guard !statement.isWrite else { return false }
      return after > 2 * before + GainRule.leastCost
        || comparisons.contains { $0.before.isComplete && !$0.after.isComplete }
    }

    /// A write may pay for new indexes, but not for searching without those that are dropped.
    func isNoWorse(without drops: [IndexSchema]) -> Bool {
      guard statement.isWrite, drops.contains(where: statement.uses) else { return isNoWorse }
      return after <= GainRule.tolerance * before + 500
    }

    private static func change(_ comparison: Comparison) -> Double {
      abs(ExecutionCost.of(comparison.before) - ExecutionCost.of(comparison.after))
    }
  }

  /// Nil when the time ends before all statements are measured.
  private func gains(
    _ chosen: [IndexCandidate], dropping dropped: [IndexSchema], bench: IndexBench, statements: [AnalyzedStatement],
    _ analyzing: Bool = false
  ) throws -> [WorkloadGain]? {
    if chosen.isEmpty && dropped.isEmpty && !analyzing { return [] }
    let touched = Set(chosen.map(\.table.asciiLowercased) + dropped.map(\.table.asciiLowercased))
    var gains: [WorkloadGain] = []
    for statement in statements
    where analyzing || !schema.tablesTouched(by: statement).isDisjoint(with: touched) {
      if deadline.hasPassed || bench.isLost { return nil }
      guard let result = try bench.measure(statement, with: chosen, dropping: dropped) else { return nil }
      let comparisons = zip(statement.baseline, result.measurements)
        .map { Comparison(bindings: $0.sample.name, before: $0.measurement, after: $1) }
      guard !comparisons.isEmpty else { continue }
      gains.append(
        WorkloadGain(
          statement: statement, comparisons: comparisons, before: ExecutionCost.of(comparisons.map(\.before)),
          after: ExecutionCost.of(comparisons.map(\.after)),
          indexes: Set(WhatIfPlanner.indexes(in: result.plan.nodes.map(\.detail)).map(\.asciiLowercased))))
    }
    return gains
  }

  private func writeCost(_ gains: [WorkloadGain]) -> Double? {
    let writes = gains.filter(\.statement.isWrite)
    let before = writes.reduce(0) { $0 + $1.before * Double(max(1, $1.statement.statement.count)) }
    let after = writes.reduce(0) { $0 + $1.after * Double(max(1, $1.statement.statement.count)) }
    return before > 0 ? after / before : nil
  }

  // MARK: In words

  private func verdict(
    _ result: IndexAdvice, search: IndexSetSearch, advice: [StatementAdvice], statements: [AnalyzedStatement],
    _ chosen: [IndexCandidate], _ analyzing: Bool
  ) throws -> String {
    var sentences: [String] = []
    if result.create.isEmpty {
      let wanted = advice.contains { !$0.candidates.isEmpty }
      sentences.append(
        wanted
          ? "No new index: those that help single statements cost the workload's writes more than they save."
          : "No new index: none makes these statements enough cheaper.")
    } else {
      let better = result.gains.count {
        ExecutionCost.of($0.comparison.after) < ExecutionCost.of($0.comparison.before)
      }
      sentences.append(
        "\(Self.count(result.create.count, "index", "indexes")) for \(better == 1 ? "one statement" : "\(better) statements")"
          + (result.writeCost.map { ", with writes at \(Self.times($0)) of their cost" } ?? "") + ".")
    }
    sentences += try search.leftOut(of: Set(chosen)).prefix(3).map(sentence)
    if search.writes.isAssumed, !result.create.isEmpty {
      sentences.append(
        "The workload has no writes: one row inserted into each table for \(WorkloadWrites.readsPerInsertion) "
          + "executions was assumed.")
    }
    if !result.drop.isEmpty {
      sentences.append(
        "\(Self.count(result.drop.count, "index does", "indexes do")) nothing that others don't do, for "
          + "the statements of this workload; code that it doesn't show, and INDEXED BY, may need them.")
    }
    let analyzed = advice.filter { if case .analyze = $0.change { true } else { false } }.map { "S\($0.statement)" }
    if analyzing {
      sentences.append("They were chosen for the plans after ANALYZE, which is part of the migration.")
    } else if !analyzed.isEmpty {
      sentences.append("For \(analyzed.joined(separator: ", ")), ANALYZE is enough.")
    }
    if search.isIncomplete { sentences.append("The time ended before all sets were measured.") }
    return sentences.joined(separator: " ")
  }

  private func sentence(_ leftOut: IndexSetSearch.LeftOut) -> String {
    let indexes = leftOut.indexes.map(names.name).joined(separator: " and ")
    let reason = leftOut.loser.map {
      leftOut.isMisused
        ? "SQLite would use it for S\($0), which takes more then" : "S\($0) would have to keep it up to date"
    }
    return "S\(leftOut.statement) alone would gain from \(indexes), which is left out: "
      + (reason ?? "it costs more than it saves") + "."
  }

  private static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "One \(one)" : "\(number) \(many)"
  }

  /// `1.25 ×`
  private static func times(_ factor: Double) -> String {
    let hundredths = Int((min(max(factor, 0), 1e6) * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) ×"
  }
}
