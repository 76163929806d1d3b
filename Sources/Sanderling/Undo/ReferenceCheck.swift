import GRDB

/// Checks the references of restored rows, which were written without enforcement of foreign keys. Checks only these
/// rows, by key, and so uses the indexes of the foreign keys.
struct ReferenceCheck {
  private let tx: ReadTransaction
  private let rows: [InverseRow]

  /// Prepares the check.
  ///
  /// - Parameter changes: The changes of all rows in the transaction.
  init(_ tx: ReadTransaction, of changes: InverseWrite) {
    self.tx = tx
    rows = changes.rows
  }

  /// Checks the references from and to the rows.
  ///
  /// - Throws: ``UndoError/changedSince(_:)`` with the missing rows that restored rows refer to, and with the rows that
  ///   refer to deleted rows.
  func run() throws {
    var changed = ChangedRowsList()
    for reference in try TableReference.all(tx.database) {
      for row in rows {
        if row.table.name.folded == reference.table.folded,
          let values = row.after?.values(reference.columns, row.table),
          try !parentExists(values, reference)
        {
          changed.add(reference.parent, values)
        }
        if row.table.name.folded == reference.parent.folded,
          let values = row.before?.values(reference.parentColumns, row.table), try !parentExists(values, reference)
        {
          for key in try children(of: values, reference) { changed.add(reference.table, key) }
        }
      }
    }
    try changed.throwUnlessEmpty()
  }

  private func parentExists(_ values: [StorageValue], _ reference: TableReference) throws -> Bool {
    var exists = false
    try tx.run(
      "SELECT 1 FROM main.\(reference.parent.quotedIdentifier) WHERE \(reference.parentColumns.areBound(in: reference.parent)) LIMIT 1"
    ) {
      try $0.bind(values)
    } row: { _ in
      exists = true
    }
    return exists
  }

  private func children(of values: [StorageValue], _ reference: TableReference) throws -> [[StorageValue]] {
    var columns = try TableReference.keyColumns(of: reference.table, tx.database)
    if columns.isEmpty { columns = reference.columns }
    var keys: [[StorageValue]] = []
    let sql =
      "SELECT \(columns.quotedIdentifiers) FROM main.\(reference.table.quotedIdentifier) "
      + "WHERE \(reference.columns.areBound(in: reference.table))"
    try tx.run(sql) {
      try $0.bind(values)
    } row: { row in
      keys.append(columns.indices.map { row.storageValue(at: Int32($0)) })
    }
    return keys
  }
}

extension RowImage {
  /// The values of columns, by their names. Nil if the record lacks a column, or if a value is NULL and so refers to
  /// nothing.
  fileprivate func values(_ names: [String], _ table: RecordTable) -> [StorageValue]? {
    var values: [StorageValue] = []
    for name in names {
      guard let column = table.columns.firstIndex(where: { $0.name.folded == name.folded }),
        let value = value(ofColumn: column), !value.isNull
      else { return nil }
      values.append(value)
    }
    return values
  }
}
