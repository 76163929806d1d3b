import Foundation

/// The comparison of stored values in SQLite: NULL, then numbers, then texts, then blobs.
///
/// See [Comparison Expressions](https://www.sqlite.org/datatype3.html#comparison_expressions). Values are compared
/// unchanged; ``ComparisonRule`` defines the conversions before a comparison.
package enum SQLiteComparison {
  /// The total order of values in SQLite's sorting. NULLs are equal.
  ///
  /// O(1) for numbers, O(bytes) for texts and blobs.
  package static func order(
    _ lhs: StorageValue, _ rhs: StorageValue, collation: Collation = .binary
  ) -> ComparisonResult {
    switch (lhs, rhs) {
    case (.integer(let lhs), .integer(let rhs)): ComparisonResult(lhs, rhs)
    case (.text(let lhs), .text(let rhs)): order(lhs, rhs, collation: collation)
    // -0.0 equals 0.0, and a database contains no NaN.
    case (.real(let lhs), .real(let rhs)): ComparisonResult(lhs, rhs)
    case (.integer(let lhs), .real(let rhs)): order(lhs, rhs)
    case (.real(let lhs), .integer(let rhs)): order(rhs, lhs).reversed
    case (.blob(let lhs), .blob(let rhs)):
      lhs.withUnsafeBytes { lhs in rhs.withUnsafeBytes { rhs in Collation.binary.order(lhs, rhs) } }
    case (.null, .null): .orderedSame
    default: ComparisonResult(lhs.classRank, rhs.classRank)
    }
  }

  /// The result of a comparison operator; nil if it is unknown.
  ///
  /// `IS` and `IS NOT` are never unknown. Other operators are unknown if an operand is NULL.
  ///
  /// - Precondition: `op` is a comparison.
  package static func holds(
    _ op: BinaryOperator, _ lhs: StorageValue, _ rhs: StorageValue, collation: Collation = .binary
  ) -> Bool? {
    if lhs.isNull || rhs.isNull {
      switch op {
      case .is: return lhs.isNull && rhs.isNull
      case .isNot: return !(lhs.isNull && rhs.isNull)
      default: return nil
      }
    }
    let order = order(lhs, rhs, collation: collation)
    switch op {
    case .equal, .is: return order == .orderedSame
    case .notEqual, .isNot: return order != .orderedSame
    case .less: return order == .orderedAscending
    case .lessOrEqual: return order != .orderedDescending
    case .greater: return order == .orderedDescending
    case .greaterOrEqual: return order != .orderedAscending
    default: preconditionFailure("\(op.rawValue) is no comparison")
    }
  }

  /// A key that is identical for exactly those values that SQLite considers equal: 1 and 1.0 have the same key.
  package static func equalityKey(_ value: StorageValue, collation: Collation) -> StorageValue {
    switch value {
    case .real(let real): Int64(exactly: real).map(StorageValue.integer) ?? value
    case .text(let text): .text(collation.equalityKey(text))
    case .null, .integer, .blob: value
    }
  }

  /// Compares an integer with a real without losing bits in a conversion.
  ///
  /// SQLite does the same in `sqlite3IntFloatCompare`: 2^53 + 1 is greater than 2^53 as a real.
  private static func order(_ integer: Int64, _ real: Double) -> ComparisonResult {
    if real >= 0x1p63 { return .orderedAscending }
    if real < -0x1p63 { return .orderedDescending }
    let truncated = Int64(real)
    if integer != truncated { return ComparisonResult(integer, truncated) }
    // A real with a fraction is below 2^53, so that the comparison is exact.
    return ComparisonResult(Double(truncated), real)
  }

  private static func order(_ lhs: String, _ rhs: String, collation: Collation) -> ComparisonResult {
    var lhs = lhs
    var rhs = rhs
    return lhs.withUTF8 { lhs in
      rhs.withUTF8 { rhs in collation.order(UnsafeRawBufferPointer(lhs), UnsafeRawBufferPointer(rhs)) }
    }
  }
}

extension ComparisonResult {
  init<Value: Comparable>(_ lhs: Value, _ rhs: Value) {
    self = lhs < rhs ? .orderedAscending : lhs == rhs ? .orderedSame : .orderedDescending
  }

  var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

extension StorageValue {
  /// Integers and reals are one class: numbers.
  fileprivate var classRank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }
}
