extension RecordColumn {
  /// The column that a key path of a record's fields names, such as `\Note.Fields.title`, and the record's table.
  ///
  /// - Precondition: The key path names a column.
  package static func at<Fields: _RecordFields>(_ keyPath: PartialKeyPath<Fields>) -> (
    column: RecordColumn, table: RecordTable
  ) {
    let table = Fields.Owner.table
    return (table.columns[Association.columnIndex(of: keyPath)], table)
  }

  /// Whether the values are UUIDs, in any stored form.
  package var isUUID: Bool { form.isUUID }
}
