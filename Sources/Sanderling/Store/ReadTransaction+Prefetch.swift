extension ReadTransaction {
  /// Reads all records of a query, each with its associated records.
  ///
  /// - Complexity: One query for the records and one for each association, including nested ones.
  public func fetch<Root, Output>(_ query: PrefetchingSelection<Root, Output>) throws -> [Output] {
    try query.attach(self, fetch(query.selection)).values
  }
}

/// The associated rows of one record.
struct RowGroup<Element> {
  var elements: [Element] = []
  /// A hash that changes with the rows; nil unless the transaction fingerprints rows.
  var fingerprint: UInt64?
}

extension ReadTransaction {
  /// Reads the associated rows of each record, in the order of the records.
  func rows<Origin: StoredRecord, Destination>(
    of records: [Origin], _ association: Association, _ query: SelectStatement,
    _ read: (ResultRow) throws -> Destination
  ) throws -> [RowGroup<Destination>] {
    let columns = association.firstColumns
    let keys = try records.map { parent in try columns.map { try parent._storageValue(at: $0.origin) } }
    let first = association.steps[0].destination.table
    let collations = columns.map { first.columns[$0.destination].collation }
    func matching(_ key: [StorageValue]) -> [StorageValue] {
      zip(key, collations).map { $0.matching(by: $1) }
    }
    var groups: [[StorageValue]: RowGroup<Destination>] = [:]
    let known = keys.unique(by: matching)
    let none = RowGroup<Destination>(fingerprint: fingerprintsRows ? 0 : nil)
    guard !known.isEmpty else { return keys.map { _ in none } }
    let statement = try SQLCompiler.prefetch(association, keys: known, query)
    let width = columns.count
    try run(statement) { row in
      let key = (0..<width).map { row.storageValue(at: Int32($0)) }
      let row = row.advanced(by: Int32(width))
      let element = try StoreError.locating(Destination.self) { try read(row) }
      groups[matching(key), default: none].add(element, fingerprintsRows ? row.fingerprint(query.columns.count) : nil)
    }
    return keys.map { groups[matching($0)] ?? none }
  }
}

extension RowGroup {
  fileprivate mutating func add(_ element: Element, _ fingerprint: UInt64?) {
    elements.append(element)
    if let own = self.fingerprint, let fingerprint { self.fingerprint = RowHash.combining(own, fingerprint) }
  }
}

extension [[StorageValue]] {
  /// The distinct keys without NULL. A NULL refers to no row.
  fileprivate func unique(by matching: ([StorageValue]) -> [StorageValue]) -> [[StorageValue]] {
    var seen: Set<[StorageValue]> = []
    return filter { key in !key.contains(where: \.isNull) && seen.insert(matching(key)).inserted }
  }
}

extension StorageValue {
  /// A value that is equal for all values that SQL treats as equal: -0.0 and 0, and texts that are equal by the
  /// collation.
  fileprivate func matching(by collation: Collation) -> StorageValue {
    switch self {
    case .real(let real): Int64(exactly: real).map { .integer($0) } ?? self
    case .text(let text): .text(collation.equalityKey(text))
    default: self
    }
  }
}

extension Store {
  /// Reads all records of a query, each with its associated records.
  public func fetch<Root, Output>(_ query: PrefetchingSelection<Root, Output>) async throws -> [Output] {
    try await read { try $0.fetch(query) }
  }
}
