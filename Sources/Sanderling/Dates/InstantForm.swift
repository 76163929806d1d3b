import Foundation

/// The numeric form in which a column stores instants, for calculations in SQL.
package enum InstantForm: Int64, Sendable {
  case secondsSince2001
  case secondsSince1970
  case millisecondsSince1970

  /// The seconds from 1970-01-01 to 2001-01-01, in UTC.
  static let secondsFrom1970To2001: Int64 = 978_307_200

  var unitsPerSecond: Int64 { self == .millisecondsSince1970 ? 1000 : 1 }

  /// The second since 1970 for which a column stores 0.
  var epoch: Int64 { self == .secondsSince2001 ? Self.secondsFrom1970To2001 : 0 }

  /// The stored number for the beginning of a second since 1970.
  func stored(_ second: Int64) -> Int64 { (second - epoch) * unitsPerSecond }

  /// The stored value for the beginning of a second since 1970.
  func storageValue(_ second: Int64) -> StorageValue {
    self == .millisecondsSince1970 ? .integer(stored(second)) : .real(Double(stored(second)))
  }
}

/// A coding whose stored values sort by time.
protocol InstantBoundCoding {
  /// A value that sorts after all instants before the given second since 1970, and not after the other instants.
  static func bound(_ second: Int64) throws -> StorageValue
}

/// A coding that stores instants as numbers.
protocol InstantCoding: InstantBoundCoding {
  static var instantForm: InstantForm { get }
}

extension InstantCoding {
  static func bound(_ second: Int64) -> StorageValue { instantForm.storageValue(second) }
}

/// A coding that stores instants as texts in UTC, from the year to the second or a fraction of it. Texts of other
/// writers may end with the day, the minute or the second.
private protocol InstantTextCoding: InstantBoundCoding, ColumnCoding where Value == Date {}

extension InstantTextCoding {
  static func bound(_ second: Int64) throws -> StorageValue {
    guard case .text(let text) = try encode(Date(timeIntervalSince1970: Double(second))) else { return .null }
    // Leaves out the parts that are 0, since a text without them sorts before texts with them.
    let longest =
      second % 86_400 == 0 ? "2026-11-23" : second % 60 == 0 ? "2026-11-23 08:30" : "2026-11-23 08:30:00"
    return .text(String(text.prefix(longest.count)))
  }
}

extension DateTextCoding: InstantTextCoding {}
extension ISO8601Coding: InstantTextCoding {}

extension Date: InstantCoding {
  static var instantForm: InstantForm { .secondsSince2001 }
}

extension UnixSecondsCoding: InstantCoding {
  static var instantForm: InstantForm { .secondsSince1970 }
}

extension UnixMillisecondsCoding: InstantCoding {
  static var instantForm: InstantForm { .millisecondsSince1970 }
}

extension Optional: InstantBoundCoding where Wrapped: InstantBoundCoding {
  static func bound(_ second: Int64) throws -> StorageValue { try Wrapped.bound(second) }
}

extension Optional: InstantCoding where Wrapped: InstantCoding {
  static var instantForm: InstantForm { Wrapped.instantForm }
}

extension OptionalCoding: InstantBoundCoding where Wrapped: InstantBoundCoding {
  static func bound(_ second: Int64) throws -> StorageValue { try Wrapped.bound(second) }
}

extension OptionalCoding: InstantCoding where Wrapped: InstantCoding {
  static var instantForm: InstantForm { Wrapped.instantForm }
}

extension UnwrappedCoding: InstantBoundCoding where Base: InstantBoundCoding {
  static func bound(_ second: Int64) throws -> StorageValue { try Base.bound(second) }
}

extension UnwrappedCoding: InstantCoding where Base: InstantCoding {
  static var instantForm: InstantForm { Base.instantForm }
}
