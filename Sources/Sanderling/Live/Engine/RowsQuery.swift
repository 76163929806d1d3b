import GRDB

/// A live list: the first rows of a query, maintained from row changes.
final class RowsQuery<Element: Sendable>: RowsResult<Element> {
  private let definition: RowsDefinition<Element>
  private let statements: RowStatements
  private let statement: SelectStatement
  /// What the rows are grouped by; nothing for rows of the table itself.
  private let groups: [PreparedTerm]
  /// What the groups' counts and sums become; nil when they are read again.
  private let tally: Tally?
  private(set) var window: Window<Element>
  /// The counts and sums of the rows in the window, as far as changes of single rows tell what becomes of them.
  private var counts: [RowKey: [Int64]] = [:]
  /// The keys of rows that have to be read again.
  private var touched: Set<RowKey> = []
  /// The keys of rows of which only counts and sums are others.
  private var recounted: Set<RowKey> = []

  init(
    key: AnyHashable, number: Int, definition: RowsDefinition<Element>, statement: SelectStatement,
    statements: RowStatements, route: RoutePlan, tally: Tally?
  ) throws {
    self.tally = tally
    self.definition = definition
    self.statement = statement
    self.statements = statements
    groups = try statement.groups.map { try PreparedTerm($0) }
    window = Window(ordering: statements.orderings)
    super.init(key: key, number: number, route: route, requeryReason: nil)
  }

  /// How many rows the consumers show, those that the query skips included.
  private var shownCount: Int {
    let asked = consumers.values.map(\.window).max() ?? 0
    return statement.offset + min(asked, statement.limit ?? .max)
  }

  /// Rows beyond the shown ones, so that one that leaves makes no read necessary.
  private var slack: Int { max(16, shownCount / 2) }

  /// The query's rows among those that a consumer shows, and whether there are more.
  override func rows(window size: Int) -> (rows: LiveRows<Element>, hasMore: Bool) {
    let count = min(size, statement.limit ?? .max)
    let rows = window.rows(statement.offset, count: count)
    let isLimited = statement.limit.map { rows.count >= $0 } ?? false
    return (rows, !isLimited && (window.count > statement.offset + rows.count || !window.isComplete))
  }

  override var routeBound: RouteBound? {
    guard phase == .current, let first = statements.orderings.first, let edge = window.edge, !window.isComplete
    else { return nil }
    return RouteBound(first, value: edge[0])
  }

  override func runningAgain(number: Int, _ reason: RequeryReason) -> LiveQuery {
    RequeriedRows(key: key, number: number, definition: definition, reason: reason)
  }

  override func consumersChanged(_ core: LiveCore) {
    if phase == .current, window.count < shownCount, !window.isComplete { agenda?.note(self) }
  }

  // MARK: Reading

  override func makeLoad() -> LiveLoad {
    let (statements, definition, number) = (statements, definition, number)
    let (shown, skipped, count) = (shownCount, statement.offset, shownCount + slack)
    return LiveLoad(query: number) { db in
      let loader = RowLoader(db, statements, definition)
      let (rows, isLast) = try loader.first(count, needed: shown, skipped: skipped)
      return { core in
        guard let query = core.query(number) as? RowsQuery else { return }
        query.counts = [:]
        query.keep(rows)
        query.window.reset(rows.map { $0.row }, isComplete: isLast)
      }
    }
  }

  private func keep(_ rows: [RowLoader<Element>.LoadedRow]) {
    guard !statements.countedColumns.isEmpty else { return }
    for row in rows { counts[row.row.key] = row.counts }
  }

  // MARK: Following

  override func rowChanged(_ event: RowEvent) throws {
    if !groups.isEmpty { return try groupChanged(event) }
    if phase == .loading || window.contains(event.key) {
      if phase == .loading || !recount(event) { touched.insert(event.key) }
      return
    }
    let usage = event.isOwn ? .membership : dependencyUsage(of: event)
    guard usage.contains(.membership), let new = event.new, try mayEnter(new, event.key) else { return }
    touched.insert(event.key)
  }

  /// Adds to the counts and sums of a row, if that is all that the change does to it.
  private func recount(_ event: RowEvent) -> Bool {
    guard !event.isOwn, var values = counts[event.key] else { return false }
    for (dependency, contribution) in event.dependencies where dependencies[dependency] != nil {
      guard let position = countedDependencies.firstIndex(of: dependency), case .added(let number) = contribution
      else { return false }
      let (sum, overflow) = values[position].addingReportingOverflow(number)
      if overflow { return false }
      values[position] = sum
    }
    counts[event.key] = values
    recounted.insert(event.key)
    return true
  }

  /// The groups that the row was in and is in have other rows than before.
  private func groupChanged(_ event: RowEvent) throws {
    if event.hasEqualImages { return }
    for row in [event.old, event.new] {
      guard let row, try route?.condition?.isTrue(in: row) ?? true else { continue }
      let key = RowKey(try groups.map { try groupValue($0, row) })
      if phase == .current, let known = counts[key], let addends = try tally?.addends(of: row),
        let sums = known.adding(addends, isNegative: row.isOld)
      {
        counts[key] = sums
        recounted.insert(key)
      } else {
        touched.insert(key)
      }
    }
  }

  private func groupValue(_ group: PreparedTerm, _ row: LiveRowContext) throws -> StorageValue {
    let value = try group.value(in: row)
    if case .real = value {
      throw EvaluationError.unsupported("a number that is no integer may be in the group of one that is")
    }
    return value
  }

  private func dependencyUsage(of event: RowEvent) -> LiveUsage {
    event.dependencies.keys.reduce(into: []) { usage, number in usage.formUnion(dependencies[number] ?? []) }
  }

  /// Whether a row may be among the first ones, as far as Swift can tell without the database.
  private func mayEnter(_ row: LiveRowContext, _ key: RowKey) throws -> Bool {
    guard let route else { return true }
    do {
      if let condition = route.condition, try !condition.isTrue(in: row) { return false }
      guard let edge = window.edge, !window.isComplete, let ordering = route.ordering else { return true }
      return try !window.ordering.isAfter(ordering.sortKey(in: row) + key.values, edge)
    } catch is EvaluationError {
      return true
    }
  }

  override func forgetChanges() {
    touched = []
    recounted = []
  }

  override func apply(_ batch: BatchRows, _ core: LiveCore) throws {
    guard !touched.isEmpty || !recounted.isEmpty || window.count <= shownCount else { return }
    let (read, counted) = (touched, recounted.subtracting(touched))
    forgetChanges()
    // Reading the window again costs less than reading every row that may be in it.
    if read.count > window.count + slack { return core.reload(self) }
    let loader = RowLoader(batch.database, statements, definition)
    for key in counted {
      guard let known = counts[key] else { continue }
      if groups.isEmpty {
        replace(key, with: try loader.row(key, knowing: known))
      } else {
        replace(key, with: known[0] == 0 ? nil : try loader.group(key, knowing: known))
      }
    }
    for key in read { replace(key, with: try loader.row(key)) }
    // One row more than is shown tells that there are more.
    while window.count <= shownCount, !window.isComplete, let edge = window.edge, try refill(after: edge, loader) {}
    window.trim(to: shownCount + 2 * slack)
    dropCounts()
  }

  private func replace(_ key: RowKey, with row: RowLoader<Element>.LoadedRow?) {
    if window.replace(key, with: row?.row) { agenda?.tell(self) }
    if !statements.countedColumns.isEmpty { counts[key] = row?.counts }
  }

  /// Reads the rows after the last known one.
  ///
  /// - Returns: Whether there were any.
  private func refill(after edge: [StorageValue], _ loader: RowLoader<Element>) throws -> Bool {
    let wanted = shownCount + slack - window.count
    let needed = max(0, shownCount - window.count)
    var rows: [RowLoader<Element>.LoadedRow] = []
    var isComplete = true
    for statement in try statements.after(edge, count: shownCount + slack) where isComplete && rows.count < wanted {
      let (more, isLast) = try loader.rows(
        statement, needed: max(0, needed - rows.count), limit: wanted - rows.count)
      rows += more
      isComplete = isLast
    }
    keep(rows)
    window.append(rows.map { $0.row }, isComplete: isComplete && rows.count < wanted)
    agenda?.tell(self)
    return !rows.isEmpty
  }

  /// Lets go of the counts of rows that left the window.
  private func dropCounts() {
    if counts.count > 2 * window.count { counts = counts.filter { window.contains($0.key) } }
  }
}
