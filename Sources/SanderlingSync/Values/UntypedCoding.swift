import Sanderling

/// Stored values of any type, unchanged.
enum UntypedCoding: ColumnCoding {
  typealias Value = StorageValue
  static var columnType: ColumnType { .blob }
  static var acceptsNull: Bool { true }
  static func encode(_ value: StorageValue) -> StorageValue { value }
  static func decode(_ stored: StorageValue) -> StorageValue { stored }
}
