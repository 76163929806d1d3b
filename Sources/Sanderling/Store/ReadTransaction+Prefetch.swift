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
    let keys = try parents.map { parent in try association.columns.map { try parent._storageValue(at: $0.origin) } }
    let collations = association.columns.map { association.destination.table.columns[$0.destination].collation }
    func matching(_ key: [StorageValue]) -> [StorageValue] {
      zip(key, collations).map { $0.matching(by: $1) }
    }
    var groups: [[StorageValue]: RowGroup<Child>] = [:]
    let known = keys.unique(by: matching)
    guard !known.isEmpty else { return keys.map { _ in RowGroup() } }
    let statement = try SQLCompiler.prefetch(association, keys: known, query)
    let width = association.columns.count
    try run(statement) { row in
      let key = (0..<width).map { row.storageValue(at: Int32($0)) }
      groups[matching(key), default: RowGroup()].elements.append(
        try StoreError.locating(Child.self) { try read(row.advanced(by: Int32(width))) })
    }
    return keys.map { groups[matching($0)] ?? RowGroup() }
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
  fileprivate func unique(by matching: ([StorageValue]) -> [StorageValue]) -> [[StorageValue]] {
    var seen: Set<[StorageValue]> = []
    return filter { key in !key.contains(where: \.isNull) && seen.insert(matching(key)).inserted }
  }
}

extension StorageValue {
  /// A value that is the same for all that SQL takes for equal: -0.0 and 0, and texts that the collation doesn't tell
  /// apart.
  fileprivate func matching(by collation: Collation) -> StorageValue {
    switch self {
    case .real(let real): Int64(exactly: real).map { .integer($0) } ?? self
    case .text(let text): .text(collation.equalityKey(text))
    default: self
    }
  }
}

extension Store {
  /// All records of a query, each with its associated ones.
  public func fetch<Root, Output>(_ query: PrefetchingSelection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }
}
