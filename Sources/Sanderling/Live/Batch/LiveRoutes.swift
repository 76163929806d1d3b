/// Finds the live queries that a change can concern. Confined to the engine's turns.
final class LiveRoutes {
  /// How the engine's dependencies are those of one query.
  struct Dependencies {
    /// What of the query each can change, by its number.
    var usage: [Int: LiveUsage] = [:]
    /// The numbers of those that change the plan's counts and sums, in their order.
    var counted: [Int] = []
  }

  /// Queries that read the same columns of their rows to decide which they have, and so can be passed over together.
  private final class Group {
    /// Nil for queries that show their rows, which any write of a row concerns.
    let columns: ColumnMask?
    let router = Router<Int>()
    var queries: some Collection<Int> { router.queries }

    init(columns: ColumnMask?) {
      self.columns = columns
    }
  }

  private var groups: [RecordType: [Group]] = [:]
  /// Where each query is. Its plan would be much beside it: whoever moves or removes the query gives it again.
  private var groupsOfQueries: [Int: Group] = [:]
  private var numbers: [Dependency: Int] = [:]
  private var shared: [Int: SharedDependency] = [:]
  private var sharedByType: [RecordType: [Int]] = [:]
  private var lastNumber = 0
  /// The queries that are run again, by the folded names of the tables that they read, and those tables.
  private var queriesByTable: [String: Set<Int>] = [:]
  private var tables: [Int: Set<String>] = [:]
}

/// Associated rows that live queries depend on, which all that read the same share.
final class SharedDependency {
  let number: Int
  let dependency: Dependency
  /// Decides which associated rows are read, as far as their own columns do.
  let filter: PreparedTerm?
  /// Whether the filter is what the dependency asks for; one that can't be prepared filters nothing.
  let hasFilter: Bool
  /// What is summed up of the rows; nil for counting them.
  let argument: PreparedTerm?
  /// Decides which of the rows on the way count, for each association but the last; nil where all do.
  let filtersOnTheWay: [PreparedTerm?]
  fileprivate(set) var queries: Set<Int> = []
  /// What of any of the queries it can change.
  fileprivate(set) var usage: LiveUsage = []

  fileprivate init(number: Int, _ dependency: Dependency) {
    self.number = number
    self.dependency = dependency
    filter = dependency.filter.flatMap { try? PreparedTerm(condition: $0) }
    argument = dependency.counted?.argument.flatMap { try? PreparedTerm($0) }
    let levels = dependency.counted?.levels.prefix(dependency.columnsOnTheWay.count) ?? []
    filtersOnTheWay = levels.map { level in level.filter.flatMap { try? PreparedTerm(condition: $0) } }
    hasFilter =
      (filter != nil || dependency.filter == nil) && (argument != nil || dependency.counted?.argument == nil)
      && zip(levels, filtersOnTheWay).allSatisfy { $0.filter == nil || $1 != nil }
  }
}

// MARK: - Queries that follow changes

extension LiveRoutes {
  /// Adds a query that follows changes of rows.
  ///
  /// - Parameter showsRows: Whether any write of one of its rows concerns it; otherwise only those of the columns that it reads.
  func insert(_ query: Int, _ plan: RoutePlan, showsRows: Bool) -> Dependencies {
    let group = group(plan.root, showsRows ? nil : plan.columns)
    group.router.insert(query, plan.signature(bound: nil))
    var dependencies = Dependencies()
    for (dependency, usage) in plan.dependencies {
      let shared = shared(dependency)
      shared.queries.insert(query)
      shared.usage.formUnion(usage)
      dependencies.usage[shared.number, default: []].formUnion(usage)
    }
    dependencies.counted = plan.counted.map { shared($0.dependency).number }
    groupsOfQueries[query] = group
    return dependencies
  }

  /// Removes a query that follows changes of rows.
  ///
  /// - Parameter plan: That with which it was added.
  func remove(_ query: Int, _ plan: RoutePlan) {
    guard let group = groupsOfQueries.removeValue(forKey: query) else { return }
    group.router.remove(query, plan.signature(bound: nil))
    if group.queries.isEmpty {
      groups[plan.root]?.removeAll { $0 === group }
      if groups[plan.root]?.isEmpty == true { groups[plan.root] = nil }
    }
    for (dependency, _) in plan.dependencies {
      guard let number = numbers[dependency], let shared = shared[number] else { continue }
      shared.queries.remove(query)
      if shared.queries.isEmpty { drop(shared) }
    }
  }

  /// Moves the row beyond which nothing concerns a query; nil for none.
  ///
  /// - Parameter plan: That with which the query was added.
  func update(_ query: Int, bound: RouteBound?, of plan: @autoclosure () -> RoutePlan?) {
    guard let group = groupsOfQueries[query], let plan = plan() else { return }
    group.router.update(query, bound: bound, of: plan.signature(bound: nil))
  }

  func isDependency(_ number: Int, of query: Int) -> Bool {
    shared[number]?.queries.contains(query) ?? false
  }

  private func group(_ root: RecordType, _ columns: ColumnMask?) -> Group {
    if let group = groups[root]?.first(where: { $0.columns == columns }) { return group }
    let group = Group(columns: columns)
    groups[root, default: []].append(group)
    return group
  }

  private func shared(_ dependency: Dependency) -> SharedDependency {
    if let number = numbers[dependency], let shared = shared[number] { return shared }
    lastNumber += 1
    let shared = SharedDependency(number: lastNumber, dependency)
    numbers[dependency] = shared.number
    self.shared[shared.number] = shared
    for type in dependency.types { sharedByType[type, default: []].append(shared.number) }
    return shared
  }

  private func drop(_ shared: SharedDependency) {
    self.shared[shared.number] = nil
    numbers[shared.dependency] = nil
    for type in shared.dependency.types {
      sharedByType[type]?.removeAll { $0 == shared.number }
      if sharedByType[type]?.isEmpty == true { sharedByType[type] = nil }
    }
  }
}

// MARK: - Finding them

extension LiveRoutes {
  func hasQueries(over root: RecordType) -> Bool { groups[root] != nil }

  func sharedDependencies(on type: RecordType) -> [SharedDependency] {
    (sharedByType[type] ?? []).compactMap { shared[$0] }
  }

  /// All queries that a change of a table may concern.
  func queries(dependingOn type: RecordType) -> Set<Int> {
    let own = (groups[type] ?? []).reduce(into: Set<Int>()) { $0.formUnion($1.queries) }
    return sharedDependencies(on: type).reduce(into: own) { $0.formUnion($1.queries) }
  }

  /// Adds up something of the queries that a change of a table may concern, as long as it is less than a limit.
  func isSum(ofQueriesDependingOn type: RecordType, atLeast limit: Duration, _ value: (Int) -> Duration) -> Bool {
    var sum = Duration.zero
    func isEnough(_ queries: some Sequence<Int>) -> Bool {
      queries.contains { query in
        sum += value(query)
        return sum >= limit
      }
    }
    return groups[type]?.contains { isEnough($0.queries) } ?? false
      || sharedDependencies(on: type).contains { isEnough($0.queries) }
  }

  /// The queries over a table that may have a row.
  ///
  /// - Parameter changed: The columns that the change is about, all of them for a row that came or went. Queries that read none
  ///   of them are passed over, unless they show the row.
  func candidates(_ row: LiveRowContext, changed: ColumnMask, _ body: (Int) -> Void) throws {
    for group in groups[row.type] ?? [] {
      if let columns = group.columns, changed != .all, columns.isDisjoint(with: changed) { continue }
      var found: [Int] = []
      do {
        try group.router.candidates(value: { try row.value(of: $0) }, { found.append($0) })
      } catch is EvaluationError {
        // The row has values by which it can't be looked up: all queries look at it themselves.
        found = Array(group.queries)
      }
      for number in found { body(number) }
    }
  }
}

// MARK: - Queries that are run again

extension LiveRoutes {
  /// Notes which tables a query reads that is run again; nil for none.
  func setTables(_ names: Set<String>?, of query: Int) {
    for table in tables[query] ?? [] {
      queriesByTable[table]?.remove(query)
      if queriesByTable[table]?.isEmpty == true { queriesByTable[table] = nil }
    }
    tables[query] = names
    for table in names ?? [] { queriesByTable[table, default: []].insert(query) }
  }

  /// Nil while it is not known.
  func tables(of query: Int) -> Set<String>? { tables[query] }

  /// The tables that are read by queries which are run again.
  var followedTables: Set<String> { Set(queriesByTable.keys) }

  func queries(touching table: String) -> Set<Int> { queriesByTable[table] ?? [] }
}
