/// Finds the live queries that a change can concern.
struct LiveRoutes {
  /// A dependency that live queries share.
  final class SharedDependency {
    let number: Int
    let dependency: Dependency
    /// Decides which associated rows are read, as far as their own columns do.
    let filter: PreparedTerm?
    /// Whether the filter is what the dependency asks for; one that can't be prepared filters nothing.
    let hasFilter: Bool
    /// What is summed up of the rows; nil for counting them.
    let argument: PreparedTerm?
    var queries: Set<Int> = []
    /// What of any of the queries it can change.
    var usage: LiveUsage = []

    init(number: Int, _ dependency: Dependency) {
      self.number = number
      self.dependency = dependency
      filter = dependency.filter.flatMap { try? PreparedTerm(condition: $0) }
      argument = dependency.counted?.argument.flatMap { try? PreparedTerm($0) }
      hasFilter =
        (filter != nil || dependency.filter == nil) && (argument != nil || dependency.counted?.argument == nil)
    }
  }

  private var routers: [RecordType: Router<Int>] = [:]
  private var numbers: [Dependency: Int] = [:]
  private(set) var dependencies: [Int: SharedDependency] = [:]
  private var dependenciesByType: [RecordType: [Int]] = [:]
  private var lastNumber = 0
  /// The queries that are run again, by the folded names of the tables that they read.
  private var queriesByTable: [String: Set<Int>] = [:]
  /// Queries by the tables of their own rows.
  private var queriesByRoot: [RecordType: Set<Int>] = [:]

  mutating func insert(_ query: LiveQuery) {
    guard let route = query.route else { return }
    let router = routers[route.root] ?? Router()
    routers[route.root] = router
    router.insert(query.number, route.signature(bound: nil))
    queriesByRoot[route.root, default: []].insert(query.number)
    for (dependency, usage) in route.dependencies {
      let shared = shared(dependency)
      shared.queries.insert(query.number)
      shared.usage.formUnion(usage)
      query.dependencies[shared.number, default: []].formUnion(usage)
    }
    query.countedDependencies = route.counted.map { shared($0.dependency).number }
  }

  mutating func remove(_ query: LiveQuery) {
    for table in query.tables ?? [] { queriesByTable[table]?.remove(query.number) }
    guard let route = query.route else { return }
    routers[route.root]?.remove(query.number)
    queriesByRoot[route.root]?.remove(query.number)
    for number in query.dependencies.keys {
      guard let shared = dependencies[number] else { continue }
      shared.queries.remove(query.number)
      if shared.queries.isEmpty { drop(shared) }
    }
  }

  mutating func update(_ query: LiveQuery) {
    guard let route = query.route else { return }
    routers[route.root]?.update(query.number, bound: query.routeBound)
  }

  private mutating func shared(_ dependency: Dependency) -> SharedDependency {
    if let number = numbers[dependency], let shared = dependencies[number] { return shared }
    lastNumber += 1
    let shared = SharedDependency(number: lastNumber, dependency)
    numbers[dependency] = shared.number
    dependencies[shared.number] = shared
    dependenciesByType[dependency.type, default: []].append(shared.number)
    return shared
  }

  private mutating func drop(_ shared: SharedDependency) {
    dependencies[shared.number] = nil
    numbers[shared.dependency] = nil
    dependenciesByType[shared.dependency.type]?.removeAll { $0 == shared.number }
  }
}

// MARK: - Queries that are run again

extension LiveRoutes {
  /// The tables that are read by queries which are run again.
  var followedTables: Set<String> { Set(queriesByTable.filter { !$0.value.isEmpty }.keys) }

  mutating func setTables(_ tables: Set<String>?, of query: LiveQuery) {
    for table in query.tables ?? [] { queriesByTable[table]?.remove(query.number) }
    query.tables = tables
    for table in tables ?? [] { queriesByTable[table, default: []].insert(query.number) }
  }

  func queries(touching table: String) -> Set<Int> { queriesByTable[table] ?? [] }
}

// MARK: - Queries that follow changes

extension LiveRoutes {
  /// Whether a live query depends on changes of a table.
  func isWatched(_ type: RecordType) -> Bool {
    hasQueries(over: type) || dependenciesByType[type]?.isEmpty == false
  }

  func hasQueries(over root: RecordType) -> Bool { queriesByRoot[root]?.isEmpty == false }

  func sharedDependencies(on type: RecordType) -> [SharedDependency] {
    (dependenciesByType[type] ?? []).compactMap { dependencies[$0] }
  }

  /// Whether a query that a change of a table may concern satisfies a condition. Looks at no more than it must.
  func contains(dependingOn type: RecordType, where isWanted: (Int) -> Bool) -> Bool {
    if queriesByRoot[type]?.contains(where: isWanted) == true { return true }
    return sharedDependencies(on: type).contains { $0.queries.contains(where: isWanted) }
  }

  /// All queries that a change of a table may concern.
  func queries(dependingOn type: RecordType) -> Set<Int> {
    sharedDependencies(on: type).reduce(into: queriesByRoot[type] ?? []) { $0.formUnion($1.queries) }
  }

  /// The queries over a table that may keep a row.
  func candidates(_ row: LiveRowContext, _ body: (Int) throws -> Void) throws {
    guard let router = routers[row.type] else { return }
    var found: [Int] = []
    do {
      try router.candidates(value: { try row.value(of: $0) }, { found.append($0) })
    } catch is EvaluationError {
      // The row has values by which it can't be looked up: all queries look at it themselves.
      found = Array(queriesByRoot[row.type] ?? [])
    }
    for number in found { try body(number) }
  }
}
