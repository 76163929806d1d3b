extension Condition {
  /// Whether a record satisfies the condition. Decided without the database, exactly as SQLite would.
  ///
  /// ```swift
  /// let isDue = Condition<TodoTask> { !$0.isCompleted && $0.dueAt < now }
  /// let due = try tasks.filter(isDue.matches)
  /// ```
  ///
  /// The condition may use only the record's own columns.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for a condition with associations, aggregates, other queries or SQL.
  ///   ``StoreError/unstorableValue(table:column:reason:)`` for a record that can't be stored.
  public func matches(_ record: Owner) throws -> Bool {
    guard let term else { return true }
    return try evaluating { try TermEvaluator(RecordContext(record: record)).isTrue(term) }
  }
}

extension Selection where Root: StoredRecord, Output == Root {
  /// Whether a record satisfies the query's condition. Decided without the database, exactly as SQLite would. The
  /// query's limit is ignored.
  ///
  /// The condition may use only the record's own columns.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for a condition with associations, aggregates, other queries or SQL. The
  ///   same error for a query that groups rows or starts from SQL. ``StoreError/unstorableValue(table:column:reason:)``
  ///   for a record that can't be stored.
  public func matches(_ record: Root) throws -> Bool {
    guard case .table = statement.source else {
      throw StoreError.invalidQuery("only SQLite can decide which rows a SELECT written by hand returns: fetch them")
    }
    guard !statement.isGrouped else {
      throw StoreError.invalidQuery(
        "a query with group(by:) returns groups, and no record can match it: leave out group(by:)")
    }
    return try Condition<Root>(term: statement.condition).matches(record)
  }

  /// Whether the query returns `first` before `second`. Decided without the database, exactly as SQLite would. The
  /// query must return both.
  ///
  /// Records that are equal in the ordering are sorted by their keys, as ``order(_:)-((Root.Fields)->Key)`` describes.
  /// So are all records of a query without an ordering, as in lists and pages.
  ///
  /// ```swift
  /// let sorted = try tasks.sorted(by: query.areInIncreasingOrder)
  /// ```
  ///
  /// The ordering may use only the record's own columns. To sort many records, fetch them in order instead, or sort by
  /// keys.
  ///
  /// - Throws: As ``matches(_:)``, for the ordering in place of the condition.
  public func areInIncreasingOrder(_ first: Root, _ second: Root) throws -> Bool {
    try evaluating {
      let ordering = try PreparedOrdering(statement.completeOrderings)
      return try ordering.order(
        ordering.sortKey(in: RecordContext(record: first)), ordering.sortKey(in: RecordContext(record: second)))
        == .orderedAscending
    }
  }
}

/// The columns of a record in memory, with the values that they would have once stored.
private struct RecordContext<Record: StoredRecord>: EvaluationContext {
  let record: Record

  func value(of column: ColumnTerm) throws -> StorageValue {
    guard column.scope == .root, column.owner == RecordType(Record.self) else {
      throw EvaluationError.needsDatabase("it uses columns of associated records")
    }
    let definition = column.definition
    do {
      return try definition.type.affinity.stored(record._storageValue(at: column.index))
    } catch let error as ValueError {
      throw StoreError.unstorableValue(table: Record.table.name, column: definition.name, reason: error.message)
    }
  }
}

/// Runs `body`, and reports a term that can't be evaluated as an error of the query.
private func evaluating<Result>(_ body: () throws -> Result) throws -> Result {
  do {
    return try body()
  } catch let error as EvaluationError {
    switch error {
    case .needsDatabase(let reason):
      throw StoreError.invalidQuery("the query can't be evaluated without the database: \(reason)")
    case .unsupported(let reason):
      throw StoreError.invalidQuery("the query can't be evaluated without the database for this record: \(reason)")
    case .integerOverflow:
      throw StoreError.database(code: 1, message: "integer overflow", sql: nil)
    }
  }
}
