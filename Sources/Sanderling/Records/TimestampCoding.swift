public import Foundation

/// A coding of dates that SQL can write too, so that triggers can set a column with it: see ``ColumnTouch``.
///
/// `Date` itself and all of the library's codings of dates conform.
nonisolated public protocol TimestampCoding: ColumnCoding where Value == Date {
  /// An SQL expression for the current time in the coding's form, for every version of SQLite that the app runs with.
  static var currentTimeSQL: String { get }
}

/// The milliseconds since 1970, in SQL. SQLite's clock has no finer unit. The product is off by less than 0.03 ms, and
/// so rounds to the exact number.
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
