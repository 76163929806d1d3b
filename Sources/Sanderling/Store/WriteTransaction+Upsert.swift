extension WriteTransaction {
  /// Inserts a record, or updates the existing row.
  ///
  /// ```swift
  /// try tx.upsert(task)
  /// try tx.upsert(bird, onConflict: \.ring, updating: \.species, \.sightings)
  /// ```
  ///
  /// - Parameters:
  ///   - target: The columns of the unique index that finds the existing row; the key if there are none. A row that is
  ///     found by other columns keeps its key.
  ///   - updated: The columns to set in an existing row. By default, all columns except those of the target and of the
  ///     key.
  ///   - leavingUnchangedRows: Whether an existing row that already has all values is not written, so that no trigger
  ///     and no observation sees a change.
  /// - Returns: Whether the row was inserted, updated or not changed.
  /// - Throws: ``StoreError/constraint(_:)`` if the record conflicts with a row by another unique index.
  ///   ``StoreError/invalidQuery(_:)`` if `updated` contains a column of the key.
  @discardableResult
  public func upsert<R: StoredRecord>(
    _ record: R, onConflict target: PartialKeyPath<R.Fields>..., updating updated: PartialKeyPath<R.Fields>...,
    leavingUnchangedRows: Bool = true
  ) throws -> RowOutcome {
    let upsert = try Upsert(R.table, target, updated, leavingUnchangedRows)
    var outcome = RowOutcome.unchanged
    try run(CollectionOfOne(record), upsert) { outcome = $0 }
    return outcome
  }

  /// Inserts records, or updates the existing rows, for all of them or none. The statement is prepared once.
  ///
  /// - Returns: The numbers of rows that were inserted, updated and not changed.
  /// - Throws: The errors of ``upsert(_:onConflict:updating:leavingUnchangedRows:)``, which describes the parameters.
  @discardableResult
  public func upsert<R: StoredRecord>(
    contentsOf records: some Sequence<R>, onConflict target: PartialKeyPath<R.Fields>...,
    updating updated: PartialKeyPath<R.Fields>..., leavingUnchangedRows: Bool = true
  ) throws -> RowOutcomes {
    let upsert = try Upsert(R.table, target, updated, leavingUnchangedRows)
    var outcomes = RowOutcomes()
    try savepoint { try run(records, upsert) { outcomes.add($0) } }
    return outcomes
  }

  /// Inserts a record or updates the existing row, and reads the row back. The result has the row's own key, the
  /// columns that were not updated, and the values that defaults and triggers set.
  ///
  /// - Throws: The errors of ``upsert(_:onConflict:updating:leavingUnchangedRows:)``, which describes the parameters.
  public func upsertAndFetch<R: StoredRecord>(
    _ record: R, onConflict target: PartialKeyPath<R.Fields>..., updating updated: PartialKeyPath<R.Fields>...,
    leavingUnchangedRows: Bool = true
  ) throws -> R {
    let upsert = try Upsert(R.table, target, updated, leavingUnchangedRows)
    var outcome = RowOutcome.unchanged
    try run(CollectionOfOne(record), upsert) { outcome = $0 }
    if outcome == .inserted { return try existingRow(R.self, key: insertedKey(of: record)) }
    var result: R?
    try run(R.table.select(by: upsert.target)) {
      try $0.bind(upsert.targetValues(of: record))
    } row: { row in
      result = try StoreError.locating(R.self) { try R(_reading: row) }
    }
    guard let result else { throw StoreError.notFound(table: R.table.name) }
    return result
  }

  /// Runs the statements for one record after the other, because a statement must not meet a row that it wrote itself.
  private func run<R: StoredRecord>(
    _ records: some Sequence<R>, _ upsert: Upsert, _ note: (RowOutcome) -> Void
  ) throws {
    try requireStorage(of: R.table)
    do {
      let lookup = StatementExecution(try prepare(upsert.lookup), recorder: recorder)
      defer { lookup.finish() }
      let write = StatementExecution(try prepare(upsert.sql), recorder: recorder)
      defer { write.finish() }
      for record in records {
        var exists = false
        try locatingValues(of: CollectionOfOne(record)) {
          try write.bind { try record._bind(to: $0) }
          let values = try upsert.targetValues(of: record)
          // NULLs are distinct in a unique index, so no row has the same values.
          if values.contains(where: \.isNull) { return }
          try lookup.bind { try $0.bind(values) }
          try lookup.forEachRow { _ in exists = true }
        }
        let changes = try countingChanges { try write.forEachRow { _ in } }
        note(changes == 0 ? .unchanged : exists ? .updated : .inserted)
      }
    } catch {
      throw StoreError.wrapping(error, sql: upsert.sql, path: database.path)
    }
  }
}

/// The statements that insert a row or update the existing row.
private struct Upsert {
  let target: [Int]
  let sql: String
  /// Whether the row exists. The upsert doesn't report it: in both cases it changes one row.
  let lookup: String

  init<Fields: _RecordFields>(
    _ table: RecordTable, _ target: [PartialKeyPath<Fields>], _ updated: [PartialKeyPath<Fields>],
    _ leavingUnchangedRows: Bool
  ) throws {
    let target = target.isEmpty ? table.key : target.map { Association.columnIndex(of: $0) }
    let named = updated.map { Association.columnIndex(of: $0) }
    if let column = named.first(where: table.key.contains) {
      throw StoreError.invalidQuery(
        "an upsert can't change the key of a row: leave \(table.columns[column].name) of table \(table.name) out of updating:"
      )
    }
    let all = table.columns.indices.filter { !target.contains($0) && !table.key.contains($0) }
    self.target = target
    sql =
      table.statements.insert
      + table.conflictClause(target: target, updated: named.isEmpty ? all : named, leavingUnchangedRows)
    lookup = "SELECT 1 FROM \(table.name.quotedIdentifier) WHERE \(table.condition(on: target))"
  }

  func targetValues(of record: some StoredRecord) throws -> [StorageValue] {
    try target.map { try record._storageValue(at: $0) }
  }
}

extension RecordTable {
  /// The clause that makes an INSERT an upsert.
  fileprivate func conflictClause(target: [Int], updated: [Int], _ leavingUnchangedRows: Bool) -> String {
    let names = columns.map(\.name.quotedIdentifier)
    let table = name.quotedIdentifier
    let conflict = " ON CONFLICT (\(target.map { names[$0] }.joined(separator: ", ")))"
    guard !updated.isEmpty else { return conflict + " DO NOTHING" }
    let foldedTexts = folded.filter { updated.contains($0.text) }.map(\.name.quotedIdentifier)
    let assignments =
      (updated.map { "\(names[$0]) = \(columns[$0].upserted(table))" }
      + foldedTexts.map { "\($0) = excluded.\($0)" }).joined(separator: ", ")
    let differences = updated.map { columns[$0].upsertDifference(table) }.joined(separator: " OR ")
    return conflict + " DO UPDATE SET \(assignments)" + (leavingUnchangedRows ? " WHERE \(differences)" : "")
  }

  fileprivate func condition(on columns: [Int]) -> String {
    columns.map { self.columns[$0].name }.areBound(in: name)
  }

  fileprivate func select(by columns: [Int]) -> String {
    "SELECT \(statements.columnList) FROM \(name.quotedIdentifier) WHERE \(condition(on: columns))"
  }
}

extension RecordColumn {
  /// The value that an upsert sets. If the record leaves the column to the database, it gets the value of an update.
  fileprivate func upserted(_ table: String) -> String {
    guard touch != nil, let unsetSQL else { return "excluded.\(sql)" }
    let touched = updatedSQL(from: "\(table).\(sql)") ?? "\(table).\(sql)"
    return "CASE WHEN excluded.\(sql) IS \(unsetSQL) THEN \(touched) ELSE excluded.\(sql) END"
  }

  /// The condition that the record has another value than the row.
  fileprivate func upsertDifference(_ table: String) -> String {
    let difference = "\(table).\(sql) IS NOT excluded.\(sql)"
    guard touch != nil, let unsetSQL else { return difference }
    return "excluded.\(sql) IS NOT \(unsetSQL) AND \(difference)"
  }
}
