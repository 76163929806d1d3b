import Foundation

/// A range of values in SQLite's order, in which NULL comes first.
struct RouteRange: Hashable, Sendable {
  /// An end of the range.
  struct End: Hashable, Sendable {
    let value: StorageValue
    let isIncluded: Bool
  }

  /// The lower end; nil when the range begins before all values, including NULL.
  var lower: End?
  /// The upper end; nil when the range ends after all values.
  var upper: End?

  /// The values that satisfy a comparison with a constant. NULL is never among them.
  ///
  /// - Returns: Nil for comparisons whose values are no range.
  init?(_ op: BinaryOperator, _ constant: StorageValue) {
    switch op {
    case .less: self.init(lower: .afterNull, upper: End(value: constant, isIncluded: false))
    case .lessOrEqual: self.init(lower: .afterNull, upper: End(value: constant, isIncluded: true))
    case .greater: self.init(lower: End(value: constant, isIncluded: false), upper: nil)
    case .greaterOrEqual: self.init(lower: End(value: constant, isIncluded: true), upper: nil)
    default: return nil
    }
  }

  init(lower: End?, upper: End?) {
    self.lower = lower
    self.upper = upper
  }

  /// The values in both ranges.
  func intersection(_ other: RouteRange, _ collation: Collation) -> RouteRange {
    RouteRange(
      lower: Self.orderOfLowers(lower, other.lower, collation) == .orderedAscending ? other.lower : lower,
      upper: Self.orderOfUppers(upper, other.upper, collation) == .orderedDescending ? other.upper : upper)
  }

  func isEmpty(_ collation: Collation) -> Bool {
    guard let lower, let upper else { return false }
    switch SQLiteComparison.order(lower.value, upper.value, collation: collation) {
    case .orderedAscending: return false
    case .orderedSame: return !(lower.isIncluded && upper.isIncluded)
    case .orderedDescending: return true
    }
  }

  /// Whether the range is bounded on both sides. A lower end that excludes only NULL is no bound.
  var isClosed: Bool { upper != nil && lower != nil && lower != .afterNull }
}

extension RouteRange.End {
  static let afterNull = RouteRange.End(value: .null, isIncluded: false)
}

// MARK: - Order of the ends

extension RouteRange {
  /// Whether the range begins after the value.
  func beginsAfter(_ value: StorageValue, _ collation: Collation) -> Bool {
    guard let lower else { return false }
    let order = SQLiteComparison.order(value, lower.value, collation: collation)
    return order == .orderedAscending || order == .orderedSame && !lower.isIncluded
  }

  /// Whether the range ends before the value.
  func endsBefore(_ value: StorageValue, _ collation: Collation) -> Bool {
    guard let upper else { return false }
    let order = SQLiteComparison.order(value, upper.value, collation: collation)
    return order == .orderedDescending || order == .orderedSame && !upper.isIncluded
  }

  static func orderOfLowers(_ lhs: End?, _ rhs: End?, _ collation: Collation) -> ComparisonResult {
    guard let lhs, let rhs else { return ComparisonResult(lhs == nil ? 0 : 1, rhs == nil ? 0 : 1) }
    let order = SQLiteComparison.order(lhs.value, rhs.value, collation: collation)
    return order == .orderedSame ? ComparisonResult(lhs.isIncluded ? 0 : 1, rhs.isIncluded ? 0 : 1) : order
  }

  static func orderOfUppers(_ lhs: End?, _ rhs: End?, _ collation: Collation) -> ComparisonResult {
    guard let lhs, let rhs else { return ComparisonResult(lhs == nil ? 1 : 0, rhs == nil ? 1 : 0) }
    let order = SQLiteComparison.order(lhs.value, rhs.value, collation: collation)
    return order == .orderedSame ? ComparisonResult(lhs.isIncluded ? 1 : 0, rhs.isIncluded ? 1 : 0) : order
  }
}
