import GRDB

extension WriteTransaction {
  /// Deletes a record, by its key.
  ///
  /// If the record has a column with `touch: .onDelete`, the column is set, and the row stays: see
  /// ``restore(_:)->Bool`` and ``purge(_:)->Bool``.
  ///
  /// - Returns: Whether the row existed and was not deleted yet.
  @discardableResult
  public func delete<R: StoredRecord>(_ record: R) throws -> Bool {
    try delete(R.self, key: record.key)
  }

  /// Deletes the record with a key, like ``delete(_:)->Bool``.
  ///
  /// - Returns: Whether the row existed and was not deleted yet.
  @discardableResult
  public func delete<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> Bool {
    guard let deletion = R.deletion else { return try purge(record, key: key) }
    return try set(deletion, to: deletion.time, where: deletion.isPresent, R.self, key: key)
  }

  /// Deletes the rows that a query returns, like ``delete(_:)->Bool``.
  ///
  /// - Returns: The number of these rows, without cascades.
  @discardableResult
  public func delete<R: StoredRecord>(_ query: Selection<R, R>) throws -> Int {
    guard let deletion = R.deletion else { return try purge(query) }
    // Rows that were deleted before keep their time.
    return try set(deletion, to: "ifnull(\(deletion.column), \(deletion.time))", query)
  }

  /// Restores a deleted record, and the rows that cascades deleted at the same time.
  ///
  /// - Returns: Whether the row existed and was deleted.
  /// - Throws: ``StoreError/invalidQuery(_:)`` for records without a column with `touch: .onDelete`.
  @discardableResult
  public func restore<R: StoredRecord>(_ record: R) throws -> Bool {
    try restore(R.self, key: record.key)
  }

  /// Restores the deleted record with a key, like ``restore(_:)->Bool``.
  ///
  /// - Returns: Whether the row existed and was deleted.
  @discardableResult
  public func restore<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> Bool {
    let deletion = try requireDeletion(of: record)
    return try set(deletion, to: "NULL", where: deletion.isDeleted, record, key: key)
  }

  /// Restores the deleted rows that a query returns, like ``restore(_:)->Bool``. The query must be
  /// ``Selectable/unscoped`` to return deleted rows.
  ///
  /// - Returns: The number of rows that the query returns.
  @discardableResult
  public func restore<R: StoredRecord>(_ query: Selection<R, R>) throws -> Int {
    try set(requireDeletion(of: R.self), to: "NULL", query)
  }

  /// Removes the row of a record for good, even if deletions keep rows.
  ///
  /// - Returns: Whether the row existed.
  @discardableResult
  public func purge<R: StoredRecord>(_ record: R) throws -> Bool {
    try purge(R.self, key: record.key)
  }

  /// Removes the row with a key for good, even if deletions keep rows.
  ///
  /// - Returns: Whether the row existed.
  @discardableResult
  public func purge<R: StoredRecord>(_ record: R.Type, key: R.Key) throws -> Bool {
    try change(R.table, R.table.statements.deleteByKey) { try R._bind(key: key, to: $0, from: 1) } > 0
  }

  /// Removes the rows that a query returns for good, even if deletions keep rows.
  ///
  /// ```swift
  /// try tx.purge(TodoTask.unscoped.where { $0.deletedAt < monthAgo })
  /// ```
  ///
  /// - Returns: The number of these rows, without cascades.
  @discardableResult
  public func purge<R: StoredRecord>(_ query: Selection<R, R>) throws -> Int {
    let statement = try SQLCompiler.compile(on: RecordType(R.self)) { compiler in
      compiler.write("DELETE FROM \(R.table.name.quotedIdentifier)")
      try compiler.writeRows(of: query.statement)
    }
    return try change(R.table, statement)
  }
}

/// The column with the time of a row's deletion, as SQL.
private struct Deletion {
  let column: String
  /// The present time, in the form that the column stores.
  let time: String

  var isPresent: String { "\(column) IS NULL" }
  var isDeleted: String { "\(column) IS NOT NULL" }
}

extension StoredRecord {
  /// The column with the time of a deletion; nil if deletions remove rows.
  fileprivate static var deletion: Deletion? {
    guard let column = table.deletion.map({ table.columns[$0] }), let time = column.currentTimeSQL else { return nil }
    return Deletion(column: column.sql, time: time)
  }
}

extension WriteTransaction {
  private func requireDeletion<R: StoredRecord>(of record: R.Type) throws -> Deletion {
    if let deletion = R.deletion { return deletion }
    throw StoreError.invalidQuery(
      "\(R.self) declares no column with touch: .onDelete, so a deletion removes the row: undo the write, or declare the column"
    )
  }

  private func set<R: StoredRecord>(
    _ deletion: Deletion, to value: String, where condition: String, _ record: R.Type, key: R.Key
  ) throws -> Bool {
    let key = try ParameterBinder.collecting(R.table.key.count) { try R._bind(key: key, to: $0, from: 1) }
    let row = R.table.keyColumns.map { "\($0.sql) = ?" }.joined(separator: " AND ")
    let sql = "UPDATE \(R.table.name.quotedIdentifier) SET \(deletion.column) = \(value) WHERE \(row) AND \(condition)"
    return try change(R.table, SQLStatement(sql: sql, arguments: key)) > 0
  }

  private func set<R: StoredRecord>(_ deletion: Deletion, to value: String, _ query: Selection<R, R>) throws -> Int {
    try change(
      R.table,
      SQLCompiler.compile(on: RecordType(R.self)) { compiler in
        compiler.write("UPDATE \(R.table.name.quotedIdentifier) SET \(deletion.column) = \(value)")
        try compiler.writeRows(of: query.statement)
      })
  }
}
