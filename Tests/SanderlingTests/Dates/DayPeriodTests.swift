import Foundation
import SanderlingTesting
import Testing

@testable import Sanderling

/// Periods of days relative to today, in conditions and as values.
@Suite("Periods of days")
struct DayPeriodTests {
  @Record(indexes: [.on(\.at), .on(\.day), .on(\.text)])
  struct Event: Hashable {
    var id: Int
    var at: Date?
    var day: LocalDay?
    @Stored(as: UnixSecondsCoding.self) var seconds: Date
    @Stored(as: UnixMillisecondsCoding.self) var milliseconds: Date
    @Stored(as: ISO8601Coding.self) var text: Date
    @Stored(as: DateTextCoding.self) var spaced: Date?
  }

  private let folder = TemporaryFolder()

  private static func calendar(
    _ zone: String, _ identifier: Calendar.Identifier = .gregorian, firstWeekday: Int = 2, locale: String = "en_US"
  ) throws -> Calendar {
    var calendar = Calendar(identifier: identifier)
    calendar.locale = Locale(identifier: locale)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    calendar.firstWeekday = firstWeekday
    return calendar
  }

  private static func day(_ text: String) throws -> LocalDay {
    try JSONDecoder().decode(LocalDay.self, from: Data("\"\(text)\"".utf8))
  }

  private static func text(_ period: DayPeriod, _ today: Today) -> String {
    let days = period.days(from: today)
    return days.isEmpty ? "none" : "\(days.lowerBound)...\(days.upperBound.advanced(by: -1))"
  }

  @Test func periodsOfTheGregorianCalendar() throws {
    // The day is a Monday.
    let today = Today(try Self.day("2026-11-23"), calendar: try Self.calendar("Europe/Berlin"))
    func text(_ period: DayPeriod) -> String { Self.text(period, today) }
    #expect(text(.today) == "2026-11-23...2026-11-23")
    #expect(text(.yesterday) == "2026-11-22...2026-11-22")
    #expect(text(.tomorrow) == "2026-11-24...2026-11-24")
    #expect(text(.last(days: 7)) == "2026-11-17...2026-11-23")
    #expect(text(.next(days: 3)) == "2026-11-23...2026-11-25")
    #expect(text(.next(days: 0)) == "none" && text(.last(days: -2)) == "none")
    #expect(text(.thisWeek) == "2026-11-23...2026-11-29")
    #expect(text(.lastWeek) == "2026-11-16...2026-11-22")
    #expect(text(.nextWeek) == "2026-11-30...2026-12-06")
    #expect(text(.lastMonth) == "2026-10-01...2026-10-31")
    #expect(text(.thisMonth) == "2026-11-01...2026-11-30")
    #expect(text(.nextMonth) == "2026-12-01...2026-12-31")
    #expect(text(.lastYear) == "2025-01-01...2025-12-31")
    #expect(text(.thisYear) == "2026-01-01...2026-12-31")
    #expect(text(.nextYear) == "2027-01-01...2027-12-31")
    #expect(text(.thisWeekend) == "2026-11-28...2026-11-29")
    #expect(text(.nextWeekend) == "2026-12-05...2026-12-06")
    #expect(text(.days(try Self.day("2026-01-30")...Self.day("2026-02-02"))) == "2026-01-30...2026-02-02")
    #expect(text(.day(try Self.day("1582-10-10"))) == "1582-10-10...1582-10-10")
    #expect(DayPeriod.overdue.days(from: today).upperBound == today.day)
    let sunday = Today(try Self.day("2026-11-29"), calendar: today.calendar)
    #expect(Self.text(.thisWeekend, sunday) == "2026-11-28...2026-11-29")
    let american = try Self.calendar("America/New_York", firstWeekday: 1)
    #expect(Self.text(.thisWeek, Today(sunday.day, calendar: american)) == "2026-11-29...2026-12-05")
  }

  @Test func periodsOfOtherCalendars() throws {
    let day = try Self.day("2026-11-23")
    let hebrew = Today(day, calendar: try Self.calendar("Asia/Jerusalem", .hebrew, firstWeekday: 1, locale: "he_IL"))
    #expect(Self.text(.thisMonth, hebrew) == "2026-11-11...2026-12-10")
    #expect(Self.text(.thisYear, hebrew) == "2026-09-12...2027-10-01")
    #expect(Self.text(.nextYear, hebrew) == "2027-10-02...2028-09-20")
    #expect(Self.text(.thisWeekend, hebrew) == "2026-11-27...2026-11-28")
    let persian = Today(day, calendar: try Self.calendar("Asia/Tehran", .persian, firstWeekday: 7, locale: "fa_IR"))
    #expect(Self.text(.thisMonth, persian) == "2026-11-22...2026-12-21")
    #expect(Self.text(.thisWeek, persian) == "2026-11-21...2026-11-27")
    let buddhist = Today(day, calendar: try Self.calendar("Asia/Bangkok", .buddhist))
    #expect(Self.text(.thisYear, buddhist) == "2026-01-01...2026-12-31")
  }

  /// Weeks and weekends equal Foundation's, on random days and with all first weekdays.
  @Test func weeksAreThoseOfTheCalendar() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let day = LocalDay(daysSince1970: .random(in: -40_000..<40_000, using: &generator))
      let calendar = try Self.calendar("GMT", firstWeekday: .random(in: 1...7, using: &generator))
      let noon = Date(timeIntervalSince1970: Double(day.daysSince1970) * 86_400 + 43_200)
      let week = try #require(calendar.dateInterval(of: .weekOfYear, for: noon))
      let days = DayPeriod.thisWeek.days(from: Today(day, calendar: calendar))
      #expect(Double(days.lowerBound.daysSince1970) * 86_400 == week.start.timeIntervalSince1970, "\(day)")
      #expect(days.count == 7)
      let weekend = DayPeriod.thisWeekend.days(from: Today(day, calendar: calendar))
      #expect(weekend.count == 2 && weekend.upperBound > day)
    }
  }

  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Pacific/Apia", "America/St_Johns", "America/Sao_Paulo", "Asia/Beirut",
    "Pacific/Kwajalein", "Africa/Casablanca", "Asia/Kathmandu",
  ]

  /// Conditions on days find exactly the rows of those days. The rows' instants lie around midnights and the zone's
  /// clock changes.
  @Test(arguments: zones)
  func conditionsFindTheRowsOfTheirDays(zone: String) async throws {
    var generator = SeededGenerator(seed: 77)
    let calendar = try Self.calendar(zone)
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self])
    var events: [Event] = []
    for id in 0..<400 {
      var date = Date(timeIntervalSince1970: Double(Int.random(in: -2_200_000_000..<4_000_000_000, using: &generator)))
      if let transition = calendar.timeZone.nextDaylightSavingTimeTransition(after: date), id % 2 == 0 {
        date = transition.addingTimeInterval([-90_000, -3600, -61, -1, 0, 1, 61, 3600][id / 2 % 8])
      }
      if id % 5 == 0 { date = calendar.startOfDay(for: date) }
      let day = LocalDay(of: date, in: calendar.timeZone)
      events.append(
        Event(
          id: id, at: id % 11 == 0 ? nil : date, day: id % 7 == 0 ? nil : day, seconds: date, milliseconds: date,
          text: date, spaced: id % 13 == 0 ? nil : date))
    }
    let all = events
    try await store.write { tx in for event in all { try tx.insert(event) } }
    func day(_ date: Date) throws -> LocalDay { try #require(LocalDay(of: date, in: calendar.timeZone)) }
    for _ in 0..<150 {
      let event = try #require(events.randomElement(using: &generator))
      let today = Today(
        try day(event.seconds).advanced(by: .random(in: -2...2, using: &generator)), calendar: calendar)
      let count = Int.random(in: 0..<400, using: &generator)
      let period = try #require(
        [
          .today, .yesterday, .tomorrow, .overdue, .thisWeek, .nextMonth, .thisYear, .last(days: count),
          .next(days: count % 3), .thisWeekend,
        ].randomElement(using: &generator) as DayPeriod?)
      let days = period.days(from: today)
      func expected(_ path: (Event) -> Date?) throws -> Set<Int> {
        Set(try events.filter { event in try path(event).map { days.contains(try day($0)) } ?? false }.map(\.id))
      }
      func found(_ condition: @escaping @Sendable (Event.Fields) -> Field<Bool>) async throws -> Set<Int> {
        Set(try await store.fetch(Event.where { condition($0) }).map(\.id))
      }
      let name = "\(period) from \(today.day)"
      #expect(try await found { $0.at.in(period, from: today) } == expected(\.at), "\(name)")
      #expect(try await found { $0.seconds.in(period, from: today) } == expected(\.seconds), "\(name)")
      #expect(try await found { $0.milliseconds.in(period, from: today) } == expected(\.milliseconds), "\(name)")
      #expect(try await found { $0.text.in(period, from: today) } == expected(\.text), "\(name)")
      #expect(try await found { $0.spaced.in(period, from: today) } == expected(\.spaced), "\(name)")
      let byDay = Set(events.filter { $0.day.map(days.contains) ?? false }.map(\.id))
      #expect(try await found { $0.day.in(period, from: today) } == byDay, "\(name)")
    }
  }

  /// The codings also read texts of a day or a minute.
  @Test func textsWithoutATimeOrSeconds() async throws {
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self])
    try await store.write { tx in
      for (id, text) in [
        "2026-11-22", "2026-11-22 22:59", "2026-11-22 23:00", "2026-11-23", "2026-11-23 22:59", "2026-11-23 23:00",
        "2026-11-24",
      ]
      .enumerated() {
        let iso = text.replacing(" ", with: "T")
        try tx.execute(
          "INSERT INTO event (id, seconds, milliseconds, text, spaced) VALUES (\(id), 0, 0, \(iso), \(text))")
      }
    }
    let all = try await store.fetch(Event.order { $0.id })
    for name in ["UTC", "Europe/Berlin", "Asia/Kathmandu"] {
      let calendar = try Self.calendar(name)
      let today = Today(try Self.day("2026-11-23"), calendar: calendar)
      for period in [DayPeriod.overdue, .yesterday, .today, .tomorrow] {
        let days = period.days(from: today)
        func expected(_ path: (Event) -> Date?) -> [Int] {
          all.filter { event in
            path(event).flatMap { LocalDay(of: $0, in: calendar.timeZone) }.map(days.contains) ?? false
          }.map(\.id)
        }
        #expect(
          try await store.fetch(Event.where { $0.spaced.in(period, from: today) }.order { $0.id }).map(\.id)
            == expected(\.spaced), "\(period) in \(name)")
        #expect(
          try await store.fetch(Event.where { $0.text.in(period, from: today) }.order { $0.id }).map(\.id)
            == expected(\.text), "\(period) in \(name)")
      }
    }
  }

  /// GRDB and others write texts without parts of a second, too.
  @Test func textsWithoutPartsOfASecond() async throws {
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self])
    try await store.write { tx in
      for (id, text) in [
        "2026-11-22 23:59:59", "2026-11-23 00:00:00", "2026-11-23 23:59:59.999", "2026-11-24 00:00:00",
      ]
      .enumerated() {
        let iso = text.replacing(" ", with: "T")
        try tx.execute(
          "INSERT INTO event (id, seconds, milliseconds, text, spaced) VALUES (\(id), 0, 0, \(iso + "Z"), \(text))")
      }
    }
    let today = Today(try Self.day("2026-11-23"), calendar: try Self.calendar("UTC"))
    #expect(try await store.fetch(Event.where { $0.spaced.in(.today, from: today) }).map(\.id) == [1, 2])
    #expect(try await store.fetch(Event.where { $0.text.in(.overdue, from: today) }).map(\.id) == [0])
  }

  @Test func indexesServe() async throws {
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self])
    let today = Today(try Self.day("2026-11-23"), calendar: try Self.calendar("Europe/Berlin"))
    try await store.expectPlan(of: Event.where { $0.at.in(.thisWeek, from: today) }) { $0.usesIndex("event_on_at") }
    try await store.expectPlan(of: Event.where { $0.at.in(.overdue, from: today) }) { $0.usesIndex("event_on_at") }
    try await store.expectPlan(of: Event.where { $0.day.in(.nextMonth, from: today) }) { $0.usesIndex("event_on_day") }
    try await store.expectPlan(of: Event.where { $0.text.in(.today, from: today) }) { $0.usesIndex("event_on_text") }
  }

  // MARK: Live results of the current day

  @MainActor
  @Test func listsFollowTheDay() async throws {
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self], liveInterval: .zero)
    let berlin = try Self.calendar("Europe/Berlin")
    let honolulu = try Self.calendar("Pacific/Honolulu")
    // The instant is an hour before midnight in Berlin.
    let evening = Date(timeIntervalSince1970: 1_795_471_200)
    try #require(LocalDay(of: evening, in: berlin.timeZone)?.description == "2026-11-23")
    try await store.write { tx in
      for (id, hours) in [0.5, 2, 23.9, 30].enumerated() {
        let date = evening.addingTimeInterval(hours * 3600)
        try tx.insert(Event(id: id, at: date, seconds: date, milliseconds: date, text: date))
      }
    }
    let state = Lock((now: evening, calendar: berlin))
    let clock = ManualClock()
    let days = DayClock(
      calendar: { state.withLock { $0.calendar } }, now: { state.withLock { $0.now } }, clock: clock)
    let list = store.liveList(on: days, window: 2) { today in
      Event.where { $0.at.in(.today, from: today) }.order { $0.at }
    }
    let count = store.liveCount(on: days) { today in Event.where { $0.at.in(.overdue, from: today) } }
    let last = store.liveValue(on: days) { today in
      Event.where { $0.at.in(.today, from: today) }.order { $0.at.descending }
    }
    let sections = store.liveSections(on: days) { today in
      Event.where { $0.at.in(.next(days: 2), from: today) }.sectioned { $0.at.day(in: today.calendar.timeZone) }
    }
    func check(_ ids: [Int], _ overdue: Int, _ lastID: Int?, _ sizes: [Int]) async throws {
      try await clock.sleepers(4)
      try await list.caughtUp()
      try await count.caughtUp()
      try await last.caughtUp()
      try await sections.caughtUp()
      #expect(list.rows.map(\.id) == ids && count.value == overdue && last.value?.id == lastID)
      #expect(sections.sections.map(\.count) == sizes)
    }
    try await check([0], 0, 0, [1, 2])
    // It becomes midnight in Berlin. The store reads its clock again half a minute later.
    state.withLock { $0.now = evening.addingTimeInterval(3600) }
    clock.advance(by: .seconds(30))
    try await check([1, 2], 1, 2, [2, 1])
    // The device flies to Hawaii, where it is still the day before.
    state.withLock { $0.calendar = honolulu }
    clock.advance(by: .seconds(30))
    try await check([0, 1], 0, 1, [2, 2])
  }

  @MainActor
  @Test func releasedListFollowsNoDay() async throws {
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self])
    let clock = ManualClock()
    var list: LiveList<Event>? = store.liveList(on: DayClock(clock: clock)) { _ in Event.query }
    try await clock.sleepers(1)
    weak let weakList = list
    list = nil
    #expect(weakList == nil)
    while clock.sleeperCount > 0 { await Task.yield() }
  }
}
