import Sanderling

/// A row of a live query with its stored values, of any type.
struct StoredRow: Hashable, Sendable {
  let values: [StorageValue]
}

/// A stored value of a SELECT written by hand.
struct AnyValue: ColumnValue, Hashable {
  let stored: StorageValue

  static var columnType: ColumnType { .blob }
  static var acceptsNull: Bool { true }

  static func encode(_ value: AnyValue) throws -> StorageValue { value.stored }
  static func decode(_ stored: StorageValue) throws -> AnyValue { AnyValue(stored: stored) }
}
