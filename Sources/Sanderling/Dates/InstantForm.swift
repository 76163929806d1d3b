import Foundation

/// How a column stores instants as numbers, for what SQL calculates with them.
package enum InstantForm: Int64, Sendable {
  case secondsSince2001
  case secondsSince1970
  case millisecondsSince1970

  /// How much later 2001-01-01 is than 1970-01-01, in UTC.
  static let secondsFrom1970To2001: Int64 = 978_307_200

  var unitsPerSecond: Int64 { self == .millisecondsSince1970 ? 1000 : 1 }

  /// The second since 1970 that is stored as 0.
  var epoch: Int64 { self == .secondsSince2001 ? Self.secondsFrom1970To2001 : 0 }

  /// What is stored of the beginning of a second since 1970, as a whole number.
  func stored(_ second: Int64) -> Int64 { (second - epoch) * unitsPerSecond }

  /// The same as columns hold it.
  func storageValue(_ second: Int64) -> StorageValue {
    self == .millisecondsSince1970 ? .integer(stored(second)) : .real(Double(stored(second)))
  }
}

/// A coding that stores instants as numbers.
protocol InstantCoding {
  static var instantForm: InstantForm { get }
}

extension Date: InstantCoding {
  static var instantForm: InstantForm { .secondsSince2001 }
}

extension UnixSecondsCoding: InstantCoding {
  static var instantForm: InstantForm { .secondsSince1970 }
}

extension UnixMillisecondsCoding: InstantCoding {
  static var instantForm: InstantForm { .millisecondsSince1970 }
}

extension Optional: InstantCoding where Wrapped: InstantCoding {
  static var instantForm: InstantForm { Wrapped.instantForm }
}

extension OptionalCoding: InstantCoding where Wrapped: InstantCoding {
  static var instantForm: InstantForm { Wrapped.instantForm }
}

extension UnwrappedCoding: InstantCoding where Base: InstantCoding {
  static var instantForm: InstantForm { Base.instantForm }
}
