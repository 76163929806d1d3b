// Names that other libraries use. The compiler names the counterpart, and Xcode offers to replace the name.

// MARK: Reading

extension Store {
  @available(*, unavailable, renamed: "fetch(_:)")
  public func fetchAll<Root, Output>(_ query: Selection<Root, Output>) async throws -> [Output] { neverRuns() }

  @available(*, unavailable, renamed: "fetchFirst(_:)")
  public func fetchOne<Root, Output>(_ query: Selection<Root, Output>) async throws -> Output? { neverRuns() }

  @available(*, unavailable, renamed: "count(_:)")
  public func fetchCount<Root, Output>(_ query: Selection<Root, Output>) async throws -> Int { neverRuns() }

  @available(*, unavailable, renamed: "fetch(_:key:)")
  public func find<R: StoredRecord>(_ record: R.Type, _ key: R.Key) async throws -> R? { neverRuns() }
}

extension ReadTransaction {
  @available(*, unavailable, renamed: "fetch(_:)")
  public func fetchAll<Root, Output>(_ query: Selection<Root, Output>) throws -> [Output] { neverRuns() }

  @available(*, unavailable, renamed: "fetchFirst(_:)")
  public func fetchOne<Root, Output>(_ query: Selection<Root, Output>) throws -> Output? { neverRuns() }

  @available(*, unavailable, renamed: "count(_:)")
  public func fetchCount<Root, Output>(_ query: Selection<Root, Output>) throws -> Int { neverRuns() }

  @available(*, unavailable, renamed: "fetch(_:key:)")
  public func find<R: StoredRecord>(_ record: R.Type, _ key: R.Key) throws -> R? { neverRuns() }
}

extension Selection {
  @available(*, unavailable, message: "a query has no store: write 'try await store.count(query)'")
  public func count() -> Int { neverRuns() }

  @available(*, unavailable, message: "a query has no store: write 'try await store.fetch(query)'")
  public func fetchAll() -> [Output] { neverRuns() }

  @available(*, unavailable, message: "a query has no store: write 'try await store.fetchFirst(query)'")
  public func fetchOne() -> Output? { neverRuns() }

  @available(*, unavailable, renamed: "order(_:)")
  public func order<Key: OrderingConvertible>(by key: (Root.Fields) -> Key) -> Selection { neverRuns() }

  @available(*, unavailable, renamed: "order(_:)")
  public func sorted<Key: OrderingConvertible>(by key: (Root.Fields) -> Key) -> Selection { neverRuns() }
}

extension Selectable {
  @available(*, unavailable, renamed: "order(_:)")
  public static func order<Key: OrderingConvertible>(by key: (Fields) -> Key) -> Selection<Self, Self> { neverRuns() }

  @available(*, unavailable, message: "a record has no store: write 'try await store.fetch(Record.query)'")
  public static func fetchAll() -> [Self] { neverRuns() }

  @available(*, unavailable, message: "a record has no store: write 'try await store.count(Record.query)'")
  public static func count() -> Int { neverRuns() }
}

// MARK: Writing

extension WriteTransaction {
  @available(*, unavailable, message: "write 'upsert' to insert or update, or 'update' if the row exists")
  public func save<R: StoredRecord>(_ record: R) throws { neverRuns() }

  @available(
    *, unavailable,
    message: "name the columns: 'tx.update(query, .set(\\.cents) { $0.cents + 1 })'. One UPDATE changes all rows"
  )
  public func update<R: StoredRecord>(_ query: Selection<R, R>, _ change: (inout R) throws -> Void) throws -> Int {
    neverRuns()
  }
}

// MARK: Fields

extension Field {
  @available(*, unavailable, renamed: "descending")
  public var desc: Ordering { neverRuns() }

  @available(*, unavailable, message: "ascending is the default: write the field alone")
  public var asc: Ordering { neverRuns() }

  @available(*, unavailable, renamed: "average()")
  public func avg() -> Field<Double?> { neverRuns() }
}

extension Field where Value: TextColumnValue {
  @available(
    *, unavailable,
    message: "write 'hasPrefix' or 'contains', or 'matches' with an index; LIKE ignores the case of ASCII letters only"
  )
  public func like(_ pattern: String) -> Field<Bool> { neverRuns() }

  @available(*, unavailable, renamed: "hasPrefix(_:)")
  public func starts(with prefix: String) -> Field<Bool> { neverRuns() }

  @available(*, unavailable, message: "write '!field.isEmpty'")
  public var isNotEmpty: Field<Bool> { neverRuns() }
}

extension ToMany {
  @available(*, unavailable, renamed: "exists")
  public var isNotEmpty: Field<Bool> { neverRuns() }

  @available(*, unavailable, renamed: "average(_:)")
  public func avg<Value: NumericColumnValue>(_ value: (Child.Fields) -> Field<Value>) -> Field<Double?> { neverRuns() }
}
