/// A row of a query's own table that a batch changed, or that depends on a changed row.
struct RowEvent {
  let key: RowKey
  /// The row before the batch; nil if it did not exist.
  let old: LiveRowContext?
  /// The row after the batch; nil if it doesn't exist.
  let new: LiveRowContext?
  /// Whether the captured columns of the row, and of the rows that it depends on, are unchanged.
  let hasEqualImages: Bool
  /// Whether the row itself was written.
  let isOwn: Bool
  /// The dependencies with changed rows, and their contributions to counts and sums.
  let dependencies: [Int: Contribution]
}

/// One row for the evaluation of conditions and orderings: its own columns, and those of the rows that its to-one
/// associations lead to. All are before the batch, or all after it.
struct LiveRowContext: EvaluationContext {
  let type: RecordType
  let image: RowImage
  let rows: BatchRows
  let isOld: Bool

  func value(of column: ColumnTerm) throws -> StorageValue {
    var image: RowImage? = image
    for association in column.scope.path {
      guard let current = image else { return .null }
      image = try rows.row(association, of: current, isOld: isOld)
    }
    guard let image else { return .null }
    guard let value = image.value(ofColumn: column.index) else {
      throw EvaluationError.unsupported("column \(column.definition.name) was not captured")
    }
    // SQLite may convert the value in a comparison, where the database declares another type for the column.
    if rows.hasLooseColumns, !value.isNative(to: column.definition.type) {
      throw EvaluationError.unsupported("column \(column.definition.name) has a value of another kind than it declares")
    }
    return value
  }
}
