/// Builds candidates on the copy, once each, and measures a statement with sets of them.
///
/// Lives within `run`, which undoes all that was built.
final class IndexBench {
  struct Result: Sendable {
    var set: [IndexCandidate]
    /// One for each sample; fewer when the budget ended.
    var measurements: [StatementMeasurement]
    var plan: QueryPlan
    /// What each index of the set takes.
    var indexPages: [IndexCandidate: Int64]
    /// Whether it goes through an index of the set from one end.
    var isWalk = false

    var pages: Int64 { indexPages.values.reduce(0, +) }
  }

  private let connection: SQLiteConnection
  private let schema: DatabaseSchema
  private let names: IndexNames
  private let runner: StatementRunner
  /// What building may take in all.
  private let deadline: Deadline
  /// The sizes of the indexes that are there.
  private(set) var pages: [IndexCandidate: Int64] = [:]
  /// The sizes of all that were built, whether they are still there or not.
  private(set) var sizes: [IndexCandidate: Int64] = [:]
  /// What was built, in this order: of indexes that seem as good to it, SQLite takes the one that was made last.
  private(set) var order: [IndexCandidate] = []
  /// The rows of `sqlite_stat1` about the indexes that were built, where the planner has figures of others.
  private(set) var figures: [IndexCandidate: [BoundValue]] = [:]
  /// Whether the planner has new figures of all.
  private let isAnalyzed: Bool
  private var results: [Trials: Result] = [:]
  /// Whether the indexes that were built are gone before their time.
  private(set) var isLost = false
  /// Sets that were left out for want of time.
  private(set) var leftOut = 0

  /// What sets do to statements with values of each kind; untried ones are missing.
  var harms: [Harms: HarmCheck.Verdict] = [:]

  /// What statements cost by their plans.
  private var plans: [Plans: [StatementMeasurement]] = [:]

  struct Harms: Hashable {
    var statement: Int
    /// Those near it.
    var set: Set<IndexCandidate>
  }

  private struct Plans: Hashable {
    var statement: Int
    var lines: [String]
    /// Of the tables that a write writes.
    var indexes: Set<String> = []
  }

  private struct Trials: Hashable {
    var statement: Int
    var set: Set<IndexCandidate>
    var dropped: Set<String>
  }

  private init(
    connection: SQLiteConnection, schema: DatabaseSchema, names: IndexNames, runner: StatementRunner,
    deadline: Deadline, isAnalyzed: Bool
  ) {
    self.connection = connection
    self.schema = schema
    self.names = names
    self.runner = runner
    self.deadline = deadline
    self.isAnalyzed = isAnalyzed
  }

  /// Lets `body` measure, with other statistics where statements for them are given.
  ///
  /// Throws what `body` throws, and `DiagnosisError` when the copy can't be brought back to what it was.
  static func run<Value>(
    on connection: SQLiteConnection, schema: DatabaseSchema, names: IndexNames, runner: StatementRunner,
    deadline: Deadline, statistics: [String] = [], _ body: (IndexBench) throws -> Value
  ) throws -> Value {
    try Trial(connection: connection).run(statistics) {
      try body(
        IndexBench(
          connection: connection, schema: schema, names: names, runner: runner, deadline: deadline,
          isAnalyzed: !statistics.isEmpty))
    }.value
  }

  /// Measures a statement with a set of indexes; nil when there is no time for it or SQLite refuses one.
  ///
  /// `limit` is what one run may take where the statement was never seen to end; nil for little more than what was seen.
  ///
  /// Throws `DiagnosisError`. O(rows · log rows) for each index that wasn't built yet.
  func measure(
    _ statement: AnalyzedStatement, with set: [IndexCandidate], dropping dropped: [IndexSchema] = [],
    noLongerThan best: [StatementMeasurement]? = nil, limit: Duration? = nil
  ) throws -> Result? {
    let tables = tables(near: statement)
    let key = Trials(
      statement: statement.statement.id, set: Set(set.filter { isNear($0, tables) }), dropped: Set(dropped.map(\.name)))
    if var result = results[key], set.allSatisfy({ pages[$0] != nil }),
      limit == nil || result.measurements.allSatisfy(\.isComplete)
    {
      (result.set, result.indexPages) = (set, pages.filter { set.contains($0.key) })
      return result
    }
    guard try !isLost && set.allSatisfy({ try pages[$0] != nil || build($0, isFirst: pages.isEmpty) }) else {
      leftOut += 1
      return nil
    }
    let drops = drops(leaving: set, near: tables, dropped.map(\.name))
    do {
      let result = try Trial(connection: connection).run(drops) {
        let plan = try plan(of: statement)
        return Result(
          set: set,
          measurements: try runner.measure(statement, noLongerThanBefore: true, noLongerThan: best, limit: limit),
          plan: plan, indexPages: pages.filter { set.contains($0.key) },
          isWalk: plan.nodes.contains { node in
            node.step.walkedIndex.map { index in set.contains { names.name(of: $0) == index } } ?? false
          })
      }.value
      results[key] = result
      if !set.isEmpty || !dropped.isEmpty { runner.tried?.note(statement.statement.id) }
      return result
    } catch {
      try noteStop(error)
      leftOut += 1
      return nil
    }
  }

  /// What statements cost with a set of indexes, for which the copy is arranged once; as many as there is time for, in their order.
  ///
  /// One that is planned as it was costs what it did, and one that was run with the same plan what it cost then: neither runs
  /// again. A write runs, unless no index of its tables is among the changes.
  ///
  /// Throws `DiagnosisError`. O(rows read) of the statements that are planned otherwise.
  func replanned(
    _ statements: [AnalyzedStatement], with set: [IndexCandidate], dropping dropped: [IndexSchema] = [],
    until end: Deadline = .never
  ) throws -> [Result] {
    let end = end.earlier(deadline)
    guard try prepare(set).count == set.count else { return [] }
    var found: [Result] = []
    do {
      _ = try Trial(connection: connection).run(drops(leaving: set, near: nil, dropped.map(\.name))) {
        for statement in statements {
          if end.hasPassed || isLost { break }
          found.append(try replanned(statement, set, dropped))
        }
      }
    } catch {
      try noteStop(error)
    }
    return found
  }

  private func replanned(
    _ statement: AnalyzedStatement, _ set: [IndexCandidate], _ dropped: [IndexSchema]
  ) throws -> Result {
    let plan = try plan(of: statement)
    let tables = tables(near: statement)
    var key = Plans(statement: statement.statement.id, lines: plan.nodes.map(\.detail))
    if statement.isWrite {
      key.indexes = Set(set.filter { isNear($0, tables) }.map(names.name))
      key.indexes.formUnion(
        dropped.filter { tables?.contains($0.table.asciiLowercased) ?? true }.map { "without \($0.name)" })
    }
    let pages = pages.filter { set.contains($0.key) }
    if key.indexes.isEmpty, key.lines == statement.plan.nodes.map(\.detail) {
      return Result(set: set, measurements: statement.measurements, plan: plan, indexPages: pages)
    }
    if let known = plans[key] { return Result(set: set, measurements: known, plan: plan, indexPages: pages) }
    let measurements = try runner.measure(statement, noLongerThanBefore: true)
    plans[key] = measurements
    runner.tried?.note(statement.statement.id)
    return Result(set: set, measurements: measurements, plan: plan, indexPages: pages)
  }

  /// With values: an index for `LIKE ?` is read only where the pattern is known.
  private func plan(of statement: AnalyzedStatement) throws -> QueryPlan {
    try PlanReader(connection: connection, schema: schema)
      .plan(of: statement.sql, bindings: statement.samples.first?.values ?? [:])
  }

  /// How statements are planned with a set of indexes that were built; of as many as there is time for, in their order.
  ///
  /// Throws `DiagnosisError`. O(statements) plans.
  func plans(of statements: [AnalyzedStatement], with set: [IndexCandidate]) throws -> [QueryPlan] {
    var found: [QueryPlan] = []
    if isLost { return found }
    do {
      _ = try Trial(connection: connection).run(drops(leaving: set, near: nil, [])) {
        for statement in statements where !deadline.hasPassed { found.append(try plan(of: statement)) }
      }
    } catch {
      try noteStop(error)
    }
    return found
  }

  /// Builds indexes that the time allows for, and says which of a set are there. Throws `DiagnosisError`.
  func prepare(_ set: [IndexCandidate]) throws -> [IndexCandidate] {
    if isLost { return [] }
    return try set.filter { try pages[$0] != nil || build($0, isFirst: pages.isEmpty) }
  }

  /// Takes away indexes that no later trial is about. Throws `DiagnosisError`.
  func remove(_ set: [IndexCandidate]) throws {
    for index in set where pages[index] != nil && !isLost {
      try connection.run("DROP INDEX \(names.name(of: index).quotedIdentifier)", authority: .trial)
      (pages[index], figures[index]) = (nil, nil)
      order.removeAll { $0 == index }
    }
  }

  /// Runs a statement without the indexes that were built, for the samples whose runs were never seen to end, until it
  /// takes as much as it takes to show that others are better: lower bounds, then.
  ///
  /// `enough` has the time for each sample. Throws `DiagnosisError`. O(rows read).
  func lowerBounds(
    of statement: AnalyzedStatement, enough: [Duration]
  ) throws -> [StatementMeasurement] {
    if isLost || statement.isWrite { return statement.measurements }
    do {
      return try Trial(connection: connection).run(drops(leaving: [], near: tables(near: statement), [])) {
        try runner.lowerBounds(of: statement, enough: enough)
      }.value
    } catch {
      try noteStop(error)
      return statement.measurements
    }
  }

  /// Throws the error again, unless it says that the time, or what else is allowed, came to its end.
  private func noteStop(_ error: any Error) throws {
    // SQLite rolls back the whole transaction when a write is interrupted, and with it the indexes that were built.
    if !connection.isInTransaction { isLost = true }
    guard case DiagnosisError.stopped(let reason) = error, reason != .cancelled else {
      if isLost { return }
      throw error
    }
  }

  /// What a statement returns with indexes that were built; nil when that can't be told.
  ///
  /// Throws `DiagnosisError`. O(rows read).
  func images(of statement: AnalyzedStatement, with set: [IndexCandidate]) throws -> [ResultImage]? {
    if isLost || !set.allSatisfy({ pages[$0] != nil }) { return nil }
    do {
      return try Trial(connection: connection).run(drops(leaving: set, near: tables(near: statement), [])) {
        try ImageTaker(connection: connection, schema: schema).images(of: statement)
      }.value
    } catch {
      try noteStop(error)
      return nil
    }
  }

  /// Runs a body with a set of indexes that were built, and no others near a statement; nil when there is no time for it.
  ///
  /// Throws what the body throws, and `DiagnosisError`.
  func arranged<Value>(
    _ set: [IndexCandidate], near statement: AnalyzedStatement, _ body: () throws -> Value
  ) throws -> Value? {
    if isLost || !set.allSatisfy({ pages[$0] != nil }) { return nil }
    do {
      return try Trial(connection: connection).run(drops(leaving: set, near: tables(near: statement), []), body).value
    } catch {
      try noteStop(error)
      return nil
    }
  }

  /// What a statement costs with a set of indexes, without times; infinite when that is much more than before, nil when
  /// there is no time to build them.
  ///
  /// Throws `DiagnosisError`.
  func cost(of statement: AnalyzedStatement, with set: [IndexCandidate]) throws -> Double? {
    if isLost { return nil }
    for index in set where pages[index] == nil {
      guard try build(index, isFirst: false) else { return nil }
    }
    let drops = drops(leaving: set, near: tables(near: statement), [])
    do {
      return try Trial(connection: connection).run(drops) {
        try CostProbe(connection: connection, deadline: deadline).cost(of: statement) ?? .infinity
      }.value
    } catch {
      try noteStop(error)
      return nil
    }
  }

  /// The tables whose indexes matter to a statement; nil for all, where triggers may read any.
  func tables(near statement: AnalyzedStatement) -> Set<String>? {
    statement.isWrite && !schema.triggers.isEmpty ? nil : schema.tablesTouched(by: statement)
  }

  func isNear(_ index: IndexCandidate, _ tables: Set<String>?) -> Bool {
    tables?.contains(index.table.asciiLowercased) ?? true
  }

  /// What takes away the indexes that a trial is not about; those of other tables do no harm.
  private func drops(leaving set: [IndexCandidate], near tables: Set<String>?, _ dropped: [String]) -> [String] {
    let others = pages.keys.filter { !set.contains($0) && isNear($0, tables) }.map(names.name).sorted()
    return (others + dropped).map { "DROP INDEX \($0.quotedIdentifier)" }
  }

  /// Builds an index that the time allows for. The first one may take all that the connection's budget leaves: without it
  /// there is no advice at all.
  private func build(_ index: IndexCandidate, isFirst: Bool) throws -> Bool {
    let rows = schema.table(index.table)?.rowCount ?? 0
    let expected = Duration.nanoseconds(600 + 150 * index.keys.count) * Double(rows)
    // A build that has to be ended takes the indexes before it away, too: so it isn't begun.
    let patience = isFirst ? connection.budget.deadline : deadline.earlier(connection.budget.deadline)
    if expected > patience.remaining() { return false }
    let before = try usedPages()
    let name = names.name(of: index)
    do {
      try connection.run(index.creation(named: name), authority: .trial)
      // The planner knows of a new index what it knows of the old ones.
      if isAnalyzed || schema.hasStatistics(ofIndexesBeside: index) {
        try connection.run("ANALYZE \(name.quotedIdentifier)", authority: .trial)
        figures[index] = try connection.rows(
          "SELECT tbl, idx, stat FROM sqlite_stat1 WHERE idx = ?", [.text(name)]
        ).first
      }
    } catch DiagnosisError.statement, DiagnosisError.stopped(.time), DiagnosisError.stopped(.memory) {
      try? connection.run("DROP INDEX IF EXISTS \(name.quotedIdentifier)", authority: .trial)
      return false
    }
    let size = try usedPages() - before
    (pages[index], sizes[index]) = (size, size)
    order.append(index)
    return true
  }

  private func usedPages() throws -> Int64 {
    let pages = try connection.value("PRAGMA page_count")?.integer ?? 0
    return pages - (try connection.value("PRAGMA freelist_count")?.integer ?? 0)
  }
}

extension PlanStep {
  /// The index that is gone through from one end, entry by entry or from one value to the next.
  fileprivate var walkedIndex: String? {
    switch self {
    case .scan(_, let index, _): index
    case .search(_, let index, _, let terms): terms.contains { $0.hasPrefix("ANY(") } ? index : nil
    default: nil
    }
  }
}
