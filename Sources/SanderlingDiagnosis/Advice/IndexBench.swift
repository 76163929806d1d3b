/// Builds each candidate once on the copy, and measures statements with sets of candidates.
///
/// Exists within `run`, which undoes all builds.
final class IndexBench {
  struct Result: Sendable {
    var set: [IndexCandidate]
    /// One measurement for each sample; fewer if the budget ended.
    var measurements: [StatementMeasurement]
    var plan: QueryPlan
    /// The pages of each index of the set.
    var indexPages: [IndexCandidate: Int64]
    /// Whether the plan reads an index of the set from one end.
    var isWalk = false

    var pages: Int64 { indexPages.values.reduce(0, +) }
  }

  private let connection: SQLiteConnection
  private let schema: DatabaseSchema
  private let names: IndexNames
  private let runner: StatementRunner
  /// The end of the time for all builds.
  private let deadline: Deadline
  /// The sizes of the built indexes that still exist.
  private(set) var pages: [IndexCandidate: Int64] = [:]
  /// The sizes of all indexes that were ever built.
  private(set) var sizes: [IndexCandidate: Int64] = [:]
  /// The built indexes in the order of their creation: of indexes that seem equally good, SQLite uses the newest.
  private(set) var order: [IndexCandidate] = []
  /// The rows of `sqlite_stat1` about the built indexes, if the planner has statistics of other indexes.
  private(set) var figures: [IndexCandidate: [BoundValue]] = [:]
  /// Whether the planner has new statistics of all indexes.
  private let isAnalyzed: Bool
  private var results: [Trials: Result] = [:]
  /// Whether the built indexes were lost before `run` ended.
  private(set) var isLost = false
  /// The number of sets that were skipped for lack of time.
  private(set) var leftOut = 0

  /// The verdicts on sets for statements with values of each kind. Untried sets are missing.
  var harms: [Harms: HarmCheck.Verdict] = [:]

  /// The measurements of statements by their plans.
  private var plans: [Plans: [StatementMeasurement]] = [:]

  struct Harms: Hashable {
    var statement: Int
    /// The indexes of the set that matter to the statement.
    var set: Set<IndexCandidate>
  }

  private struct Plans: Hashable {
    var statement: Int
    var lines: [String]
    /// For a write, the changed indexes of its tables.
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

  /// Runs `body` with a bench, after given statements have changed the statistics.
  ///
  /// Throws the errors of `body`, and `DiagnosisError` if the copy can't be restored.
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

  /// Measures a statement with a set of indexes; nil if there is no time, or if SQLite refuses an index.
  ///
  /// `limit` is the time for one run of a statement that never ended before; nil for little more than the time that was
  /// seen.
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

  /// The measurements of statements with a set of indexes, in the order of the statements, as far as time allows. The
  /// copy is arranged once for all.
  ///
  /// A statement with its former plan keeps its measurements. A statement that was run with the same plan before keeps
  /// those measurements. Neither runs again. A write always runs, unless no index of its tables changes.
  ///
  /// Throws `DiagnosisError`. O(rows read) of the statements with another plan.
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

  /// The plan with bound values: SQLite reads an index for `LIKE ?` only if the pattern is known.
  private func plan(of statement: AnalyzedStatement) throws -> QueryPlan {
    try PlanReader(connection: connection, schema: schema)
      .plan(of: statement.sql, bindings: statement.samples.first?.values ?? [:])
  }

  /// The plans of statements with a set of built indexes, in the order of the statements, as far as time allows.
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

  /// Builds the indexes of a set for which there is time, and returns those that exist. Throws `DiagnosisError`.
  func prepare(_ set: [IndexCandidate]) throws -> [IndexCandidate] {
    if isLost { return [] }
    return try set.filter { try pages[$0] != nil || build($0, isFirst: pages.isEmpty) }
  }

  /// Drops indexes that no later trial needs. Throws `DiagnosisError`.
  func remove(_ set: [IndexCandidate]) throws {
    for index in set where pages[index] != nil && !isLost {
      try connection.run("DROP INDEX \(names.name(of: index).quotedIdentifier)", authority: .trial)
      (pages[index], figures[index]) = (nil, nil)
      order.removeAll { $0 == index }
    }
  }

  /// Runs a statement without the built indexes, for samples whose runs never ended. A run stops when it has taken long
  /// enough to show that other runs are faster. Its measurement is then a lower bound.
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

  /// Throws the error again, unless it says that the time or another budget ended.
  private func noteStop(_ error: any Error) throws {
    // If a write is interrupted, SQLite rolls back the whole transaction, with the built indexes.
    if !connection.isInTransaction { isLost = true }
    guard case DiagnosisError.stopped(let reason) = error, reason != .cancelled else {
      if isLost { return }
      throw error
    }
  }

  /// The results of a statement with built indexes; nil if they can't be determined.
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

  /// Runs a body with a set of built indexes, and without other built indexes near a statement; nil if there is no
  /// time.
  ///
  /// Throws the errors of the body, and `DiagnosisError`.
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

  /// The cost of a statement with a set of indexes, without times; infinite if the cost is much greater than before,
  /// nil if there is no time to build the indexes.
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

  /// The tables whose indexes matter to a statement; nil for all tables, if triggers may read any table.
  func tables(near statement: AnalyzedStatement) -> Set<String>? {
    statement.isWrite && !schema.triggers.isEmpty ? nil : schema.tablesTouched(by: statement)
  }

  func isNear(_ index: IndexCandidate, _ tables: Set<String>?) -> Bool {
    tables?.contains(index.table.asciiLowercased) ?? true
  }

  /// The statements that drop the built indexes near a trial that are not in its set. Indexes of other tables do no
  /// harm.
  private func drops(leaving set: [IndexCandidate], near tables: Set<String>?, _ dropped: [String]) -> [String] {
    let others = pages.keys.filter { !set.contains($0) && isNear($0, tables) }.map(names.name).sorted()
    return (others + dropped).map { "DROP INDEX \($0.quotedIdentifier)" }
  }

  /// Builds an index if there is time. The first index may take the whole remaining budget of the connection: without
  /// it there is no advice at all.
  private func build(_ index: IndexCandidate, isFirst: Bool) throws -> Bool {
    let rows = schema.table(index.table)?.rowCount ?? 0
    let expected = Duration.nanoseconds(600 + 150 * index.keys.count) * Double(rows)
    // A build that is stopped also removes the indexes that were built before it. So a build that would not end isn't
    // begun.
    let patience = isFirst ? connection.budget.deadline : deadline.earlier(connection.budget.deadline)
    if expected > patience.remaining() { return false }
    let before = try usedPages()
    let name = names.name(of: index)
    do {
      try connection.run(index.creation(named: name), authority: .trial)
      // A new index gets statistics if the existing indexes have some.
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
  /// The index that is read from one end, entry by entry or from value to value.
  fileprivate var walkedIndex: String? {
    switch self {
    case .scan(_, let index, _): index
    case .search(_, let index, _, let terms): terms.contains { $0.hasPrefix("ANY(") } ? index : nil
    default: nil
    }
  }
}
