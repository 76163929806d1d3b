import GRDB

/// A live list: the first rows of a query, maintained from row changes.
final class RowsQuery<Element: Sendable>: LiveQuery {
  /// The work that changes leave for the end of a batch.
  private final class Noted {
    /// The keys of rows that must be read again.
    var touched: Set<RowKey> = []
    /// The new counts and sums of rows that are otherwise unchanged.
    var recounted: [RowKey: [Int64]] = [:]
    /// Evaluates the condition for the rows of the batch, as far as Swift can. Made for the first of them.
    private var madeCondition: PreparedTerm??

    func isTrue(of row: LiveRowContext, _ plan: RoutePlan) throws -> Bool {
      let condition = try madeCondition ?? plan.condition()
      madeCondition = .some(condition)
      return try condition?.isTrue(in: row) ?? true
    }
  }

  /// The result of a load.
  private struct Loaded: Sendable {
    let rows: OrderedRows<Element>
    let index: WindowIndex?
    let isLast: Bool
  }

  private let plan: RowsPlan<Element>
  /// The query's compared values.
  private let values: [StorageValue]
  private var rows: Window<Element>
  private var isRead = false
  /// The work that changes left; mostly nil, for none.
  private var noted: Noted?
  private var loaded = LoadSlot<Loaded>()

  init(_ plan: RowsPlan<Element>, _ values: [StorageValue]) {
    self.plan = plan
    self.values = values
    rows = Window(ordering: plan.ordering)
  }

  private var routes: RoutePlan { plan.routes.filled(values) }
  var following: QueryFollowing { .maintained(routes) }
  var showsRows: Bool { groups.isEmpty }
  private var groups: [PreparedTerm] { plan.groups }

  /// The number of rows that the consumers show, with those that the query's offset skips.
  private func shownCount(_ window: Int) -> Int {
    plan.offset + min(window, plan.limit ?? .max)
  }

  /// The number of spare rows beyond the shown rows. Because of them, a row that leaves the window causes no read.
  private func slack(_ window: Int) -> Int { max(16, shownCount(window) / 2) }

  func content(window: Int) -> RowsContent<Element>? {
    guard isRead else { return nil }
    let count = min(window, plan.limit ?? .max)
    let shown = rows.part(after: plan.offset, count: count)
    let isLimited = plan.limit.map { shown.count >= $0 } ?? false
    return RowsContent(
      rows: shown, hasMore: !isLimited && (rows.count > plan.offset + shown.count || !rows.isComplete))
  }

  func routeBound(window: Int) -> RouteBound? {
    guard isRead, !rows.isComplete, let first = plan.statements.orderings.first, let edge = rows.edge else {
      return nil
    }
    return RouteBound(first, value: edge[0])
  }

  func windowChanged(to window: Int) -> QueryOutcome {
    // One row beyond the shown ones is needed, to know whether there are more.
    isRead && rows.count <= shownCount(window) && !rows.isComplete ? .news : .unchanged
  }

  // MARK: Reading

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let loaded = loaded.begin()
    let (plan, values) = (plan, values)
    let count = shownCount(window) + slack(window)
    return { db in
      let (rows, isLast) = try RowLoader(db, plan, values).first(count)
      let index = WindowIndex(rows.readable.stamps.storage, plan.ordering)
      loaded.put(Loaded(rows: rows, index: index, isLast: isLast))
    }
  }

  func endLoad(window: Int) -> QueryOutcome {
    guard let loaded = loaded.take() else { return .reload }
    rows.reset(loaded.rows, index: loaded.index, isComplete: loaded.isLast)
    isRead = true
    return .news
  }

  func check(window: Int) -> LiveCheck? {
    let (plan, values, statement) = (plan, values, plan.statement)
    // Rows are not compared if a value chooses or sorts them that depends on the order of visits.
    let deciding = statement.orderings.map(\.term) + [statement.condition, statement.groupCondition].compactMap { $0 }
    guard let content = content(window: window), !deciding.contains(where: \.dependsOnVisits) else { return nil }
    let compile: @Sendable () throws -> SQLStatement = { try SQLCompiler.compile(statement.filled(values)) }
    return LiveCheck(statement: compile, tables: plan.routes.tables) { db in
      let end = plan.offset + min(window, plan.limit ?? .max)
      let (rows, isLast) = try RowLoader(db, plan, values).first(end + 1)
      let shown = rows.slice(min(plan.offset, rows.count)..<min(end, rows.count))
      let hasSteadyValues = !statement.columns.contains(where: \.dependsOnVisits)
      if let difference = content.rows.difference(from: shown, comparesVersions: hasSteadyValues) {
        return difference
      }
      let hasMore = !isLast && plan.limit.map { content.rows.count < $0 } ?? true
      return hasMore == content.hasMore
        ? nil : "it has hasMore \(content.hasMore), and the SELECT has hasMore \(hasMore)"
    }
  }

  // MARK: Following

  func rowChanged(_ event: RowEvent, _ dependencies: RouteDependencies, isLoading: Bool) throws {
    let noted = noted ?? Noted()
    self.noted = noted
    if !groups.isEmpty { return try groupChanged(event, isLoading: isLoading, noted) }
    if isLoading || rows.contains(event.key) {
      if isLoading || !recount(event, dependencies, noted) { noted.touched.insert(event.key) }
      return
    }
    let usage = event.isOwn ? .membership : event.usage(dependencies)
    guard usage.contains(.membership), let new = event.new, try mayEnter(new, event.key, noted) else {
      return
    }
    noted.touched.insert(event.key)
  }

  /// Updates a row's counts and sums, if the change affects nothing else of it; otherwise returns false.
  private func recount(_ event: RowEvent, _ dependencies: RouteDependencies, _ noted: Noted) -> Bool {
    guard !event.isOwn, !plan.statements.countedColumns.isEmpty, var values = knownCounts(event.key, noted) else {
      return false
    }
    for (dependency, contribution) in event.dependencies where dependencies.usage[dependency] != nil {
      // A dependency that isn't counted is read again with the row.
      guard let position = dependencies.counted.firstIndex(of: dependency) else { continue }
      guard case .added(let number) = contribution else { return false }
      let (sum, overflow) = values[position].addingReportingOverflow(number)
      if overflow { return false }
      values[position] = sum
      guard let magnitude = plan.routes.magnitudePositions[position] else { continue }
      // A magnitude beyond the bound is unknown, or so great that SQLite may fail to add up.
      guard values[magnitude] < SumBound.greatest, number.magnitude < SumBound.greatest.magnitude else { return false }
      values[magnitude] += abs(number)
      if values[magnitude] >= SumBound.greatest { return false }
    }
    noted.recounted[event.key] = values
    return true
  }

  /// The counts and sums of a row in the window; nil when changes of single rows can't maintain them.
  private func knownCounts(_ key: RowKey, _ noted: Noted) -> [Int64]? { noted.recounted[key] ?? rows.counts(of: key) }

  /// Notes a change of the groups that the row was in and is in.
  private func groupChanged(_ event: RowEvent, isLoading: Bool, _ noted: Noted) throws {
    if event.hasEqualImages { return }
    for row in [event.old, event.new] {
      guard let row, try noted.isTrue(of: row, routes) else { continue }
      let key = RowKey(try groups.map { try groupValue($0, row) })
      if !isLoading, let known = try knownCounts(key, noted) ?? countsOfMissing(key),
        let addends = try plan.tally?.addends(of: row),
        let sums = plan.tally?.adding(addends, to: known, isNegative: row.isOld)
      {
        noted.recounted[key] = sums
      } else {
        noted.touched.insert(key)
      }
    }
  }

  /// The counts and sums of a group without rows; nil when the group may have rows. Counting the rows of each new group
  /// instead would read all rows, where no index serves the grouping.
  ///
  /// - Throws: `EvaluationError` if the group is in the window under an equal key, with a real for an integer.
  private func countsOfMissing(_ key: RowKey) throws -> [Int64]? {
    for equal in key.withRealsForIntegers where rows.contains(equal) { throw EvaluationError.groupOfReals }
    guard rows.isComplete, plan.statement.groupCondition == nil, let tally = plan.tally, !rows.contains(key) else {
      return nil
    }
    return tally.zeros
  }

  private func groupValue(_ group: PreparedTerm, _ row: LiveRowContext) throws -> StorageValue {
    let value = try group.value(in: row)
    if case .real = value { throw EvaluationError.groupOfReals }
    return value
  }

  /// Whether a row may be among the rows of the window, as far as Swift can decide without the database.
  private func mayEnter(_ row: LiveRowContext, _ key: RowKey, _ noted: Noted) throws -> Bool {
    do {
      if try !noted.isTrue(of: row, routes) { return false }
      guard let edge = rows.edge, !rows.isComplete, let ordering = plan.routes.ordering else { return true }
      return try !rows.ordering.isAfter(ordering.sortKey(in: row) + key.values, edge)
    } catch is EvaluationError {
      return true
    }
  }

  func forgetChanges() {
    noted = nil
  }

  func apply(_ batch: BatchRows, window: Int) throws -> QueryOutcome {
    let shown = shownCount(window)
    let (read, counted) = (noted?.touched ?? [], noted?.recounted ?? [:])
    forgetChanges()
    guard !read.isEmpty || !counted.isEmpty || rows.count <= shown else { return .unchanged }
    // A reload costs less than reading so many single rows. The window may hold fewer rows than it has room for.
    if read.count > rows.count + min(slack(window), max(16, rows.count / 2)) { return .reload }
    var hasNews = false
    let loader = RowLoader(batch.database, plan, values)
    for (key, known) in counted where !read.contains(key) {
      if groups.isEmpty {
        if replace(key, with: try loader.row(key, knowing: known)) { hasNews = true }
      } else {
        if replace(key, with: known[0] == 0 ? nil : try loader.group(key, knowing: known)) { hasNews = true }
      }
    }
    for key in read where replace(key, with: try groups.isEmpty ? loader.row(key) : loader.group(key)) {
      hasNews = true
    }
    // One row beyond the shown ones is needed, to know whether there are more.
    while rows.count <= shown, !rows.isComplete, let edge = rows.edge {
      hasNews = true
      if try !refill(after: edge, loader, window: window) { break }
    }
    rows.trim(to: shown + 2 * slack(window))
    return hasNews ? .news : .unchanged
  }

  /// - Returns: Whether the rows changed.
  private func replace(_ key: RowKey, with row: Window<Element>.Row?) -> Bool {
    rows.replace(key, with: row)
  }

  /// Reads the rows after the last known row.
  ///
  /// - Returns: Whether there were any.
  private func refill(after edge: [StorageValue], _ loader: RowLoader<Element>, window: Int) throws -> Bool {
    let (shown, slack) = (shownCount(window), slack(window))
    let added = try loader.rows(after: edge, count: shown + slack, limit: shown + slack - rows.count)
    rows.append(added.rows, isComplete: added.isLast)
    return !added.rows.isEmpty
  }
}

extension RowKey {
  /// The other keys that are equal to this one in SQL, with reals in place of integers.
  fileprivate var withRealsForIntegers: [RowKey] {
    var keys: [[StorageValue]] = [[]]
    for value in values {
      var equal = [value]
      if case .integer(let integer) = value, let real = Double(exactly: integer) { equal.append(.real(real)) }
      keys = keys.flatMap { start in equal.map { start + [$0] } }
    }
    return keys.dropFirst().map { RowKey($0) }
  }
}

extension RowEvent {
  /// The parts of a query that the changed rows of other tables can affect.
  fileprivate func usage(_ own: RouteDependencies) -> LiveUsage {
    dependencies.keys.reduce(into: []) { usage, number in usage.formUnion(own.usage[number] ?? []) }
  }
}
