import GRDB
import SanderlingSQLite

/// The result of inserting many records.
public struct Insertion: Hashable, Sendable {
  /// The number of inserted rows.
  public let rowCount: Int
  /// The number of records that were left out, because they conflict with existing rows, or a trigger ignores them
  /// (RAISE(IGNORE)).
  public let ignoredCount: Int
  /// The keys that SQLite assigned to inserted rows, in the order of their records. Empty if records have their own
  /// keys. Also empty for a view, because SQLite doesn't report the keys that its triggers assign.
  public let assignedKeys: [Int64]
}

extension WriteTransaction {
  /// Inserts a record.
  ///
  /// - Returns: The record's key: the assigned one, if SQLite assigns keys.
  /// - Throws: ``StoreError/constraint(_:)`` if a row with the key exists, among others.
  ///   ``StoreError/invalidQuery(_:)`` for a view's record without a key, because SQLite doesn't report the keys that
  ///   the view's triggers assign.
  @discardableResult
  public func insert<R: StoredRecord>(_ record: R) throws -> R.Key {
    guard try isWrittenByTriggers(R.table) else {
      try run(record, R.table.statements.insert)
      return try insertedKey(of: record)
    }
    guard let key = try? record.key else {
      throw StoreError.invalidQuery(
        "SQLite doesn't report the key that a trigger of the view \(R.table.name) gives to a new row: give the record a key, or use "
          + "insert(contentsOf:), which returns no keys")
    }
    try run(record, R.table.statements.insert)
    return key
  }

  /// Inserts a record, unless it conflicts with an existing row.
  ///
  /// ```swift
  /// let key = try tx.insert(bird, onConflict: .ignore(on: \.ring))
  /// ```
  ///
  /// - Returns: The key of the inserted row; nil if nothing was inserted.
  /// - Throws: ``StoreError/constraint(_:)`` for conflicts that the resolution doesn't settle: other unique columns,
  ///   missing values.
  @discardableResult
  public func insert<R: StoredRecord>(_ record: R, onConflict resolution: ConflictResolution<R>) throws -> R.Key? {
    try run(record, R.table.statements.insert + resolution.clause) == 0 ? nil : insertedKey(of: record)
  }

  /// Inserts a record and reads the row back: with its assigned key, and with the values that defaults and triggers
  /// set.
  ///
  /// - Throws: ``StoreError/constraint(_:)`` if a row with the key exists, among others.
  public func insertAndFetch<R: StoredRecord>(_ record: R) throws -> R {
    try existingRow(R.self, key: insert(record))
  }

  /// Inserts records, many with each statement.
  ///
  /// An array is read in place. From another sequence, up to 1,024 records are read ahead, so that imports of any
  /// length need little memory. If SQLite assigns the keys, each record is read only after the record before was
  /// inserted.
  ///
  /// - Parameter resolution: The treatment of a record that conflicts with an existing row; an error by default.
  /// - Throws: ``StoreError``. Then none of the records is inserted.
  /// - Complexity: O(n) in time. Memory is constant if records have their own keys.
  @discardableResult
  public func insert<R: StoredRecord>(
    contentsOf records: some Sequence<R>, onConflict resolution: ConflictResolution<R>? = nil
  ) throws -> Insertion {
    var assignedKeys: [Int64] = []
    let statements = R.table.statements
    let isView = try isWrittenByTriggers(R.table)
    let clause = resolution?.clause ?? ""
    // SQLite reports only the last key that a statement assigned, so each record needs a statement.
    let counts =
      if R.table.assignsKey, !isView {
        try run(records, single: statements.insert + clause, batch: nil) {
          if $0 > 0 { assignedKeys.append(database.lastInsertedRowID) }
        }
      } else {
        try run(records, single: statements.insert + clause, batch: statements.insertBatch + clause, countsRows: isView)
      }
    return Insertion(
      rowCount: counts.rows, ignoredCount: counts.records - counts.rows, assignedKeys: assignedKeys)
  }

  /// The key of the record that was inserted last. An assigned key is the row's number, even if the record had a key
  /// before.
  func insertedKey<R: StoredRecord>(of record: R) throws -> R.Key {
    if R.table.assignsKey, let key = database.lastInsertedRowID as? R.Key { return key }
    return try record.key
  }

  /// Runs a statement with the columns of a record.
  ///
  /// - Returns: The number of rows that the statement changed, without rows that triggers changed.
  @discardableResult
  private func run<R: StoredRecord>(_ record: R, _ sql: String) throws -> Int {
    do {
      return try change(R.table, sql) { try record._bind(to: $0) }
    } catch let error as StoreError where error.isAboutValues {
      _ = try record.storageValues()
      throw error
    }
  }

  /// Runs statements with the columns of each record, for all of them or none.
  ///
  /// - Parameters:
  ///    - single: The statement for one record.
  ///    - batch: The statement for ``TableStatements/rowsPerBatch`` records; nil if each record needs its own
  ///      statement.
  ///    - countsRows: Whether to count rows that triggers write for a view. SQLite doesn't count them.
  ///    - afterEach: Called with the number of rows that a statement for one record changed.
  /// - Returns: The numbers of records and of changed rows.
  private func run<R: StoredRecord>(
    _ records: some Sequence<R>, single: String, batch: String?, countsRows: Bool = false,
    afterEach: (Int) -> Void = { _ in }
  ) throws -> (records: Int, rows: Int) {
    try savepoint {
      var counts = (records: 0, rows: 0)
      var iterator = records.makeIterator()
      // An array is read in place. Another sequence is read ahead by at most 1,024 records, or not at all.
      let array = records as? [R]
      let capacity = batch == nil ? 1 : 1024
      var rest = (array ?? [])[...]
      while true {
        if array == nil {
          rest = []
          while rest.count < capacity, let record = iterator.next() { rest.append(record) }
        }
        if rest.isEmpty { break }
        counts.records += rest.count
        if let batch, rest.count >= TableStatements.rowsPerBatch {
          let end = rest.startIndex + rest.count / TableStatements.rowsPerBatch * TableStatements.rowsPerBatch
          counts.rows += try run(rest[..<end], inGroupsOf: TableStatements.rowsPerBatch, batch, countsRows: countsRows)
          rest = rest[end...]
        }
        counts.rows += try run(rest, inGroupsOf: 1, single, countsRows: countsRows, afterEach: afterEach)
        rest = []
        if array != nil { break }
      }
      return counts
    }
  }

  /// Runs a statement for each group of records.
  ///
  /// - Precondition: The number of records is a multiple of `size`.
  /// - Returns: The number of rows that the statement changed, without rows that triggers changed.
  private func run<R: StoredRecord>(
    _ records: ArraySlice<R>, inGroupsOf size: Int, _ sql: String, countsRows: Bool,
    afterEach: (Int) -> Void = { _ in }
  ) throws -> Int {
    guard !records.isEmpty else { return 0 }
    var count = 0
    do {
      var start = records.startIndex
      let execution = StatementExecution(
        try prepare(countsRows ? countingRowsOfView(sql) : sql), recorder: recorder)
      defer { execution.finish() }
      while start < records.endIndex {
        let group = records[start..<start + size]
        try locatingValues(of: group) { try execution.bind { try R._bind(group, to: $0) } }
        var returned = 0
        let counted = try countingChanges { try execution.forEachRow { _ in returned += 1 } }
        let changes = countsRows ? returned : counted
        count += changes
        afterEach(changes)
        start += size
      }
    } catch {
      throw StoreError.wrapping(error, sql: sql, path: database.path)
    }
    return count
  }

  /// Replaces an error that names no column by the error that names the column of the value.
  func locatingValues<R: StoredRecord>(of records: some Sequence<R>, _ body: () throws -> Void) throws {
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
