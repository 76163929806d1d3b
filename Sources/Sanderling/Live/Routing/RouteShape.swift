/// The queries that are found by the same columns.
final class RouteShape<Query: Hashable> {
  /// The identity of a shape.
  struct Key: Hashable {
    let equalities: Set<RouteColumn>
    let range: RouteColumn?
  }

  /// The queries that require the same values of a row's columns.
  private enum Group {
    case one(Query, number: Int)
    case several([Int: Query])
    case ranges(IntervalIndex<Query>)
  }

  let key: Key
  /// The columns, in the order of the values that are looked up.
  let columns: [RouteColumn]
  /// The places of the columns among the router's values.
  let places: [Int]
  let rangePlace: Int?
  private var groups: [[StorageValue]: Group] = [:]
  /// The values to look up, kept so that no look-up allocates an array.
  private var probe: [StorageValue]

  /// - Parameter place: The place of a column among the router's values.
  init(_ key: Key, place: (RouteColumn) -> Int) {
    self.key = key
    columns = Array(key.equalities)
    places = columns.map(place)
    rangePlace = key.range.map(place)
    probe = Array(repeating: .null, count: columns.count)
  }

  var isEmpty: Bool { groups.isEmpty }

  /// - Parameter number: Distinguishes entries with the same values and range.
  func insert(_ query: Query, for values: [StorageValue], in range: RouteRange?, number: Int) {
    if let column = key.range, let range {
      let index: IntervalIndex<Query>
      if case .ranges(let existing) = groups[values] {
        index = existing
      } else {
        index = IntervalIndex(column.collation)
        groups[values] = .ranges(index)
      }
      index.insert(range, number: number, query)
    } else {
      switch groups.removeValue(forKey: values) {
      case .one(let other, let otherNumber): groups[values] = .several([number: query, otherNumber: other])
      case .several(var queries):
        queries[number] = query
        groups[values] = .several(queries)
      default: groups[values] = .one(query, number: number)
      }
    }
  }

  /// Removes the entry that was inserted with the number.
  func remove(for values: [StorageValue], in range: RouteRange?, number: Int) {
    if case .ranges(let index) = groups[values], let range {
      index.remove(range, number: number)
      if index.isEmpty { groups[values] = nil }
      return
    }
    // Taken out during the change, so that it isn't copied.
    switch groups.removeValue(forKey: values) {
    case .ranges(let index): groups[values] = .ranges(index)
    case .several(var queries):
      queries[number] = nil
      if !queries.isEmpty { groups[values] = .several(queries) }
    case .one, nil: break
    }
  }

  /// Calls `body` with the queries that may contain a row.
  ///
  /// - Parameters:
  ///   - equalityKey: A value of the row by its place, in the form that is identical for equal values.
  ///   - rangeKey: A value of the row by its place, as it is looked up in ranges.
  /// - Returns: The number of visited groups and ranges.
  func forEach(
    equalityKey: (Int) throws -> StorageValue, rangeKey: (Int) throws -> StorageValue, _ body: (Query) -> Void
  ) rethrows -> Int {
    for (index, place) in places.enumerated() { probe[index] = try equalityKey(place) }
    switch groups[probe] {
    case nil: return 1
    case .one(let query, _):
      body(query)
      return 1
    case .several(let queries):
      for query in queries.values { body(query) }
      return 1
    case .ranges(let index):
      guard let rangePlace else { return 1 }
      return 1 + index.forEach(holding: try rangeKey(rangePlace), body)
    }
  }
}
