import Foundation

/// Placeholders for the compared values of a statement.
///
/// Statements that differ only in these values have one form, and share all data that depend on the form: their tables,
/// SQL and routes. A stand-in has the storage class of its value. Stand-ins are drawn at random for each process, so
/// that no value of a query equals one.
enum StandIn {
  /// The most values of a statement that are replaced.
  static let greatestCount = 256

  private static let firstInteger = Int64.random(in: 1 << 60..<1 << 61) << 1
  private static let firstReal = UInt64.random(in: 0x3FF0_0000_0000..<0x3FFF_FFFF_FFFF) << 16
  private static let textStart = "sanderling \(firstInteger) "

  /// The stand-in for a value; nil for values that can change how the statement is followed: NULL, NaN, and texts that
  /// are numbers.
  static func value(_ index: Int, for value: StorageValue) -> StorageValue? {
    switch value {
    case .null: nil
    case .integer: .integer(firstInteger + Int64(index))
    case .real(let real): real.isNaN ? nil : .real(Double(bitPattern: firstReal + UInt64(index)))
    case .text: (try? value.asNumber()) == value ? .text(textStart + String(index)) : nil
    case .blob: .blob(withUnsafeBytes(of: (firstInteger, Int64(index))) { Data($0) })
    }
  }

  /// The index of the value that a stand-in replaces; nil for all other values.
  static func index(of value: StorageValue) -> Int? {
    switch value {
    case .null: return nil
    case .integer(let integer):
      let (index, overflows) = integer.subtractingReportingOverflow(firstInteger)
      return !overflows && (0..<Int64(greatestCount)).contains(index) ? Int(index) : nil
    case .real(let real):
      let index = real.bitPattern &- firstReal
      return index < UInt64(greatestCount) ? Int(index) : nil
    case .text(let text):
      return text.utf8.starts(with: textStart.utf8) ? Int(text.dropFirst(textStart.count)) : nil
    case .blob(let blob):
      guard blob.count == 16 else { return nil }
      let (first, index) = blob.withUnsafeBytes { bytes in
        (bytes.loadUnaligned(as: Int64.self), bytes.loadUnaligned(fromByteOffset: 8, as: Int64.self))
      }
      return first == firstInteger && (0..<Int64(greatestCount)).contains(index) ? Int(index) : nil
    }
  }

  /// The value that a stand-in replaces; any other value unchanged.
  fileprivate static func filled(_ value: StorageValue, _ values: [StorageValue]) -> StorageValue {
    guard let index = index(of: value), values.indices.contains(index) else { return value }
    return values[index]
  }
}

extension SelectStatement {
  /// The form of the statement, and the compared values of its condition.
  var separated: (form: SelectStatement, values: [StorageValue]) {
    guard let condition else { return (self, []) }
    var form = self
    var values: [StorageValue] = []
    form.condition = condition.mapComparedValues { value in
      guard values.count < StandIn.greatestCount, let standIn = StandIn.value(values.count, for: value) else {
        return value
      }
      values.append(value)
      return standIn
    }
    return (form, values)
  }

  /// The statement of a form with values.
  func filled(_ values: [StorageValue]) -> SelectStatement {
    if values.isEmpty { return self }
    var statement = self
    statement.condition = condition?.filled(values)
    return statement
  }
}

extension Term {
  /// The condition of a form with values.
  func filled(_ values: [StorageValue]) -> Term {
    values.isEmpty ? self : mapComparedValues { StandIn.filled($0, values) }
  }

  /// The condition with its compared values transformed.
  fileprivate func mapComparedValues(_ transform: (StorageValue) -> StorageValue) -> Term {
    switch self {
    case .binary(let op, let lhs, let rhs) where op == .and || op == .or:
      return .binary(op, lhs.mapComparedValues(transform), rhs.mapComparedValues(transform))
    case .unary(.not, let operand):
      return .unary(.not, operand.mapComparedValues(transform))
    case .binary(let op, let operand, .constant(let value)) where op.isComparison:
      return .binary(op, operand, .constant(transform(value)))
    case .binary(let op, .constant(let value), let operand) where op.isComparison:
      return .binary(op, .constant(transform(value)), operand)
    default: return self
    }
  }
}

extension SQLStatement {
  /// The statement of a form with values.
  func filled(_ values: [StorageValue]) -> SQLStatement {
    values.isEmpty ? self : SQLStatement(sql: sql, arguments: arguments.filled(values))
  }
}

extension [StorageValue] {
  /// The arguments of a form's statement with values.
  func filled(_ values: [StorageValue]) -> [StorageValue] {
    values.isEmpty ? self : map { StandIn.filled($0, values) }
  }
}
