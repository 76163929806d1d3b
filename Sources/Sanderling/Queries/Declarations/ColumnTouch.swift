/// When the database itself sets a column: by triggers, for every writer, also for plain SQL and for other processes.
///
/// A statement that sets the column itself keeps its value, also where that is the value of before. In a record that is inserted,
/// upserted or updated, the column's initial value (`nil`, unless the property has another constant one) counts as not set.
public enum ColumnTouch: Hashable, Sendable {
  /// The time of the insertion.
  case onInsert
  /// The time of the last write: of the insertion, then of each update.
  case onUpdate
  /// A number that grows by one with each update. It starts at the initial value, or at 1 where that is `nil`.
  case version
  /// The time at which the row was deleted, instead of being removed. The property is optional: nil while the row is there.
  ///
  /// Deleting records then sets this column, and queries leave out the rows in which it is set: see ``StoredRecord/defaultScope``.
  case onDelete
}

extension RecordColumn {
  /// The stored value that counts as not set; nil when there is none.
  var unsetValue: StorageValue? {
    if case .constant(let value) = defaultValue, !value.isNull { return value }
    return acceptsNull ? .null : nil
  }

  /// Whether the database sets the column when a row is written with this value.
  func isLeftToTouch(_ value: StorageValue) -> Bool {
    touch != nil && value == unsetValue
  }
}
