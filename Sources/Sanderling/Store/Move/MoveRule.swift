import Foundation
import SanderlingSQLite

/// The values that a column of the new database accepts.
///
/// The standard types are decided without decoding, since the rule sees each value of the old store. Other codings decode.
struct MoveRule {
  private enum Kind {
    case integer, number, text, blob, other
  }

  private let column: RecordColumn
  private let kind: Kind
  /// The accepted integers, or the accepted numbers of bytes.
  private let lower: Int64
  private let upper: Int64
  private let acceptsNull: Bool

  /// The integers that every `Double` and `Decimal` equals.
  private static let exact: Int64 = 1 << 53

  init(_ column: RecordColumn) {
    self.column = column
    acceptsNull = column.acceptsNull
    let coding = column.form.coding
    func range<Number: FixedWidthInteger>(_: Number.Type) -> (Kind, Int64, Int64) {
      (.integer, Int64(clamping: Number.min), Int64(clamping: Number.max))
    }
    (kind, lower, upper) =
      switch ObjectIdentifier(coding) {
      case ObjectIdentifier(Int.self), ObjectIdentifier(Int64.self): range(Int64.self)
      case ObjectIdentifier(Int32.self): range(Int32.self)
      case ObjectIdentifier(Int16.self): range(Int16.self)
      case ObjectIdentifier(Int8.self): range(Int8.self)
      case ObjectIdentifier(Bool.self): (.integer, 0, 1)
      case ObjectIdentifier(Double.self), ObjectIdentifier(Date.self): (.number, -Self.exact, Self.exact)
      case ObjectIdentifier(String.self): (.text, 0, .max)
      case ObjectIdentifier(Data.self): (.blob, 0, .max)
      case ObjectIdentifier(UUID.self): (.blob, 16, 16)
      default: (.other, 0, 0)
      }
  }

  /// Whether a value fits into the column.
  func accepts(_ value: StorageValue) -> Bool {
    let (type, size): (Int32, Int64) =
      switch value {
      case .null: (SQLITE_NULL, 0)
      case .integer(let integer): (SQLITE_INTEGER, integer)
      case .real: (SQLITE_FLOAT, 0)
      case .text: (SQLITE_TEXT, 0)
      case .blob(let data): (SQLITE_BLOB, Int64(data.count))
      }
    return accepts(type, size) ?? isRead(value)
  }

  /// Whether a value of a storage class fits into the column; nil if ``isRead(_:)`` decides.
  ///
  /// - Parameters:
  ///   - type: SQLite's number of the storage class.
  ///   - size: An integer's value, or a blob's number of bytes.
  func accepts(_ type: Int32, _ size: Int64) -> Bool? {
    let isWithin = lower <= size && size <= upper
    return switch (kind, type) {
    case (_, SQLITE_NULL): acceptsNull
    case (.integer, SQLITE_INTEGER), (.blob, SQLITE_BLOB): isWithin
    case (.number, SQLITE_INTEGER): isWithin ? true : nil
    case (.number, SQLITE_FLOAT), (.text, SQLITE_TEXT): true
    case (.other, _): nil
    default: false
    }
  }

  /// Whether the coding reads a value, and SQLite doesn't convert it to another.
  func isRead(_ value: StorageValue) -> Bool {
    switch (column.type, value) {
    case (.text, .integer), (.text, .real), (.integer, .text), (.integer, .real): false
    default: (try? column.form.coding.decode(value)) != nil
    }
  }

  /// The reason why a value doesn't fit, as a clause.
  func reason(_ value: StorageValue, _ expression: String) -> String {
    if expression.contains(ExternalFiles.function), case .integer(let code) = value,
      let failure = ExternalFiles.Failure(rawValue: Int32(clamping: code))
    {
      return failure.reason
    }
    if value.isNull { return "the value is NULL, and the property is not optional" }
    return "the stored \(value.storageClassName) is no \(column.form.coding.typeName)"
  }
}

extension ColumnCoding {
  /// The type of the values, as a developer writes it.
  fileprivate static var typeName: String { String(describing: Value.self) }
}
