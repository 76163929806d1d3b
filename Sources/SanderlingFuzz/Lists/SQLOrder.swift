import Sanderling

/// SQLite's sort order of values, written a second time so that neither its indexes nor the library's comparison
/// decide.
enum SQLOrder {
  /// - Returns: Less than 0 if `lhs` comes before `rhs`; 0 if SQLite treats them as equal.
  static func compare(_ lhs: StorageValue, _ rhs: StorageValue, _ collation: Collation) -> Int {
    switch (lhs, rhs) {
    case (.text(let lhs), .text(let rhs)): compare(lhs, rhs, collation)
    case (.blob(let lhs), .blob(let rhs)): compare(Array(lhs), Array(rhs))
    case (.integer(let lhs), .integer(let rhs)): lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    case (.real(let lhs), .real(let rhs)): lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    case (.integer(let lhs), .real(let rhs)): compare(lhs, rhs)
    case (.real(let lhs), .integer(let rhs)): -compare(rhs, lhs)
    default: storageClass(lhs) - storageClass(rhs)
    }
  }

  private static func storageClass(_ value: StorageValue) -> Int {
    switch value {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func compare(_ integer: Int64, _ real: Double) -> Int {
    if real >= 0x1p63 { return -1 }
    if real < -0x1p63 { return 1 }
    let whole = Int64(real)
    if integer != whole { return integer < whole ? -1 : 1 }
    let rest = real - Double(whole)
    return rest > 0 ? -1 : rest < 0 ? 1 : 0
  }

  private static func compare(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    for (lhs, rhs) in zip(lhs, rhs) where lhs != rhs { return lhs < rhs ? -1 : 1 }
    return lhs.count - rhs.count
  }

  /// NOCASE compares up to the first NUL character only, and then the lengths.
  private static func compareFolded(_ lhs: [UInt8], _ rhs: [UInt8]) -> Int {
    func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
    for (lhs, rhs) in zip(lhs, rhs) {
      if folded(lhs) != folded(rhs) { return folded(lhs) < folded(rhs) ? -1 : 1 }
      if lhs == 0 { break }
    }
    return lhs.count - rhs.count
  }

  private static func compare(_ lhs: String, _ rhs: String, _ collation: Collation) -> Int {
    var (lhs, rhs) = (Array(lhs.utf8), Array(rhs.utf8))
    switch collation {
    case .nocase: return compareFolded(lhs, rhs)
    case .rtrim:
      while lhs.last == 32 { lhs.removeLast() }
      while rhs.last == 32 { rhs.removeLast() }
      return compare(lhs, rhs)
    case .binary: return compare(lhs, rhs)
    }
  }
}

extension Term {
  /// The collation that SQLite uses to compare the term.
  var ownCollation: Collation {
    switch self {
    case .column(let column): column.definition.collation
    case .collate(_, let collation): collation
    default: .binary
    }
  }

  /// Whether SQLite treats two values of the term as equal.
  func isEqual(_ lhs: StorageValue, _ rhs: StorageValue) -> Bool {
    if case .summary(_, let argument?) = self { return argument.isEqual(lhs, rhs) }
    return lhs == rhs || SQLOrder.compare(lhs, rhs, ownCollation) == 0
  }
}
