import Foundation
import Sanderling

extension Double {
  /// The double for a decimal, if it prints as the same number with as many digits, so that no digit of the decimal is
  /// lost. O(bytes).
  ///
  /// - Parameter decimal: A number in JSON's notation.
  /// - Returns: Nil for more digits than a double has, and beyond its range.
  init?(exact decimal: String) {
    guard let value = Double(decimal: decimal), value.isFinite else { return nil }
    // 15 digits always survive, except near zero.
    if decimal.utf8.count <= 15, value.isNormal {
      self = value
      return
    }
    let digits = Self.digits(of: decimal)
    guard digits.count > 15 || !value.isNormal else {
      self = value
      return
    }
    guard digits.count <= 17, value != 0 || digits.isEmpty else { return nil }
    let isSame =
      digits == Self.digits(of: value.description)
      || digits == Self.digits(of: String(format: "%.\(Swift.max(digits.count, 1) - 1)e", value))
    guard isSame else { return nil }
    self = value
  }

  /// The significant digits, without zeros at the end.
  private static func digits(of decimal: String) -> [UInt8] {
    var digits = decimal.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (48...57).contains($0) }
    while digits.last == 48 { digits.removeLast() }
    return Array(digits.drop { $0 == 48 })
  }
}
