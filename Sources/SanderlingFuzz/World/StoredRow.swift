import GRDB
import Sanderling

/// A row of a live query as it is stored, whatever it is.
struct StoredRow: Hashable, Sendable {
  let values: [StorageValue]
}

/// A value of a SELECT written by hand, as it is stored.
struct AnyValue: ColumnValue, Hashable {
  let stored: StorageValue

  static var columnType: ColumnType { .blob }
  static var acceptsNull: Bool { true }

  static func encode(_ value: AnyValue) throws -> StorageValue { value.stored }
  static func decode(_ stored: StorageValue) throws -> AnyValue { AnyValue(stored: stored) }
}

extension StorageValue {
  /// A value whose texts are equal where their bytes are, as SQLite's and not GRDB's.
  init(_ value: DatabaseValue) {
    self =
      switch value.storage {
      case .null: .null
      case .int64(let integer): .integer(integer)
      case .double(let real): .real(real)
      case .string(let text): .text(text)
      case .blob(let data): .blob(data)
      }
  }
}
