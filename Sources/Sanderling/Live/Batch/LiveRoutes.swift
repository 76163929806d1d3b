/// A query that receives changes. Only ``LiveRoutes`` writes the query's route.
protocol RoutedQuery: AnyObject, Hashable {
  var route: LiveRoutes<Self>.Route { get set }
}

/// Finds the live queries that a change can concern. Confined to the engine's turns.
///
/// The query owns its route. The routes own only indexes, which hold the query until ``remove(_:_:)``.
final class LiveRoutes<Query: RoutedQuery> {
  /// Queries whose membership depends on the same columns. A change of other columns skips all of them.
  final class Group {
    /// The columns that decide about membership and order. Nil for queries that show their rows: any write of a row
    /// concerns such a query.
    fileprivate let columns: ColumnMask?
    fileprivate let router = Router<Query>()
    fileprivate var queries: some Collection<Query> { router.queries }

    fileprivate init(columns: ColumnMask?) {
      self.columns = columns
    }
  }

  /// The way on which changes reach one query.
  struct Route {
    fileprivate(set) var dependencies = RouteDependencies()
    /// The group of a maintained query; nil for others. Unowned, since the group holds the query.
    fileprivate unowned var group: Group?
    /// The folded names of the tables that a rerun query reads; nil while they are unknown.
    fileprivate(set) var tables: Set<String>?
  }

  /// A dependency on associated rows, and the queries with this dependency.
  private struct Share {
    let dependency: SharedDependency
    var queries: Set<Query> = []
  }

  private var groups: [RecordType: [Group]] = [:]
  private var numbers: [Dependency: Int] = [:]
  private var shares: [Int: Share] = [:]
  private var sharesByType: [RecordType: [Int]] = [:]
  private var lastNumber = 0
  /// The rerun queries, by the folded names of the tables that they read.
  private var queriesByTable: [String: Set<Query>] = [:]
}

// MARK: - Maintained queries

extension LiveRoutes {
  /// Adds a maintained query.
  ///
  /// - Parameter showsRows: Whether any write of one of the query's rows concerns the query. Otherwise only changes of
  ///   the columns that the query reads concern the query.
  func insert(_ query: Query, _ plan: RoutePlan, showsRows: Bool) {
    let group = group(plan.root, showsRows ? nil : plan.columns)
    group.router.insert(query, plan.signature(bound: nil))
    var dependencies = RouteDependencies()
    for (dependency, usage) in plan.dependencies {
      let number = number(of: dependency)
      shares[number]?.queries.insert(query)
      dependencies.usage[number, default: []].formUnion(usage)
    }
    dependencies.counted = plan.counted.map { number(of: $0.dependency) }
    query.route.dependencies = dependencies
    query.route.group = group
  }

  /// Removes a maintained or rerun query.
  ///
  /// - Parameter plan: The plan with which the query was added; nil for a query that is not maintained.
  func remove(_ query: Query, _ plan: RoutePlan?) {
    setTables(nil, of: query)
    if let plan, let group = query.route.group { remove(query, plan, group) }
    query.route = Route()
  }

  private func remove(_ query: Query, _ plan: RoutePlan, _ group: Group) {
    group.router.remove(query, plan.signature(bound: nil))
    if group.queries.isEmpty {
      groups[plan.root]?.removeAll { $0 === group }
      if groups[plan.root]?.isEmpty == true { groups[plan.root] = nil }
    }
    for number in query.route.dependencies.usage.keys {
      shares[number]?.queries.remove(query)
      if let share = shares[number], share.queries.isEmpty { drop(share.dependency) }
    }
  }

  /// Changes the bound beyond which no row concerns a query; nil if there is no bound.
  ///
  /// - Parameter plan: The plan with which the query was added.
  func update(_ query: Query, bound: RouteBound?, of plan: @autoclosure () -> RoutePlan?) {
    guard let group = query.route.group, let plan = plan() else { return }
    group.router.update(query, bound: bound, of: plan.signature(bound: nil))
  }

  private func group(_ root: RecordType, _ columns: ColumnMask?) -> Group {
    if let group = groups[root]?.first(where: { $0.columns == columns }) { return group }
    let group = Group(columns: columns)
    groups[root, default: []].append(group)
    return group
  }

  private func number(of dependency: Dependency) -> Int {
    if let number = numbers[dependency] { return number }
    lastNumber += 1
    numbers[dependency] = lastNumber
    shares[lastNumber] = Share(dependency: SharedDependency(number: lastNumber, dependency))
    for type in dependency.types { sharesByType[type, default: []].append(lastNumber) }
    return lastNumber
  }

  private func drop(_ shared: SharedDependency) {
    shares[shared.number] = nil
    numbers[shared.dependency] = nil
    for type in shared.dependency.types {
      sharesByType[type]?.removeAll { $0 == shared.number }
      if sharesByType[type]?.isEmpty == true { sharesByType[type] = nil }
    }
  }
}

// MARK: - Finding queries

extension LiveRoutes {
  func hasQueries(over root: RecordType) -> Bool { groups[root] != nil }

  func sharedDependencies(on type: RecordType) -> [SharedDependency] {
    (sharesByType[type] ?? []).compactMap { shares[$0]?.dependency }
  }

  /// The queries with a dependency.
  func queries(of shared: SharedDependency) -> Set<Query> { shares[shared.number]?.queries ?? [] }

  /// All queries that a change of a table may concern.
  func queries(dependingOn type: RecordType) -> Set<Query> {
    let own = (groups[type] ?? []).reduce(into: Set<Query>()) { $0.formUnion($1.queries) }
    return sharedDependencies(on: type).reduce(into: own) { $0.formUnion(queries(of: $1)) }
  }

  /// Adds up a value of each query that a change of a table may concern. Returns whether the sum reaches a limit, and
  /// stops at the limit.
  func isSum(ofQueriesDependingOn type: RecordType, atLeast limit: Duration, _ value: (Query) -> Duration) -> Bool {
    var sum = Duration.zero
    func isEnough(_ queries: some Sequence<Query>) -> Bool {
      queries.contains { query in
        sum += value(query)
        return sum >= limit
      }
    }
    return groups[type]?.contains { isEnough($0.queries) } ?? false
      || sharedDependencies(on: type).contains { isEnough(queries(of: $0)) }
  }

  /// Calls `body` with the queries over a table that may contain a row.
  ///
  /// - Parameter changed: The changed columns; all for an inserted or deleted row. Queries that read no changed column
  ///   are skipped, unless they show the row.
  func candidates(_ row: LiveRowContext, changed: ColumnMask, _ body: (Query) -> Void) throws {
    for group in groups[row.type] ?? [] {
      if let columns = group.columns, changed != .all, columns.isDisjoint(with: changed) { continue }
      var found: [Query] = []
      do {
        try group.router.candidates(value: { try row.value(of: $0) }, { found.append($0) })
      } catch is EvaluationError {
        // The router can't look up the row's values. All queries receive the row.
        found = Array(group.queries)
      }
      for query in found { body(query) }
    }
  }
}

// MARK: - Rerun queries

extension LiveRoutes {
  /// Notes the tables that a rerun query reads; nil for none.
  func setTables(_ names: Set<String>?, of query: Query) {
    for table in query.route.tables ?? [] {
      queriesByTable[table]?.remove(query)
      if queriesByTable[table]?.isEmpty == true { queriesByTable[table] = nil }
    }
    query.route.tables = names
    for table in names ?? [] { queriesByTable[table, default: []].insert(query) }
  }

  func queries(touching table: String) -> Set<Query> { queriesByTable[table] ?? [] }
}
