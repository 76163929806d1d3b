import Sanderling

/// What a fresh SELECT says of a query at one commit.
struct Expectation: Sendable {
  /// All rows of the query, those beyond any window too; nil when the query fails.
  let rows: [[StorageValue]]?
  /// Why it fails.
  let error: String?
}

extension LiveQuerySpec {
  /// Runs the query as SQL.
  ///
  /// - Parameter window: How many rows to read at most; nil for all.
  func expectation(_ tx: ReadTransaction, window: Int? = nil) -> Expectation {
    do {
      return Expectation(rows: try rows(tx, window: window), error: nil)
    } catch {
      return Expectation(rows: nil, error: "\(error)")
    }
  }

  private func rows(_ tx: ReadTransaction, window: Int?) throws -> [[StorageValue]] {
    switch form {
    case .raw(let sql):
      let rows = try tx.fetch(RawQuery(RawSQL(stringLiteral: sql), as: AnyValue.self, AnyValue.self))
      return rows.prefix(window ?? .max).map { [$0.0.stored, $0.1.stored] }
    case .count: return [[.integer(Int64(try tx.count(query)))]]
    case .key(let key):
      guard let record = record.type as? any FuzzRecord.Type else { preconditionFailure("\(record.type) is made here") }
      return try fetch(record, key, tx)
    case .value:
      var first = totallyOrdered
      if !statement.isGrouped || !statement.groups.isEmpty { first.statement.limit = min(statement.limit ?? 1, 1) }
      return try first.fetch(tx)
    case .rows:
      var limited = totallyOrdered
      if let window { limited.statement.limit = min(window, statement.limit ?? .max) }
      return try limited.fetch(tx)
    }
  }

  private func fetch(_ tx: ReadTransaction) throws -> [[StorageValue]] {
    switch reading {
    case .stored: return try tx.fetch(query).map(\.values)
    case .typed(let output): return try fetch(output, tx)
    }
  }

  private func fetch<Output: FuzzOutput>(_ output: Output.Type, _ tx: ReadTransaction) throws -> [[StorageValue]] {
    try tx.fetch(query(reading: output)).map { try $0.storedValues() }
  }

  private func fetch<R: FuzzRecord>(
    _ record: R.Type, _ key: [StorageValue], _ tx: ReadTransaction
  ) throws -> [[StorageValue]] {
    guard let key = R.key(key) else { return try totallyOrdered.fetch(tx) }
    return try tx.fetch(record, key: key).map { [try $0.storedValues()] } ?? []
  }
}

extension Expectation {
  /// What differs between rows that are shown and those of the SELECT; nil when nothing does.
  func difference(from shown: [[StorageValue]], window: Int) -> String? {
    guard let rows else { return nil }
    let expected = Array(rows.prefix(window))
    guard shown != expected else { return nil }
    let position = zip(shown, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(shown.count, expected.count)
    func text(_ rows: [[StorageValue]]) -> String {
      guard rows.indices.contains(position) else { return "nothing" }
      return "(\(rows[position].map(\.literal).joined(separator: ", ")))"
    }
    return "row \(position) is \(text(shown)), but \(text(expected)) in SQLite; \(shown.count) rows are shown, "
      + "\(expected.count) of \(rows.count) expected"
  }
}
