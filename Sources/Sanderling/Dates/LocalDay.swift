public import Foundation

/// A day of the calendar, without a time and without a time zone: the 23rd of November 2026.
///
/// A column stores the number of days since 1970-01-01, so that days sort by time. Dates are in the proleptic Gregorian
/// calendar. The same day has other names in other calendars.
public struct LocalDay: Hashable, Sendable {
  /// The number of days since 1970-01-01; negative before it.
  public let daysSince1970: Int

  public init(daysSince1970: Int) {
    self.daysSince1970 = daysSince1970
  }

  /// Creates the day of a date. Nil if no such day exists, such as the 30th of February.
  ///
  /// Years run from -9999 to 9999. The year 0 comes before the year 1.
  public init?(year: Int, month: Int, day: Int) {
    guard (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    let days = CivilTime.days(year: year, month: month, day: day)
    // `CivilTime` counts the 30th of February as a day of March.
    guard CivilTime.civil(fromDays: days).day == day else { return nil }
    daysSince1970 = days
  }

  /// Creates the day of an instant in a time zone. Nil for instants more than 31 million years from now.
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

  /// The instants from the beginning to the end of the day in a time zone.
  ///
  /// The range is empty for a day that the zone skipped, as Apia skipped the 30th of December 2011.
  ///
  /// If a clock was set back shortly after midnight, some minutes of the previous day came again. The range contains
  /// these minutes; the condition `$0.dueAt.day(in: zone) == day` excludes them. As exact as ``init(of:in:)``.
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

extension LocalDay: LosslessStringConvertible {
  /// Creates the day that a text names in ISO 8601: `LocalDay("2026-11-23")`. Nil for other texts, and for days that do
  /// not exist.
  public init?(_ description: String) {
    let isNegative = description.hasPrefix("-")
    let parts = description.dropFirst(isNegative ? 1 : 0).split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
    else { return nil }
    self.init(year: isNegative ? -year : year, month: month, day: day)
  }

  /// The day in ISO 8601: 2026-11-23.
  public var description: String {
    let (year, month, day) = civil
    func pad(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }
    return "\(year < 0 ? "-" : "")\(pad(abs(year), 4))-\(pad(month, 2))-\(pad(day, 2))"
  }
}

/// Encodes a day as its description.
extension LocalDay: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = LocalDay(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the value is no day: a day is a text such as 2026-11-23")
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
