/// The writes at which the database itself sets a column. Triggers set it for every writer, including plain SQL and
/// other processes.
///
/// A statement that sets the column itself keeps its value, even if the value is the same as before. If a record is
/// inserted, upserted or updated, the column's initial value counts as not set. The initial value is `nil`, unless the
/// property has another constant.
public enum ColumnTouch: Hashable, Sendable {
  /// The time of the insertion.
  case onInsert
  /// The time of the last write: the insertion, or the latest update.
  case onUpdate
  /// A number that grows by one with each update. It starts at the initial value, or at 1 if that is `nil`.
  case version
  /// The time of the deletion. A deleted row is kept and marked in this way. The property is optional, and nil while
  /// the row isn't deleted.
  ///
  /// Deleting a record sets this column. Queries leave out rows in which it is set: see ``StoredRecord/defaultScope``.
  case onDelete
}

extension RecordColumn {
  /// The stored value that counts as not set; nil if there is none.
  var unsetValue: StorageValue? {
    if case .constant(let value) = defaultValue, !value.isNull { return value }
    return acceptsNull ? .null : nil
  }

  /// Whether the database sets the column if a row is written with this value.
  func isLeftToTouch(_ value: StorageValue) -> Bool {
    touch != nil && value == unsetValue
  }
}
