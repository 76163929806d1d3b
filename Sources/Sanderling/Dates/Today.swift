public import Foundation

/// The current day in a user's calendar, which defines its week, month, year and weekend.
public struct Today: Hashable, Sendable {
  /// The day itself.
  public let day: LocalDay
  /// The user's calendar. Its time zone defines when days begin, and its first weekday when weeks begin.
  public let calendar: Calendar

  /// Creates a current day from a day and a calendar.
  public init(_ day: LocalDay, calendar: Calendar = .current) {
    self.day = day
    self.calendar = calendar
  }

  /// Creates the current day from an instant, in the calendar's time zone.
  ///
  /// An instant more than 31 million years away is replaced by the nearest instant within this limit.
  public init(at date: Date = Date(), calendar: Calendar = .current) {
    let limit = Double(ZoneOffsets.limit - 1) - Double(InstantForm.secondsFrom1970To2001)
    let seconds = min(max(date.timeIntervalSinceReferenceDate, -limit), limit)
    day =
      LocalDay(of: Date(timeIntervalSinceReferenceDate: seconds), in: calendar.timeZone) ?? LocalDay(daysSince1970: 0)
    self.calendar = calendar
  }

  /// The instant at which the next day begins.
  var end: Date { day.advanced(by: 1).range(in: calendar.timeZone).lowerBound }
}

/// Days relative to today, such as this week, tomorrow or the next seven days.
///
/// ```swift
/// let today = Today()
/// let urgent = TodoTask.where { $0.dueAt.in(.overdue, from: today) || $0.dueAt.in(.next(days: 3), from: today) }
/// ```
///
/// The calendar defines the first weekday, the months and the years. Its locale defines the days of a weekend.
public struct DayPeriod: Hashable, Sendable {
  private enum Kind: Hashable {
    case relative(from: Int, count: Int)
    case before
    case week(Int)
    case unit(Calendar.Component, Int)
    case weekend(Int)
    case days(Range<LocalDay>)
  }

  private let kind: Kind

  /// The current day.
  public static let today = DayPeriod(kind: .relative(from: 0, count: 1))
  /// The day before today.
  public static let yesterday = DayPeriod(kind: .relative(from: -1, count: 1))
  /// The day after today.
  public static let tomorrow = DayPeriod(kind: .relative(from: 1, count: 1))
  /// All days before today.
  public static let overdue = DayPeriod(kind: .before)
  /// All days of the week before the current one.
  public static let lastWeek = DayPeriod(kind: .week(-1))
  /// All days of the current week, past ones included.
  public static let thisWeek = DayPeriod(kind: .week(0))
  /// All days of the week after the current one.
  public static let nextWeek = DayPeriod(kind: .week(1))
  /// All days of the month before the current one.
  public static let lastMonth = DayPeriod(kind: .unit(.month, -1))
  /// All days of the current month, past ones included.
  public static let thisMonth = DayPeriod(kind: .unit(.month, 0))
  /// All days of the month after the current one.
  public static let nextMonth = DayPeriod(kind: .unit(.month, 1))
  /// All days of the year before the current one.
  public static let lastYear = DayPeriod(kind: .unit(.year, -1))
  /// All days of the current year, past ones included.
  public static let thisYear = DayPeriod(kind: .unit(.year, 0))
  /// All days of the year after the current one.
  public static let nextYear = DayPeriod(kind: .unit(.year, 1))
  /// The weekend that contains today; on other days, the next weekend.
  public static let thisWeekend = DayPeriod(kind: .weekend(0))
  /// The weekend after ``thisWeekend``.
  public static let nextWeekend = DayPeriod(kind: .weekend(1))

  /// The given number of days, ending with today. No days for a number that isn't positive.
  public static func last(days count: Int) -> DayPeriod {
    DayPeriod(kind: .relative(from: 1 - max(0, count), count: count))
  }

  /// The given number of days, beginning with today. No days for a number that isn't positive.
  public static func next(days count: Int) -> DayPeriod { DayPeriod(kind: .relative(from: 0, count: count)) }

  /// A fixed day, independent of today.
  public static func day(_ day: LocalDay) -> DayPeriod { DayPeriod(kind: .days(day..<day.advanced(by: 1))) }

  /// Fixed days, independent of today.
  public static func days(_ days: ClosedRange<LocalDay>) -> DayPeriod {
    DayPeriod(kind: .days(days.lowerBound..<days.upperBound.advanced(by: 1)))
  }

  /// Fixed days, independent of today.
  public static func days(_ days: Range<LocalDay>) -> DayPeriod { DayPeriod(kind: .days(days)) }
}

extension DayPeriod {
  /// The days of the period, with the day after the last as upper bound.
  ///
  /// For ``overdue`` the lower bound is a day before all days that can be stored as an instant.
  public func days(from today: Today) -> Range<LocalDay> {
    let day = today.day
    switch kind {
    case .relative(let start, let count):
      let first = day.advanced(by: start)
      return first..<first.advanced(by: max(0, count))
    case .before: return Swift.min(Self.beginningOfTime, day)..<day
    case .week(let distance):
      let first = day.advanced(by: 7 * distance - today.positionInWeek)
      return first..<first.advanced(by: 7)
    case .unit(let unit, let distance): return today.span(unit, distance)
    case .weekend(let distance):
      var weekend = today.weekend(notBefore: day)
      for _ in 0..<distance { weekend = today.weekend(notBefore: weekend.upperBound) }
      return weekend
    case .days(let days): return days
    }
  }

  /// A day before all days that can be stored as an instant.
  static let beginningOfTime = LocalDay(daysSince1970: -Int(ZoneOffsets.bias))
}

extension Today {
  /// The number of days from the beginning of the week to the day.
  fileprivate var positionInWeek: Int {
    // 1970-01-01 was a Thursday, which calendars count as the fifth day.
    (day.daysSince1970 + 5 - calendar.firstWeekday).modulo(7)
  }

  /// The calendar in UTC, in which each day has a midnight.
  private var plainCalendar: Calendar {
    var plain = calendar
    plain.timeZone = .gmt
    return plain
  }

  private static func noon(_ day: LocalDay) -> Date {
    Date(timeIntervalSince1970: (Double(day.daysSince1970) + 0.5) * 86_400)
  }

  private static func day(at date: Date) -> LocalDay {
    LocalDay(daysSince1970: Int((date.timeIntervalSince1970 / 86_400).rounded(.down)))
  }

  /// The month or year at a distance from the one that contains the day. Distances are counted in months or years.
  fileprivate func span(_ unit: Calendar.Component, _ distance: Int) -> Range<LocalDay> {
    let plain = plainCalendar
    var span = day..<day.advanced(by: 1)
    for step in 0...abs(distance) {
      let within = step == 0 ? day : distance < 0 ? span.lowerBound.advanced(by: -1) : span.upperBound
      guard let interval = plain.dateInterval(of: unit, for: Self.noon(within)) else { return span }
      span = Self.day(at: interval.start)..<Self.day(at: interval.end)
    }
    return span
  }

  /// The weekend that contains a day, or the next weekend. Empty for a calendar without weekends.
  fileprivate func weekend(notBefore day: LocalDay) -> Range<LocalDay> {
    let plain = plainCalendar
    func isFree(_ day: LocalDay) -> Bool { plain.isDateInWeekend(Self.noon(day)) }
    guard var first = (0..<7).map(day.advanced(by:)).first(where: isFree) else { return day..<day }
    while first > day.advanced(by: -7), isFree(first.advanced(by: -1)) { first = first.advanced(by: -1) }
    var end = first.advanced(by: 1)
    while end < first.advanced(by: 7), isFree(end) { end = end.advanced(by: 1) }
    return first..<end
  }
}

extension Int {
  fileprivate func modulo(_ divisor: Int) -> Int {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
