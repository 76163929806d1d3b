import Foundation

/// The three [built-in collations](https://www.sqlite.org/datatype3.html#collating_sequences), on the bytes of UTF-8.
extension Collation {
  func order(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> ComparisonResult {
    switch self {
    case .binary: Self.binaryOrder(lhs, rhs)
    case .nocase: Self.nocaseOrder(lhs, rhs)
    case .rtrim: Self.binaryOrder(lhs.withoutTrailingSpaces, rhs.withoutTrailingSpaces)
    }
  }

  /// A key that is identical for exactly those texts that the collation considers equal.
  func equalityKey(_ text: String) -> String {
    switch self {
    case .binary:
      return text
    case .nocase:
      guard let end = text.utf8.firstIndex(of: 0) else { return text.asciiLowercased }
      // Behind a NUL character only the length counts: see `nocaseOrder`.
      return "\(String(text[..<end]).asciiLowercased)\0\(text.utf8.count)"
    case .rtrim:
      var utf8 = text.utf8[...]
      while utf8.last == UInt8(ascii: " ") { utf8.removeLast() }
      return String(Substring(utf8))
    }
  }

  private static func binaryOrder(
    _ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer
  ) -> ComparisonResult {
    let count = min(lhs.count, rhs.count)
    if count > 0, let left = lhs.baseAddress, let right = rhs.baseAddress {
      let difference = memcmp(left, right, count)
      if difference != 0 { return ComparisonResult(difference, 0) }
    }
    return ComparisonResult(lhs.count, rhs.count)
  }

  /// Compares as `sqlite3StrNICmp`, which stops at a NUL character. Texts that are equal up to it are compared by their
  /// lengths.
  private static func nocaseOrder(
    _ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer
  ) -> ComparisonResult {
    for index in 0..<min(lhs.count, rhs.count) {
      let left = lhs[index].lowercasedASCII
      let right = rhs[index].lowercasedASCII
      if left != right { return ComparisonResult(left, right) }
      if left == 0 { break }
    }
    return ComparisonResult(lhs.count, rhs.count)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate var withoutTrailingSpaces: UnsafeRawBufferPointer {
    var count = count
    while count > 0, self[count - 1] == UInt8(ascii: " ") { count -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[..<count])
  }
}
