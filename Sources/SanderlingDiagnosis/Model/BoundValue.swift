/// A value as SQLite stores and binds it.
public enum BoundValue: Sendable {
  /// NULL.
  case null
  /// An integer of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits.
  case real(Double)
  /// A text.
  case text(String)
  /// Bytes.
  case blob([UInt8])
}

/// Texts are equal if their bytes are, as in SQLite. Swift's own equality finds the composed and the decomposed "é"
/// equal, which would merge two groups of rows.
extension BoundValue: Hashable {
  public static func == (one: BoundValue, other: BoundValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.blob(let one), .blob(let other)): one == other
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(2)
      hasher.combine(value)
    case .text(var value):
      hasher.combine(3)
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let value):
      hasher.combine(4)
      hasher.combine(value)
    }
  }
}
