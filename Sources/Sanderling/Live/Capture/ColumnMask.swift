/// A set of a table's columns. Columns from the 64th on count as one.
struct ColumnMask: Hashable, Sendable {
  private var bits: UInt64

  init(_ columns: some Sequence<Int>) {
    bits = columns.reduce(0) { $0 | 1 << UInt64(min($1, 63)) }
  }

  private init(bits: UInt64) {
    self.bits = bits
  }

  static let all = ColumnMask(bits: .max)

  var isEmpty: Bool { bits == 0 }

  func isDisjoint(with other: ColumnMask) -> Bool { bits & other.bits == 0 }
}
