/// A row of a query's own table that a batch of commits changed, or that leads to a row which it changed.
struct RowEvent {
  let key: RowKey
  /// The row as it was; nil if it did not exist.
  let old: LiveRowContext?
  /// The row as it is; nil if it doesn't exist.
  let new: LiveRowContext?
  /// Whether the row's own captured columns, and those of the rows that it leads to, are what they were.
  let hasEqualImages: Bool
  /// Whether the row itself was written.
  let isOwn: Bool
  /// Which dependencies lead to rows that changed, and what those do to counts and sums.
  let dependencies: [Int: Contribution]
}

/// One row for the evaluation of conditions and orderings: its own columns, and those of the rows that to-one associations
/// lead to, all before the batch or all after it.
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
