/// A row of a query's own table that a batch of commits changed, or that leads to a row which it changed.
struct RowEvent {
  let key: RowKey
  /// The row as it was; nil if it did not exist.
  let old: LiveRowContext?
  /// The row as it is; nil if it doesn't exist.
  let new: LiveRowContext?
  /// Whether the captured columns of the row and of the rows that it refers to are unchanged.
  let hasEqualImages: Bool
  /// Whether the row itself was written.
  let isOwn: Bool
  /// The dependencies that lead to changed rows, with their contributions to counts and sums.
  let dependencies: [Int: Contribution]
}

/// One row for the evaluation of conditions and orderings: its own columns, and those of the rows behind its to-one
/// associations. All are from before the batch, or all from after it.
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
    // Compared with a column whose type the database declares otherwise, it may be converted.
    if rows.hasLooseColumns, !value.isNative(to: column.definition.type) {
      throw EvaluationError.unsupported("column \(column.definition.name) has a value of another kind than it declares")
    }
    return value
  }
}
