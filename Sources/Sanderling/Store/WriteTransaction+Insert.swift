import GRDB
import SanderlingSQLite

/// The result of inserting many records.
public struct Insertion: Hashable, Sendable {
  /// How many rows were inserted.
  public let rowCount: Int
  /// How many records were left out: there are rows already that they conflict with, or a trigger ignores them (RAISE(IGNORE)).
  public let ignoredCount: Int
  /// The keys that SQLite assigned to inserted rows, in the order of their records; empty if records bring their own, and for a view, whose
  /// triggers assign keys that SQLite doesn't report.
  public let assignedKeys: [Int64]
}

extension WriteTransaction {
  /// Inserts a record.
  ///
  /// - Returns: Its key: the assigned one, where SQLite assigns keys.
  /// - Throws: ``StoreError/constraint(_:)`` when there is a record with its key, among others, and ``StoreError/invalidQuery(_:)`` for a
  ///   record without a key of a view, whose triggers assign keys that SQLite doesn't report.
  @discardableResult
  public func insert<R: StoredRecord>(_ record: R) throws -> R.Key {
    guard try isWrittenByTriggers(R.table) else {
      try run(record, R.table.statements.insert)
      return try insertedKey(of: record)
    }
    guard let key = try? record.key else {
      throw StoreError.invalidQuery(
        "the key that a trigger of the view \(R.table.name) gives to a new row is not known: give the record a key, or use "
          + "insert(contentsOf:), which returns none")
    }
    try run(record, R.table.statements.insert)
    return key
  }

  /// Inserts a record unless there is a row already that it conflicts with.
  ///
  /// ```swift
  /// let key = try tx.insert(bird, onConflict: .ignore(on: \.ring))
  /// ```
  ///
  /// - Returns: The key of the inserted row; nil when the existing row was not changed.
  /// - Throws: ``StoreError/constraint(_:)`` for conflicts that the resolution doesn't settle: other unique columns, missing values.
  @discardableResult
  public func insert<R: StoredRecord>(_ record: R, onConflict resolution: ConflictResolution<R>) throws -> R.Key? {
    try run(record, R.table.statements.insert + resolution.clause) == 0 ? nil : insertedKey(of: record)
  }

  /// Inserts a record and reads it back: with its assigned key, and with the values that defaults and triggers set.
  ///
  /// - Throws: ``StoreError/constraint(_:)`` when there is a record with its key, among others.
  public func insertAndFetch<R: StoredRecord>(_ record: R) throws -> R {
    try existingRow(R.self, key: insert(record))
  }

  /// Inserts records, many with each statement.
  ///
  /// An array is read in place. Of another sequence, up to 1,024 records are read ahead, so that imports of any length need little memory.
  /// Where SQLite assigns the keys, each record is asked for when the one before is inserted.
  ///
  /// - Parameter resolution: The treatment of a record for which there is a row already; an error unless given.
  /// - Throws: ``StoreError``; then none of the records is inserted.
  /// - Complexity: O(n) in time; constant memory where records bring their keys.
  @discardableResult
  public func insert<R: StoredRecord>(
    contentsOf records: some Sequence<R>, onConflict resolution: ConflictResolution<R>? = nil
  ) throws -> Insertion {
    var assignedKeys: [Int64] = []
    let statements = R.table.statements
    let isView = try isWrittenByTriggers(R.table)
    let clause = resolution?.clause ?? ""
    // Only the last key that one statement assigned is known.
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

  /// The key of the record that was inserted last. An assigned one is the row's own number, whether it was nil before or not.
  func insertedKey<R: StoredRecord>(of record: R) throws -> R.Key {
    if R.table.assignsKey, let key = database.lastInsertedRowID as? R.Key { return key }
    return try record.key
  }

  /// Runs a statement with the columns of a record.
  ///
  /// - Returns: The number of changed rows, without those that triggers changed.
  @discardableResult
  private func run<R: StoredRecord>(_ record: R, _ sql: String) throws -> Int {
    do {
      return try change(R.table, sql) { try record._bind(to: $0) }
    } catch let error as StoreError where error.isAboutValues {
      _ = try record.storageValues()
      throw error
    }
  }

  /// Runs statements with the columns of each record; all of them or none.
  ///
  /// - Parameters:
  ///    - single: The statement for one record.
  ///    - batch: The statement for ``TableStatements/rowsPerBatch`` records, if several can go together.
  ///    - countsRows: Whether to count rows that triggers write for a view, which SQLite doesn't count.
  ///    - afterEach: Called with the number of rows that a statement changed.
  /// - Returns: The numbers of records and of changed rows.
  private func run<R: StoredRecord>(
    _ records: some Sequence<R>, single: String, batch: String?, countsRows: Bool = false,
    afterEach: (Int) -> Void = { _ in }
  ) throws -> (records: Int, rows: Int) {
    try savepoint {
      var counts = (records: 0, rows: 0)
      var iterator = records.makeIterator()
      // An array is read in place. Another sequence is read ahead by the size of a batch, or not at all.
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
  /// - Returns: The number of changed rows, without those that triggers changed.
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

  /// Names the column whose value can't be stored, in place of an error that doesn't know.
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
