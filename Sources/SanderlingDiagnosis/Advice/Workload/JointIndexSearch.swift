/// Chooses indexes for statements that are too many to try indexes for each.
///
/// Plans say what each statement may gain by which indexes. Those that promise most in all are built side by side on one copy,
/// and what is planned otherwise with them runs once. What gains nothing then goes, and others take its place, for as long as
/// there is time.
final class JointIndexSearch {
  /// A statement, and what is known of it so far.
  private struct Entry {
    let statement: AnalyzedStatement
    /// How much an execution counts.
    let weight: Double
    let before: Double
    let tables: Set<String>
    /// What it costs with the indexes that were measured last.
    var now: Double
    /// Which of them it reads.
    var read: Set<String> = []
    /// Whether it returns another number of rows, which only SQLite's bugs can bring about.
    var isWrong = false

    /// What all executions save now. What reads lose counts twice: nobody expects an index to make anything slower.
    var saved: Double {
      let isNoWorse = statement.isWrite || GainRule.isNoWorse(now, than: before)
      return weight * (before - now) * (isNoWorse ? 1 : 2)
    }
  }

  struct Found {
    /// In the order in which they were made.
    var set: [IndexCandidate]
    /// Nil where time ended before enough statements ran.
    var gains: [WorkloadGain]?
    /// Statements that did not run with the set.
    var unrun: Set<Int> = []
  }

  private let advisor: IndexAdvisor
  private let bench: IndexBench
  private let maximumIndexes: Int
  private let deadline: Deadline
  private var entries: [Entry]
  /// What the last measuring told.
  private var gains: [WorkloadGain] = []
  /// How much of what the statements cost that the indexes concern was measured last.
  private var shareMeasured = 0.0
  /// Statements that there was no time to run with the last set.
  private var unrun: Set<Int> = []
  private var promised: PromisedSavings
  private let price: IndexPrice
  /// What an index has to save, in all.
  private let least: Double
  /// Whether time was wanting to go on.
  private(set) var isIncomplete = false

  private static let maximumRounds = 8
  /// The share of the workload's cost that an index has to save.
  private static let leastShare = 0.002
  /// The share of the statements that has to be measured with a set for it to be of use.
  private static let enough = 0.8
  /// The share of the time in which the first indexes are built, so that some is left to run the statements.
  private static let shareOfBuilding = 0.5

  /// - Parameters:
  ///   - statements: Measured ones, with how much an execution of each counts; those that cost most first, since these run first.
  ///   - options: What plans promise, by the statements' numbers.
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

  /// The indexes that gained most together, and what they do. Throws `DiagnosisError`.
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
    // Those that cost most ran first. If they are most of all, they tell enough; else the proof may still measure the rest.
    return Found(set: chosen, gains: shareMeasured >= Self.enough ? gains : nil, unrun: unrun)
  }

  /// Builds what is wanted, as far as there is time, beside what there is.
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
        // Nobody keeps an index and its beginning.
        let short = all.filter { index.serves($0) && $0 != index }
        try bench.remove(short)
        all.removeAll(where: short.contains)
        all.append(index)
      }
    }
    return all
  }

  /// Runs what is planned otherwise. False where time ended before all of it was.
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

  /// Takes away the indexes that save less than they cost, the worst one first: others may gain once it is gone. False where time
  /// ended before what is left was measured.
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

  /// What the statements that read an index save, less what it costs.
  private func value(of index: IndexCandidate) -> Double {
    let (table, name) = (index.table.asciiLowercased, advisor.names.name(of: index).asciiLowercased)
    var value = -price.of([index]) { bench.pages[$0] }
    for entry in entries {
      // Plans don't show what triggers and the checks of foreign keys read.
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
