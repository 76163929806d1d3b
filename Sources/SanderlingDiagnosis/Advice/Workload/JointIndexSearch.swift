/// Chooses indexes if there are too many statements to try indexes for each.
///
/// Plans show the possible gain of each statement with each index. The indexes with the greatest promised savings are
/// built together on one copy. The statements with another plan run once. Then indexes without a gain are dropped, and
/// others are built, as long as there is time.
final class JointIndexSearch {
  /// A statement, with the results so far.
  private struct Entry {
    let statement: AnalyzedStatement
    /// The weight of an execution.
    let weight: Double
    let before: Double
    let tables: Set<String>
    /// The cost with the indexes that were measured last.
    var now: Double
    /// The measured indexes that the statement reads.
    var read: Set<String> = []
    /// Whether the statement returns another number of rows. Only bugs of SQLite can cause that.
    var isWrong = false

    /// The present saving of all executions. A loss of a read counts twice, because users expect that no index slows a
    /// read.
    var saved: Double {
      let isNoWorse = statement.isWrite || GainRule.isNoWorse(now, than: before)
      return weight * (before - now) * (isNoWorse ? 1 : 2)
    }
  }

  struct Found {
    /// The indexes in the order of their creation.
    var set: [IndexCandidate]
    /// The gains; nil if the time ended before enough statements ran.
    var gains: [WorkloadGain]?
    /// Statements that did not run with the set.
    var unrun: Set<Int> = []
  }

  private let advisor: IndexAdvisor
  private let bench: IndexBench
  private let maximumIndexes: Int
  private let deadline: Deadline
  private var entries: [Entry]
  /// The gains of the last measurement.
  private var gains: [WorkloadGain] = []
  /// The share of the cost of the concerned statements that the last measurement covered.
  private var shareMeasured = 0.0
  /// The statements for which there was no time with the last set.
  private var unrun: Set<Int> = []
  private var promised: PromisedSavings
  private let price: IndexPrice
  /// The least total saving of an index.
  private let least: Double
  /// Whether the time ended before the search did.
  private(set) var isIncomplete = false

  private static let maximumRounds = 8
  /// The share of the workload's cost that an index must save.
  private static let leastShare = 0.002
  /// The share of the statements' cost that must be measured with a set to make the gains usable.
  private static let enough = 0.8
  /// The share of the time in which the first indexes are built. The rest is for running the statements.
  private static let shareOfBuilding = 0.5

  /// - Parameters:
  /// - statements: The measured statements with the weight of an execution, the costliest first, because these run
  ///   first.
  /// - options: The sets that plans promise, by the statements' numbers.
  init(
    _ advisor: IndexAdvisor, _ bench: IndexBench, _ statements: [(statement: AnalyzedStatement, weight: Double)],
    options: [Int: [PlannedSet]], writes: WorkloadWrites, maximumIndexes: Int, deadline: Deadline
  ) {
    (self.advisor, self.bench, self.deadline) = (advisor, bench, deadline)
    self.maximumIndexes = max(0, maximumIndexes)
    entries = statements.map { statement, weight in
      let cost = ExecutionCost.of(statement.measurements)
      return Entry(
        statement: statement, weight: weight, before: cost, tables: advisor.schema.tablesTouched(by: statement),
        now: cost)
    }
    price = IndexPrice(advisor: advisor, writes: writes)
    least = Self.leastShare * entries.reduce(0) { $0 + $1.weight * $1.before }
    promised = PromisedSavings(statements, options: options, price: price, least: least)
  }

  /// The indexes that gained most together, and their gains. Throws `DiagnosisError`.
  func search() throws -> Found {
    var best: (set: [IndexCandidate], gains: [WorkloadGain], saved: Double) = ([], [], 0)
    var chosen: [IndexCandidate] = []
    for round in 0..<Self.maximumRounds {
      let wanted = promised.proposed(beside: chosen, costs: entries.map(\.now), maximumIndexes: maximumIndexes)
      if wanted.isEmpty { break }
      if round > 0, deadline.hasPassed {
        isIncomplete = true
        break
      }
      chosen = try built(wanted, beside: chosen)
      guard try measure(chosen) else {
        isIncomplete = true
        break
      }
      guard try leaveOutLosers(of: &chosen) else {
        isIncomplete = true
        break
      }
      let saved = entries.reduce(0) { $0 + $1.saved } - price.of(chosen) { bench.pages[$0] }
      if saved > best.saved { best = (bench.order.filter(chosen.contains), gains, saved) }
      if bench.isLost { break }
    }
    if !best.set.isEmpty || !isIncomplete { return Found(set: best.set, gains: best.gains) }
    // The costliest statements ran first. If they have most of the cost, their gains suffice. Otherwise the proof may
    // still measure the rest.
    return Found(set: chosen, gains: shareMeasured >= Self.enough ? gains : nil, unrun: unrun)
  }

  /// Builds further indexes beside the chosen ones, as far as time allows.
  private func built(_ wanted: [IndexCandidate], beside chosen: [IndexCandidate]) throws -> [IndexCandidate] {
    let share = Deadline(after: deadline.remaining() * Self.shareOfBuilding)
    var all = chosen
    for index in wanted {
      if !all.isEmpty, share.hasPassed {
        isIncomplete = true
        break
      }
      if try bench.prepare([index]).isEmpty {
        promised.refuse(index)
      } else {
        // An index replaces an index that is its beginning.
        let short = all.filter { index.serves($0) && $0 != index }
        try bench.remove(short)
        all.removeAll(where: short.contains)
        all.append(index)
      }
    }
    return all
  }

  /// Runs the statements with another plan. False if the time ended before all ran.
  private func measure(_ chosen: [IndexCandidate]) throws -> Bool {
    let tables = Set(chosen.map(\.table.asciiLowercased))
    let near = entries.indices.filter { !entries[$0].tables.isDisjoint(with: tables) }
    let results = try bench.replanned(near.map { entries[$0].statement }, with: chosen, until: deadline)
    gains = []
    for place in entries.indices { (entries[place].now, entries[place].read) = (entries[place].before, []) }
    for (place, result) in zip(near, results) {
      guard let gain = WorkloadGain(entries[place].statement, result) else { continue }
      gains.append(gain)
      (entries[place].now, entries[place].read) = (gain.after, gain.indexes)
      let rule = GainRule(before: entries[place].statement.measurements)
      entries[place].isWrong = !gain.statement.isWrite && rule.changesRows(result.measurements)
      promised.learn(gain.after, of: place, with: chosen)
    }
    let all = near.reduce(0) { $0 + entries[$1].weight * entries[$1].before }
    let run = near.prefix(results.count).reduce(0) { $0 + entries[$1].weight * entries[$1].before }
    shareMeasured = all > 0 ? run / all : 1
    unrun = Set(near.dropFirst(results.count).map { entries[$0].statement.statement.id })
    return results.count == near.count
  }

  /// Drops the indexes that save less than they cost, the worst first: other indexes may gain after it was dropped.
  /// False if the time ended before the rest was measured.
  private func leaveOutLosers(of chosen: inout [IndexCandidate]) throws -> Bool {
    while let worst = chosen.map({ (index: $0, value: value(of: $0)) }).min(by: { $0.value < $1.value }),
      worst.value <= least
    {
      promised.refuse(worst.index)
      chosen.removeAll { $0 == worst.index }
      try bench.remove([worst.index])
      guard try measure(chosen) else { return false }
    }
    return true
  }

  /// The saving of the statements that read an index, less its costs.
  private func value(of index: IndexCandidate) -> Double {
    let (table, name) = (index.table.asciiLowercased, advisor.names.name(of: index).asciiLowercased)
    var value = -price.of([index]) { bench.pages[$0] }
    for entry in entries {
      // Plans don't show the reads of triggers and of the checks of foreign keys.
      let isChecked = entry.statement.isWrite && entry.tables.contains(table) && index.isUnseen
      if entry.read.contains(name) || isChecked { value += entry.isWrong ? -.infinity : entry.saved }
      if entry.statement.isWrite {
        value -=
          entry.weight * price.writes.entries(of: index, for: entry.statement) * WorkloadWrites.stepsPerIndexEntry
      }
    }
    return value
  }
}
