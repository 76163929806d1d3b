extension ReadTransaction {
  /// All records of a query, each with its associated ones.
  ///
  /// - Complexity: One query for the records and one for each association, nested ones included.
  public func fetch<Root, Output>(_ query: PrefetchingSelection<Root, Output>) throws -> [Output] {
    try query.attach(self, fetch(query.selection))
  }
}

/// The rows that belong to one row of another query.
struct RowGroup<Element> {
  var elements: [Element] = []
}

extension ReadTransaction {
  /// The rows that a to-many association leads to, for each parent in turn.
  func children<Parent: StoredRecord, Child>(
    of parents: [Parent], _ association: Association, _ query: SelectStatement, _ read: (ResultRow) throws -> Child
  ) throws -> [RowGroup<Child>] {
    let keys = try parents.map { parent in try association.columns.map { try parent.storageValue(at: $0.origin) } }
    var groups: [[StorageValue]: RowGroup<Child>] = [:]
    let known = keys.unique
    guard !known.isEmpty else { return keys.map { _ in RowGroup() } }
    let statement = try SQLCompiler.prefetch(association, keys: known, query)
    let width = association.columns.count
    try run(statement) { row in
      let key = (0..<width).map { row.storageValue(at: Int32($0)) }
      groups[key, default: RowGroup()].elements.append(try read(row.advanced(by: Int32(width))))
    }
    return keys.map { groups[$0] ?? RowGroup() }
  }

  /// The row that a to-one association leads to, for each child in turn.
  func parents<Child: StoredRecord, Parent>(
    of children: [Child], _ association: Association, _ query: SelectStatement, _ read: (ResultRow) throws -> Parent
  ) throws -> [Parent?] {
    try self.children(of: children, association, query, read).map(\.elements.first)
  }
}

extension [[StorageValue]] {
  /// Each key once and none with a NULL, which leads nowhere.
  fileprivate var unique: [[StorageValue]] {
    var seen: Set<[StorageValue]> = []
    return filter { key in !key.contains(where: \.isNull) && seen.insert(key).inserted }
  }
}

extension Store {
  /// All records of a query, each with its associated ones.
  public func fetch<Root, Output>(_ query: PrefetchingSelection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }
}
