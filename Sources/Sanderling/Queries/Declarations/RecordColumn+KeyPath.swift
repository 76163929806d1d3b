extension RecordColumn {
  /// The column that a key path of a record's fields names, as `\Note.Fields.title`, and the record's table.
  ///
  /// - Precondition: The key path is that of a column.
  package static func at<Fields: _RecordFields>(_ keyPath: PartialKeyPath<Fields>) -> (
    column: RecordColumn, table: RecordTable
  ) {
    let table = Fields.Owner.table
    return (table.columns[Association.columnIndex(of: keyPath)], table)
  }

  /// Whether values are UUIDs, in whatever form they are stored.
  package var isUUID: Bool { form.isUUID }
}
