import Foundation
public import struct Foundation.Data

/// A value as SQLite stores it.
///
/// Equality and hashing use the stored form. Texts are compared by their UTF-8 bytes, so that the composed and the
/// decomposed "é" differ. An integer never equals a real, and `-0.0` differs from `0.0`. SQL's own comparison differs:
/// there `1 = 1.0`.
public enum StorageValue: Sendable {
  /// NULL.
  case null
  /// An integer of 64 bits.
  case integer(Int64)
  /// A floating-point number of 64 bits.
  case real(Double)
  /// A text in UTF-8.
  case text(String)
  /// Bytes.
  case blob(Data)
}

extension StorageValue: Hashable {
  public static func == (lhs: StorageValue, rhs: StorageValue) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.integer(let lhs), .integer(let rhs)): lhs == rhs
    case (.real(let lhs), .real(let rhs)): lhs.bitPattern == rhs.bitPattern
    // Swift's own `==` of strings is canonical equivalence, which SQLite doesn't know.
    case (.text(let lhs), .text(let rhs)): lhs.utf8.elementsEqual(rhs.utf8)
    case (.blob(let lhs), .blob(let rhs)): lhs == rhs
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null:
      hasher.combine(0)
    case .integer(let value):
      hasher.combine(1)
      hasher.combine(value)
    case .real(let value):
      hasher.combine(2)
      hasher.combine(value.bitPattern)
    case .text(var value):
      hasher.combine(3)
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .blob(let value):
      hasher.combine(4)
      hasher.combine(value)
    }
  }
}

extension StorageValue {
  /// Whether this is SQL's NULL.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The name that SQLite's `typeof()` gives to the value's storage class.
  public var storageClassName: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    }
  }
}
