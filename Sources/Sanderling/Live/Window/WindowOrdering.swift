import Foundation

/// The order of a window's rows: that of SQLite's ORDER BY, by values that were read.
struct WindowOrdering: Sendable {
  private struct Key {
    let collation: Collation
    let isDescending: Bool
    let putsNullsLast: Bool

    init(_ ordering: Ordering) {
      collation = ordering.term.comparisonCollation ?? .binary
      isDescending = ordering.isDescending
      putsNullsLast = ordering.putsNullsLast
    }

    func order(_ lhs: StorageValue, _ rhs: StorageValue) -> ComparisonResult {
      order(lhs.isNull, rhs.isNull) { SQLiteComparison.order(lhs, rhs, collation: collation) }
    }

    func order(_ lhs: EncodedValue, _ rhs: EncodedValue) -> ComparisonResult {
      order(lhs.isNull, rhs.isNull) { lhs.order(rhs, collation: collation) }
    }

    private func order(
      _ isLeftNull: Bool, _ isRightNull: Bool, _ ascending: () -> ComparisonResult
    ) -> ComparisonResult {
      if isLeftNull != isRightNull { return isLeftNull == putsNullsLast ? .orderedDescending : .orderedAscending }
      let order = ascending()
      return isDescending ? order.reversed : order
    }
  }

  private let keys: [Key]
  /// The number of sort values before the key.
  let valueCount: Int

  /// - Parameters:
  ///   - orderings: The orderings of the rows, with the key at the end.
  ///   - keyCount: The number of the key's values.
  init(_ orderings: [Ordering], keyCount: Int) {
    keys = orderings.map(Key.init)
    valueCount = orderings.count - keyCount
  }

  /// Whether a row with the first sort key comes after a row with the second sort key.
  func isAfter(_ lhs: [StorageValue], _ rhs: [StorageValue]) -> Bool {
    for (key, (lhs, rhs)) in zip(keys, zip(lhs, rhs)) {
      let order = key.order(lhs, rhs)
      if order != .orderedSame { return order == .orderedDescending }
    }
    return false
  }

  /// The order of two rows. O(values), and O(bytes) in texts and blobs.
  func order(_ lhs: StampEncoding, _ rhs: StampEncoding) -> ComparisonResult {
    let order = order(lhs.sortValues, rhs.sortValues, by: keys[..<valueCount])
    return order == .orderedSame ? self.order(lhs.key, rhs.key, by: keys[valueCount...]) : order
  }

  private func order(
    _ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer, by keys: ArraySlice<Key>
  ) -> ComparisonResult {
    var (left, right) = (ValueDecoder(lhs), ValueDecoder(rhs))
    for key in keys {
      guard let lhs = left.next(), let rhs = right.next() else { break }
      let order = key.order(lhs, rhs)
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }
}

extension EncodedValue {
  fileprivate var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// SQLite's order of encoded values, like ``SQLiteComparison/order(_:_:collation:)`` for values.
  fileprivate func order(_ other: EncodedValue, collation: Collation) -> ComparisonResult {
    switch (self, other) {
    case (.text(let lhs), .text(let rhs)): collation.order(lhs, rhs)
    case (.blob(let lhs), .blob(let rhs)): Collation.binary.order(lhs, rhs)
    default: SQLiteComparison.order(withoutContent, other.withoutContent)
    }
  }

  /// The value, or an empty text or blob for a text or blob. It has the same order among values of other storage
  /// classes.
  private var withoutContent: StorageValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text: .text("")
    case .blob: .blob(Data())
    }
  }
}
