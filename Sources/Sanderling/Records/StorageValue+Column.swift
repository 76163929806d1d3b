/// Stored as it is: any value of SQLite, for a column that holds values of several types.
///
/// ```swift
/// var value: StorageValue?   // NULL is nil
/// ```
extension StorageValue: ColumnValue {
  public static var columnType: ColumnType { .blob }
  public static func encode(_ value: StorageValue) -> StorageValue { value }
  public static func decode(_ stored: StorageValue) -> StorageValue { stored }
}
