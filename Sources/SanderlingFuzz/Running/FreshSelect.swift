import Sanderling

/// A query as a SELECT of its own, compiled once for all runs. It computes folds from the texts of the rows.
struct FreshSelect: Sendable {
  private let read: @Sendable (ReadTransaction) throws -> [[StorageValue]]
  /// Reads the stored folds, if the query has any.
  private let readFolds: (@Sendable (ReadTransaction) throws -> [[StorageValue]])?

  /// Runs the query as SQL.
  func expectation(_ tx: ReadTransaction) -> Expectation {
    do {
      return Expectation(rows: try read(tx), error: nil)
    } catch is UnknownRows {
      return Expectation(rows: nil, error: "some rows can't be read", isUnknown: true)
    } catch {
      // The query reads stored folds. They may still exist while their text column is missing. With them SQLite may
      // evaluate the conditions in another order, so that `abs()` never gets the number that it can't represent.
      if let readFolds, ["no such column", "integer overflow"].contains(where: "\(error)".contains),
        let rows = try? readFolds(tx)
      {
        return Expectation(rows: rows, error: nil)
      }
      return Expectation(rows: nil, error: "\(error)")
    }
  }

  /// Runs the query as SQL, and reads its sections if it is shown in sections.
  func expectation(of spec: LiveQuerySpec, isSectioned: Bool, _ tx: ReadTransaction) -> Expectation {
    var expectation = expectation(tx)
    if isSectioned, let sections = spec.sections { expectation.sections = SectionsExpectation(spec, sections, tx) }
    return expectation
  }

  /// - Parameters:
  ///   - window: The greatest number of rows to read; nil for all.
  ///   - isStepped: Whether rows are read one by one up to that number, without a LIMIT in the SQL.
  init(_ spec: LiveQuerySpec, window: Int? = nil, isStepped: Bool = false) {
    let folding = spec.foldingTexts
    read = Self.reader(folding, window, isStepped)
    readFolds = folding.statement == spec.statement ? nil : Self.reader(spec, window, isStepped)
  }

  private static func reader(
    _ spec: LiveQuerySpec, _ window: Int?, _ isStepped: Bool
  ) -> @Sendable (ReadTransaction) throws -> [[StorageValue]] {
    var spec = spec
    switch spec.form {
    case .raw(let sql):
      let query = RawQuery(RawSQL(stringLiteral: sql), as: AnyValue.self, AnyValue.self)
      return { tx in try tx.fetch(query).prefix(window ?? .max).map { [$0.0.stored, $0.1.stored] } }
    case .count:
      let query = spec.query
      return { tx in [[.integer(Int64(try tx.count(query)))]] }
    case .key(let key):
      guard let record = spec.record.type as? any FuzzRecord.Type else {
        preconditionFailure("\(spec.record.type) is made here")
      }
      return Self.reading(record, key) ?? Self.reading(spec.totallyOrdered)
    case .value:
      let readsFirst = !spec.statement.isGrouped || !spec.statement.groups.isEmpty
      spec = spec.totallyOrdered
      if readsFirst { spec.statement.limit = min(spec.statement.limit ?? 1, 1) }
    case .rows:
      spec = spec.totallyOrdered
      if let window, isStepped {
        return Self.reading(spec, first: window)
      }
      if let window { spec.statement.limit = min(window, spec.statement.limit ?? .max) }
    }
    return Self.reading(spec)
  }

  /// - Parameter count: The number of rows after which to stop; nil to read all rows at once.
  private static func reading(
    _ spec: LiveQuerySpec, first count: Int? = nil
  ) -> @Sendable (ReadTransaction) throws -> [[StorageValue]] {
    switch spec.reading {
    case .stored:
      let query = spec.query
      return { tx in try rows(of: query, first: count, tx) { $0.values } }
    case .typed(let output): return reading(spec, output, first: count)
    case .prefetched(let prefetch):
      var statement = spec.statement
      if let count { statement.limit = min(count, statement.limit ?? .max) }
      let query = prefetch.query(statement)
      let (spec, keyed) = (spec, spec.readingKeys(of: statement))
      return { tx in
        try prefetch.requireTables(tx)
        do {
          return try query.fetch(tx)
        } catch StoreError.unreadableValue {
          return try tx.fetch(keyed).map { try row(of: spec, prefetch, key: $0.values, tx) }
        }
      }
    }
  }

  /// Returns the row with a key and its associated rows, or the mark of an unreadable row.
  private static func row(
    of spec: LiveQuerySpec, _ prefetch: PrefetchSpec, key: [StorageValue], _ tx: ReadTransaction
  ) throws -> [StorageValue] {
    if key.contains(.null) { throw UnknownRows() }
    var statement = spec.statement
    (statement.limit, statement.offset) = (nil, 0)
    for (term, value) in zip(spec.identity, key) { statement.add(condition: .binary(.is, term, .constant(value))) }
    let rows: [[StorageValue]]
    do {
      rows = try prefetch.query(statement).fetch(tx)
    } catch StoreError.unreadableValue {
      return .unreadable(key)
    }
    guard rows.count == 1 else { throw UnknownRows() }
    return rows[0]
  }

  private static func reading<Output: FuzzOutput>(
    _ spec: LiveQuerySpec, _ output: Output.Type, first count: Int?
  ) -> @Sendable (ReadTransaction) throws -> [[StorageValue]] {
    let query = spec.query(marking: output)
    return { tx in try rows(of: query, first: count, tx) { $0.values } }
  }

  private static func rows<Root, Output>(
    of query: Selection<Root, Output>, first count: Int?, _ tx: ReadTransaction,
    _ values: (Output) throws -> [StorageValue]
  ) throws -> [[StorageValue]] {
    guard let count else { return try tx.fetch(query).map(values) }
    var rows: [[StorageValue]] = []
    do {
      try tx.forEach(query) { row in
        rows.append(try values(row))
        if rows.count == count { throw Enough() }
      }
    } catch is Enough {}
    return rows
  }

  /// - Returns: Nil if the values are of other types than the key.
  private static func reading<R: FuzzRecord>(
    _ record: R.Type, _ values: [StorageValue]
  ) -> (@Sendable (ReadTransaction) throws -> [[StorageValue]])? {
    guard R.key(values) != nil else { return nil }
    return { tx in
      guard let key = R.key(values) else { return [] }
      do {
        return try tx.fetch(record, key: key).map { [try $0.storedValues()] } ?? []
      } catch StoreError.unreadableValue {
        return [.unreadable(values)]
      }
    }
  }
}

/// Ends the reading of rows.
private struct Enough: Error {}
