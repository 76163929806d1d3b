import Foundation

/// The values that a column of the new database accepts.
///
/// The standard types are decided without decoding, since the rule sees each value of the old store. Other codings decode.
struct MoveRule {
  enum Kind {
    case integer, number, text, blob, other
  }

  let kind: Kind
  /// The accepted integers, or the accepted numbers of bytes.
  let lower: Int64
  let upper: Int64
  let acceptsNull: Bool

  /// The integers that every `Double` and `Decimal` equals.
  private static let exact: Int64 = 1 << 53

  init(_ column: RecordColumn) {
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

  func accepts(_ integer: Int64) -> Bool { lower <= integer && integer <= upper }

  /// Whether a value fits into a column.
  static func accepts(_ value: StorageValue, _ column: RecordColumn) -> Bool {
    let rule = MoveRule(column)
    return switch (rule.kind, value) {
    case (_, .null): rule.acceptsNull
    case (.integer, .integer(let integer)): rule.accepts(integer)
    case (.number, .integer(let integer)): rule.accepts(integer) || isRead(value, column)
    case (.number, .real), (.text, .text): true
    case (.blob, .blob(let data)): rule.accepts(Int64(data.count))
    case (.other, _): isRead(value, column)
    default: false
    }
  }

  /// Whether the coding reads a value, and SQLite doesn't convert it to another.
  private static func isRead(_ value: StorageValue, _ column: RecordColumn) -> Bool {
    switch (column.type, value) {
    case (.text, .integer), (.text, .real), (.integer, .text), (.integer, .real): false
    default: (try? column.form.coding.decode(value)) != nil
    }
  }

  /// The reason why a value doesn't fit, as a clause.
  static func reason(_ value: StorageValue, _ column: RecordColumn, _ expression: String) -> String {
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
