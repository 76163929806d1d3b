import GRDB

/// Checks the references of rows that were put back while foreign keys were not enforced: of those rows only, by the indexes that
/// foreign keys have.
struct ReferenceCheck {
  private let tx: ReadTransaction
  private let rows: [InverseRow]

  /// - Parameter changes: The changes of all rows in the transaction.
  init(_ tx: ReadTransaction, of changes: InverseWrite) {
    self.tx = tx
    rows = changes.rows
  }

  /// - Throws: ``UndoError/changedSince(_:)`` with the missing rows that others refer to, and with rows that refer to rows that went.
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
  /// The values of columns, by their names; nil when one is NULL, which refers to nothing, or is not of the record.
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
