public import Foundation

/// A day of the calendar, without a time and without a time zone: the 23rd of November 2026.
///
/// Stored as the integer number of days since 1970-01-01, so that days sort by time. The calendar is the proleptic Gregorian one; a day has
/// other names in other calendars and is the same day.
public struct LocalDay: Hashable, Sendable {
  /// How many days after 1970-01-01 it is, or before it if negative.
  public let daysSince1970: Int

  public init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// The day with a date; nil where there is none, as for the 30th of February. Years run from -9999 to 9999, the year 0 is before 1.
  public init?(year: Int, month: Int, day: Int) {
    guard (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    // The 30th of February would be counted as a day of March.
    guard CivilTime.civil(fromDays: days).day == day else { return nil }
    daysSince1970 = days
  }

  /// The day that it is at an instant in a time zone; nil for instants more than 31 million years from now.
  ///
  /// Exact from 1900 to 2100. Earlier days use the zone's first offset in this period; later days use its last.
  public init?(of date: Date, in zone: TimeZone) {
    guard let days = ZoneOffsets.of(zone).day(of: .real(date.timeIntervalSinceReferenceDate), as: .secondsSince2001)
    else {
      return nil
    }
    daysSince1970 = Int(days)
  }

  private var civil: (year: Int, month: Int, day: Int) { CivilTime.civil(fromDays: daysSince1970) }

  /// The year of the day in the Gregorian calendar.
  public var year: Int { civil.year }
  /// From 1 to 12.
  public var month: Int { civil.month }
  /// From 1 to 31.
  public var day: Int { civil.day }

  /// The instants at which it is this day in a time zone: from its first to before its last. Empty for a day that the zone skipped, as Apia
  /// did the 30th of December 2011.
  ///
  /// Where a clock was set back shortly after midnight the day before came again, and the range holds those minutes of another day, too:
  /// `$0.dueAt.day(in: zone) == day` doesn't. Exact as ``init(of:in:)``.
  public func range(in zone: TimeZone) -> Range<Date> {
    func date(_ seconds: Int64) -> Date {
      Date(timeIntervalSinceReferenceDate: Double(seconds - InstantForm.secondsFrom1970To2001))
    }
    let offsets = ZoneOffsets.of(zone)
    let spans = offsets.spans(of: Int64(daysSince1970))
    guard let first = spans.first, let last = spans.last else {
      let next = offsets.spans(of: Int64(daysSince1970) + 1).first?.lowerBound ?? Int64(daysSince1970) * 86_400
      return date(next)..<date(next)
    }
    return date(first.lowerBound)..<date(last.upperBound)
  }
}

extension LocalDay: Comparable {
  public static func < (lhs: LocalDay, rhs: LocalDay) -> Bool { lhs.daysSince1970 < rhs.daysSince1970 }
}

extension LocalDay: Strideable {
  public func distance(to other: LocalDay) -> Int { other.daysSince1970 - daysSince1970 }
  public func advanced(by days: Int) -> LocalDay { LocalDay(daysSince1970: daysSince1970 + days) }
}

extension LocalDay: CustomStringConvertible {
  /// As ISO 8601 writes it: 2026-11-23.
  public var description: String {
    let (year, month, day) = civil
    func pad(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
    return "\(year < 0 ? "-" : "")\(pad(abs(year), 4))-\(pad(month, 2))-\(pad(day, 2))"
  }
}

/// As the text of its description.
extension LocalDay: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    let isNegative = text.hasPrefix("-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      let value = LocalDay(year: isNegative ? -year : year, month: month, day: day)
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "a day is a text such as 2026-11-23")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension LocalDay: SortableColumnValue {
  public static var columnType: ColumnType { .integer }

  public static func encode(_ value: LocalDay) throws -> StorageValue {
    .integer(Int64(value.daysSince1970))
  }

  public static func decode(_ stored: StorageValue) throws -> LocalDay {
    LocalDay(daysSince1970: try Int.decode(stored))
  }
}
