import GRDB
import GRDBSQLite

/// What inserting many records did.
public struct Insertion: Hashable, Sendable {
  public let rowCount: Int
  /// The keys that SQLite assigned, in the order of the records; empty where records bring their own.
  public let assignedKeys: [Int64]
}

extension WriteTransaction {
  /// Inserts a record.
  ///
  /// - Returns: Its key: the assigned one, where SQLite assigns keys.
  /// - Throws: ``StoreError/constraint(_:)`` when there is a record with its key, among others.
  @discardableResult
  public func insert<R: StoredRecord>(_ record: R) throws -> R.Key {
    let sql = R.table.statements.insert
    try locatingValues(of: record) { try run(sql) { try record.bind(to: $0) } }
    // An assigned key is the row's own number, whether it was nil before or not.
    if R.table.assignsKey, let key = database.lastInsertedRowID as? R.Key { return key }
    return try record.key
  }

  /// Inserts records with one statement, prepared once.
  ///
  /// - Throws: ``StoreError``; then none of the records is inserted.
  /// - Complexity: O(n) in time; constant memory where records bring their keys.
  @discardableResult
  public func insert<R: StoredRecord>(contentsOf records: some Sequence<R>) throws -> Insertion {
    var assignedKeys: [Int64] = []
    let assignsKey = R.table.assignsKey
    let count = try runEach(R.table.statements.insert, records) {
      if assignsKey { assignedKeys.append(database.lastInsertedRowID) }
    }
    return Insertion(rowCount: count, assignedKeys: assignedKeys)
  }

  /// Inserts a record, or updates the row that is there already.
  ///
  /// - Parameters:
  ///   - target: The columns of the unique index that tells which row is there already; the key if there are none.
  ///     The key of a row that is found by other columns stays as it is.
  ///   - leavingUnchangedRows: Whether a row that has all values already is not written again, so that no trigger and no
  ///     observation sees a change.
  /// - Returns: Whether a row was inserted or changed.
  @discardableResult
  public func upsert<R: StoredRecord>(
    _ record: R, onConflict target: PartialKeyPath<R.Fields>..., leavingUnchangedRows: Bool = true
  ) throws -> Bool {
    try upsert(contentsOf: CollectionOfOne(record), target, leavingUnchangedRows) > 0
  }

  /// Inserts records, or updates the rows that are there already, with one statement, prepared once.
  ///
  /// - Returns: How many rows were inserted or changed.
  @discardableResult
  public func upsert<R: StoredRecord>(
    contentsOf records: some Sequence<R>, onConflict target: PartialKeyPath<R.Fields>...,
    leavingUnchangedRows: Bool = true
  ) throws -> Int {
    try upsert(contentsOf: records, target, leavingUnchangedRows)
  }

  private func upsert<R: StoredRecord>(
    contentsOf records: some Sequence<R>, _ target: [PartialKeyPath<R.Fields>], _ leavingUnchangedRows: Bool
  ) throws -> Int {
    let columns = target.isEmpty ? R.table.key : target.map { Association.columnIndex(of: $0) }
    let before = database.totalChangesCount
    let sql = R.table.upsert(onConflict: columns, leavingUnchangedRows: leavingUnchangedRows)
    var count = 0
    var last = before
    try runEach(sql, records) {
      // changesCount keeps its value when a statement changes nothing.
      if database.totalChangesCount != last { count += 1 }
      last = database.totalChangesCount
    }
    return count
  }

  /// Runs one statement with the columns of each record; all of it or nothing.
  ///
  /// - Returns: How many records there were.
  @discardableResult
  private func runEach<R: StoredRecord>(
    _ sql: String, _ records: some Sequence<R>, afterEach: () throws -> Void
  ) throws -> Int {
    var count = 0
    try savepoint {
      var iterator = records.makeIterator()
      guard var record = iterator.next() else { return }
      let execution = try locatingValues(of: record) {
        try StatementExecution(prepare(sql), recorder: recorder) { try record.bind(to: $0) }
      }
      defer { execution.finish() }
      while true {
        do {
          try execution.forEachRow { _ in }
        } catch {
          throw StoreError.wrapping(error, sql: sql, path: database.path)
        }
        count += 1
        try afterEach()
        guard let next = iterator.next() else { return }
        record = next
        try locatingValues(of: next) { try execution.rebind { try next.bind(to: $0) } }
      }
    }
    return count
  }

  /// Names the column whose value can't be stored, in place of an error that doesn't know.
  private func locatingValues<R: StoredRecord, Value>(of record: R, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      if error is ValueError || (error as? StoreError)?.isAboutValues == true { _ = try record.storageValues() }
      throw StoreError.wrapping(error, path: database.path)
    }
  }
}

extension StoreError {
  fileprivate var isAboutValues: Bool {
    if case .unreadableValue = self { true } else { false }
  }
}

extension TableDefinition {
  func upsert(onConflict target: [Int], leavingUnchangedRows: Bool) -> String {
    let names = columns.map(\.name.quotedIdentifier)
    let table = name.quotedIdentifier
    let updated = columns.indices.filter { !target.contains($0) && !key.contains($0) }
    let conflict = " ON CONFLICT (\(target.map { names[$0] }.joined(separator: ", ")))"
    guard !updated.isEmpty else { return statements.insert + conflict + " DO NOTHING" }
    let assignments = updated.map { "\(names[$0]) = excluded.\(names[$0])" }.joined(separator: ", ")
    let differences = updated.map { "\(table).\(names[$0]) IS NOT excluded.\(names[$0])" }.joined(separator: " OR ")
    return statements.insert + conflict + " DO UPDATE SET \(assignments)"
      + (leavingUnchangedRows ? " WHERE \(differences)" : "")
  }
}
