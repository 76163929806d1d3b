import GRDB
import SanderlingSQLite

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
    do {
      try run(R.table.statements.insert) { try record.bind(to: $0) }
    } catch let error as StoreError where error.isAboutValues {
      _ = try record.storageValues()
      throw error
    }
    // An assigned key is the row's own number, whether it was nil before or not.
    if R.table.assignsKey, let key = database.lastInsertedRowID as? R.Key { return key }
    return try record.key
  }

  /// Inserts records, many with each statement.
  ///
  /// An array is read in place. Another sequence is read ahead by up to 1,024 records, so that imports of any length need
  /// little memory, unless SQLite assigns the keys: then each record is asked for when the one before is inserted.
  ///
  /// - Throws: ``StoreError``; then none of the records is inserted.
  /// - Complexity: O(n) in time; constant memory where records bring their keys.
  @discardableResult
  public func insert<R: StoredRecord>(contentsOf records: some Sequence<R>) throws -> Insertion {
    var assignedKeys: [Int64] = []
    let statements = R.table.statements
    // Only the last key that one statement assigned is known.
    let count =
      if R.table.assignsKey {
        try run(records, single: statements.insert, batch: nil) { assignedKeys.append(database.lastInsertedRowID) }
      } else {
        try run(records, single: statements.insert, batch: statements.insertBatch)
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
    let statements = R.table.statements
    let conflict = R.table.conflictClause(target: columns, leavingUnchangedRows: leavingUnchangedRows)
    // A statement must not meet a row that it wrote itself, so each record has its own.
    return try run(records, single: statements.insert + conflict, batch: nil)
  }

  /// Runs statements with the columns of each record; all of them or none.
  ///
  /// - Parameters:
  ///   - single: The statement for one record.
  ///   - batch: The statement for ``TableStatements/rowsPerBatch`` records, if several can go together.
  /// - Returns: How many rows changed.
  private func run<R: StoredRecord>(
    _ records: some Sequence<R>, single: String, batch: String?, afterEach: () -> Void = {}
  ) throws -> Int {
    try savepoint {
      var count = 0
      var iterator = records.makeIterator()
      // An array is read in place. Another sequence is read ahead by what batches need, or not at all.
      let array = records as? [R]
      let capacity = batch == nil ? 1 : 1024
      var rest = (array ?? [])[...]
      while true {
        if array == nil {
          rest = []
          while rest.count < capacity, let record = iterator.next() { rest.append(record) }
        }
        if rest.isEmpty { break }
        if let batch, rest.count >= TableStatements.rowsPerBatch {
          let end = rest.startIndex + rest.count / TableStatements.rowsPerBatch * TableStatements.rowsPerBatch
          count += try run(rest[..<end], inGroupsOf: TableStatements.rowsPerBatch, batch)
          rest = rest[end...]
        }
        count += try run(rest, inGroupsOf: 1, single, afterEach: afterEach)
        rest = []
        if array != nil { break }
      }
      return count
    }
  }

  /// Runs a statement for each group of records.
  ///
  /// - Precondition: The number of records is a multiple of `size`.
  /// - Returns: How many rows changed, those that triggers changed not counted.
  private func run<R: StoredRecord>(
    _ records: ArraySlice<R>, inGroupsOf size: Int, _ sql: String, afterEach: () -> Void = {}
  ) throws -> Int {
    guard !records.isEmpty else { return 0 }
    var count = 0
    do {
      var start = records.startIndex
      let execution = StatementExecution(try prepare(sql), recorder: recorder)
      defer { execution.finish() }
      while start < records.endIndex {
        let group = records[start..<start + size]
        try locatingValues(of: group) { try execution.bind { try R.bind(group, to: $0) } }
        let before = database.totalChangesCount
        try execution.forEachRow { _ in }
        // changesCount keeps its value when a statement changes nothing.
        if database.totalChangesCount != before { count += database.changesCount }
        afterEach()
        start += size
      }
    } catch {
      throw StoreError.wrapping(error, sql: sql, path: database.path)
    }
    return count
  }

  /// Names the column whose value can't be stored, in place of an error that doesn't know.
  private func locatingValues<R: StoredRecord>(of records: ArraySlice<R>, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as ValueError {
      for record in records { _ = try record.storageValues() }
      throw error
    }
  }
}

extension StoreError {
  fileprivate var isAboutValues: Bool {
    if case .unreadableValue = self { true } else { false }
  }
}

extension TableDefinition {
  /// What an upsert adds to an INSERT.
  fileprivate func conflictClause(target: [Int], leavingUnchangedRows: Bool) -> String {
    let names = columns.map(\.name.quotedIdentifier)
    let table = name.quotedIdentifier
    let updated = columns.indices.filter { !target.contains($0) && !key.contains($0) }
    let conflict = " ON CONFLICT (\(target.map { names[$0] }.joined(separator: ", ")))"
    guard !updated.isEmpty else { return conflict + " DO NOTHING" }
    let assignments = updated.map { "\(names[$0]) = excluded.\(names[$0])" }.joined(separator: ", ")
    let differences = updated.map { "\(table).\(names[$0]) IS NOT excluded.\(names[$0])" }.joined(separator: " OR ")
    return conflict + " DO UPDATE SET \(assignments)" + (leavingUnchangedRows ? " WHERE \(differences)" : "")
  }
}
