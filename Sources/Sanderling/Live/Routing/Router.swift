/// Finds the queries that may contain a row, at a cost that doesn't grow with the other queries.
///
/// Queries are grouped into shapes, by the columns that they are found by. A row is looked up once in each shape. Not
/// for use by several threads at once.
final class Router<Query: Hashable> {
  /// The number of each query's first branch; its other branches follow. Signatures are several times as large, so they
  /// are not kept, and callers pass them again.
  private var firstNumbers: [Query: Int] = [:]
  /// The queries with several branches.
  private var branched: Set<Query> = []
  /// The far bounds of the queries that have one.
  private var bounds: [Query: RouteBound] = [:]
  private var shapes: [RouteShape<Query>.Key: RouteShape<Query>] = [:]
  private var lastNumber = 0

  /// The columns of all shapes so far.
  private var columns: [RouteColumn] = []
  private var places: [RouteColumn: Int] = [:]
  /// The columns whose values these compare.
  private var terms: [ColumnTerm] = []
  private var termPlaces: [Int] = []
  /// The row's values during its look-up.
  private var values: [StorageValue?] = []
  private var equalityKeys: [StorageValue?] = []
  /// The queries with several branches that were found for the row.
  private var found: Set<Query> = []
  /// The number of visited groups and ranges so far.
  private(set) var probeCount = 0

  init() {}
}

// MARK: - Queries

extension Router {
  /// Adds a query. O(branches · log queries), where each member of a list counts as a branch.
  ///
  /// - Precondition: The router doesn't contain the query.
  func insert(_ query: Query, _ signature: RouteSignature) {
    let firstNumber = lastNumber + 1
    lastNumber += signature.branches.count
    firstNumbers[query] = firstNumber
    if signature.branches.count > 1 { branched.insert(query) }
    bounds[query] = signature.bound
    for (index, branch) in signature.branches.enumerated() {
      insertEntries(query, branch, signature.bound, number: firstNumber + index)
    }
  }

  /// - Parameter signature: The signature with which the query was added.
  func remove(_ query: Query, _ signature: RouteSignature) {
    guard let firstNumber = firstNumbers.removeValue(forKey: query) else { return }
    branched.remove(query)
    let bound = bounds.removeValue(forKey: query)
    for (index, branch) in signature.branches.enumerated() {
      removeEntries(branch, bound, number: firstNumber + index)
    }
  }

  /// Moves the far bound of a full window; nil for none.
  ///
  /// - Parameter signature: The signature with which the query was added.
  func update(_ query: Query, bound: RouteBound?, of signature: @autoclosure () -> RouteSignature) {
    guard let firstNumber = firstNumbers[query], bounds[query] != bound else { return }
    let old = bounds[query]
    bounds[query] = bound
    for (index, branch) in signature().branches.enumerated() {
      let oldRange = RouteSignature.range(of: branch, bound: old)
      let newRange = RouteSignature.range(of: branch, bound: bound)
      if oldRange?.column == newRange?.column, oldRange?.range == newRange?.range { continue }
      removeEntries(branch, old, number: firstNumber + index)
      insertEntries(query, branch, bound, number: firstNumber + index)
    }
  }

  var queries: some Collection<Query> { firstNumbers.keys }

  /// The columns that any query is found by.
  var routedColumns: Set<ColumnTerm> {
    Set(shapes.keys.flatMap { $0.equalities.map(\.column) + [$0.range?.column].compactMap { $0 } })
  }

  private func insertEntries(_ query: Query, _ branch: RouteBranch, _ bound: RouteBound?, number: Int) {
    change(branch, bound) { shape, values, range in
      shape.insert(query, for: values, in: range, number: number)
    }
  }

  private func removeEntries(_ branch: RouteBranch, _ bound: RouteBound?, number: Int) {
    change(branch, bound) { shape, values, range in
      shape.remove(for: values, in: range, number: number)
    }
  }

  /// Calls `body` for each place of a query's branch.
  private func change(
    _ branch: RouteBranch, _ bound: RouteBound?, _ body: (RouteShape<Query>, [StorageValue], RouteRange?) -> Void
  ) {
    let range = RouteSignature.range(of: branch, bound: bound)
    if let range, range.range.isEmpty(range.column.collation) { return }
    let shape = shape(.init(equalities: Set(branch.equalities.map(\.column)), range: range?.column))
    branch.forEachCombination(of: shape.columns) { body(shape, $0, range?.range) }
    if shape.isEmpty { shapes[shape.key] = nil }
  }

  private func shape(_ key: RouteShape<Query>.Key) -> RouteShape<Query> {
    if let shape = shapes[key] { return shape }
    let shape = RouteShape<Query>(key, place: place)
    shapes[key] = shape
    return shape
  }

  private func place(of column: RouteColumn) -> Int {
    if let place = places[column] { return place }
    let termPlace = terms.firstIndex(of: column.column) ?? terms.count
    if termPlace == terms.count {
      terms.append(column.column)
      values.append(nil)
    }
    columns.append(column)
    termPlaces.append(termPlace)
    equalityKeys.append(nil)
    places[column] = columns.count - 1
    return columns.count - 1
  }
}

extension RouteBranch {
  /// Calls `body` with each combination of the columns' required values, in the order of the columns.
  fileprivate func forEachCombination(of columns: [RouteColumn], _ body: ([StorageValue]) -> Void) {
    let keys = columns.compactMap { column in equalities.first { $0.column == column }?.keys }
    var values: [StorageValue] = []
    func extend() {
      guard values.count < keys.count else { return body(values) }
      for key in keys[values.count] {
        values.append(key)
        extend()
        values.removeLast()
      }
    }
    extend()
  }
}

// MARK: - Rows

extension Router {
  /// Calls `body` once for each query that may contain a row.
  ///
  /// - Parameter value: The row's value of a column. Called at most once for each column.
  /// - Throws: Errors of `value`, or ``EvaluationError/unsupported(_:)`` for a value that can't be looked up. Then any
  ///   query may contain the row, and `body` may have been called for some.
  func candidates(value: (ColumnTerm) throws -> StorageValue, _ body: (Query) -> Void) throws {
    defer { forgetRow() }
    for shape in shapes.values {
      probeCount += try shape.forEach {
        try equalityKey(at: $0, value)
      } rangeKey: {
        try columns[$0].rangeKey(rowValue(at: $0, value))
      } _: { query in
        if isNew(query) { body(query) }
      }
    }
  }

  /// Whether the query was not found yet. Only queries with several branches can be found twice.
  private func isNew(_ query: Query) -> Bool {
    guard branched.contains(query) else { return true }
    return found.insert(query).inserted
  }

  private func rowValue(at place: Int, _ value: (ColumnTerm) throws -> StorageValue) throws -> StorageValue {
    let termPlace = termPlaces[place]
    if let known = values[termPlace] { return known }
    let result = try value(terms[termPlace])
    values[termPlace] = result
    return result
  }

  private func equalityKey(at place: Int, _ value: (ColumnTerm) throws -> StorageValue) throws -> StorageValue {
    if let known = equalityKeys[place] { return known }
    let result = try columns[place].equalityKey(rowValue(at: place, value))
    equalityKeys[place] = result
    return result
  }

  private func forgetRow() {
    for index in values.indices { values[index] = nil }
    for index in equalityKeys.indices { equalityKeys[index] = nil }
    if !found.isEmpty { found.removeAll(keepingCapacity: true) }
  }
}
