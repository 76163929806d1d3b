public import Foundation

/// A coding of dates that SQL can write too, so that triggers keep a column with it: see ``ColumnTouch``.
///
/// `Date` itself and all codings of dates that come with the library are such.
nonisolated public protocol TimestampCoding: ColumnCoding where Value == Date {
  /// An SQL expression that gives the current time as the coding stores it, at every version of SQLite that the app runs with.
  static var currentTimeSQL: String { get }
}

/// The milliseconds since 1970. SQLite's clock has no more digits; the product is off by less than 0.03 of them.
private let milliseconds = "CAST(round((julianday('now') - 2440587.5) * 86400000.0) AS INTEGER)"

extension Date: TimestampCoding {
  public static var currentTimeSQL: String { "((\(milliseconds) - 978307200000) / 1000.0)" }
}

extension DateTextCoding: TimestampCoding {
  public static var currentTimeSQL: String { "strftime('%Y-%m-%d %H:%M:%f', 'now')" }
}

extension ISO8601Coding: TimestampCoding {
  public static var currentTimeSQL: String { "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')" }
}

extension UnixSecondsCoding: TimestampCoding {
  public static var currentTimeSQL: String { "(\(milliseconds) / 1000.0)" }
}

extension UnixMillisecondsCoding: TimestampCoding {
  public static var currentTimeSQL: String { milliseconds }
}
