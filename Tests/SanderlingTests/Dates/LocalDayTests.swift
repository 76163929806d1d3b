import Foundation
import Testing

@testable import Sanderling

/// Local days equal those of Foundation's calendar, in SQL and in Swift.
@Suite("Days")
struct LocalDayTests {
  @Record(indexes: [.on(\.at)])
  struct Event: Hashable {
    var id: Int
    var at: Date?
    @Stored(as: UnixSecondsCoding.self) var seconds: Date
    @Stored(as: UnixMillisecondsCoding.self) var milliseconds: Date
    @Stored(as: ISO8601Coding.self) var text: Date
  }

  private static let zones = [
    "UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe",
    "America/St_Johns",
    "America/Sao_Paulo", "Asia/Beirut", "Africa/Casablanca", "Pacific/Kwajalein", "GMT+0530",
  ]

  private let folder = TemporaryFolder()

  private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }

  private static func calendar(_ zone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar
  }

  /// Returns the day of an instant according to Foundation.
  private static func expected(_ date: Date, _ calendar: Calendar) throws -> LocalDay {
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    let (year, month, day) = (try #require(parts.year), try #require(parts.month), try #require(parts.day))
    return try #require(LocalDay(year: year, month: month, day: day))
  }

  /// Instants between 1900 and 2100: random ones, and others around midnights and the zone's clock changes.
  private static func instants(_ zone: TimeZone, using generator: inout SeededGenerator) -> [Date] {
    let calendar = calendar(zone)
    var instants = (0..<300).map { _ in
      Date(timeIntervalSince1970: .random(in: -2_208_900_000..<4_102_400_000, using: &generator))
    }
    for date in instants.prefix(150) {
      let midnight = calendar.startOfDay(for: date)
      instants += [midnight, midnight.addingTimeInterval(-0.001), midnight.addingTimeInterval(0.001)]
      if let transition = zone.nextDaylightSavingTimeTransition(after: date),
        transition.timeIntervalSince1970 < 4_102_400_000
      {
        instants += [-3_601, -1, -0.001, 0, 0.5, 1, 59, 3_601].map { transition.addingTimeInterval($0) }
      }
    }
    return instants
  }

  @Test(arguments: zones)
  func daysAreThoseOfTheCalendar(name: String) throws {
    let zone = try Self.zone(name)
    let calendar = Self.calendar(zone)
    var generator = SeededGenerator()
    for date in Self.instants(zone, using: &generator) {
      let day = try #require(LocalDay(of: date, in: zone))
      try #expect(
        day == Self.expected(date, calendar), "\(date.timeIntervalSince1970) SANDERLING_SEED=\(generator.seed)")
      #expect(day.range(in: zone).contains(date))
    }
  }

  @Test(arguments: zones)
  func sqlAndEvaluationAgree(name: String) async throws {
    let zone = try Self.zone(name)
    let store = try Store(path: folder.path("days.sqlite"), schema: [Event.self])
    var generator = SeededGenerator()
    // All three columns hold whole milliseconds, so that an instant has the same day in each column.
    let dates = Self.instants(zone, using: &generator).map {
      Date(timeIntervalSince1970: ($0.timeIntervalSince1970 * 1000).rounded(.down) / 1000)
    }
    let events = dates.enumerated().map {
      Event(id: $0, at: $1, seconds: $1, milliseconds: $1, text: Date(timeIntervalSince1970: 0))
    }
    try await store.write { tx in for event in events { try tx.insert(event) } }
    let days = try await store.fetch(
      Event.order { $0.id }.select {
        ($0.at.day(in: zone), $0.seconds.day(in: zone), $0.milliseconds.day(in: zone))
      })
    try #require(days.count == events.count)
    let calendar = Self.calendar(zone)
    for (event, days) in zip(events, days) {
      // The stored seconds since 1970 are less precise than Foundation's seconds since 2001. The day is that of the
      // stored value.
      let stored = Date(timeIntervalSince1970: event.seconds.timeIntervalSince1970)
      let comment: Testing.Comment = "\(event.seconds.timeIntervalSince1970) SANDERLING_SEED=\(generator.seed)"
      let at = try #require(event.at)
      try #expect(days.0 == Self.expected(at, calendar), comment)
      try #expect(days.1 == Self.expected(stored, calendar), comment)
      try #expect(days.2 == Self.expected(event.milliseconds, calendar), comment)
      let (first, second, third) = (try #require(days.0), days.1, days.2)
      try #expect(Event.where { $0.at.day(in: zone) == first }.matches(event), comment)
      try #expect(Event.where { $0.seconds.day(in: zone) == second }.matches(event), comment)
      try #expect(Event.where { $0.milliseconds.day(in: zone) == third }.matches(event), comment)
    }
  }

  @Test func daysOfUnusualInstants() async throws {
    let zone = try Self.zone("Europe/Berlin")
    let store = try Store(path: folder.path("odd.sqlite"), schema: [Event.self])
    let epoch = Date(timeIntervalSince1970: 0)
    let dates: [Date?] = [
      nil, .distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: .infinity),
      Date(timeIntervalSinceReferenceDate: 1e15), Date(timeIntervalSinceReferenceDate: -0.0),
      Date(timeIntervalSinceReferenceDate: 1e15.nextDown), Date(timeIntervalSinceReferenceDate: (-1e15).nextUp),
    ]
    try await store.write { tx in
      for (id, date) in dates.enumerated() {
        try tx.insert(Event(id: id, at: date, seconds: epoch, milliseconds: epoch, text: epoch))
      }
    }
    let days = try await store.fetch(Event.order { $0.id }.select { $0.at.day(in: zone) })
    #expect(days == dates.map { $0.flatMap { LocalDay(of: $0, in: zone) } })
    #expect(days.map { $0 == nil } == [true, false, false, true, true, false, false, false])
    let sections = Event.order { $0.id }.sectioned { $0.at.day(in: zone) }
    #expect(try await store.fetch(sections.rows(in: nil)).map(\.id) == [0, 3, 4])
    for case let (id, day?) in days.enumerated() {
      #expect(try await store.fetch(sections.rows(in: day)).map(\.id) == [id])
    }
    await #expect(throws: StoreError.self) { try await store.fetch(Event.select { $0.text.day(in: zone) }) }
  }

  @Test(arguments: zones)
  func rangesAreThoseOfTheCalendar(name: String) throws {
    let zone = try Self.zone(name)
    let calendar = Self.calendar(zone)
    var generator = SeededGenerator()
    for _ in 0..<500 {
      let date = Date(timeIntervalSince1970: .random(in: -2_208_900_000..<4_102_400_000, using: &generator))
      let day = try #require(LocalDay(of: date, in: zone))
      // Days that came twice are left out: they are longer here than in Foundation.
      guard ZoneOffsets.of(zone).spans(of: Int64(day.daysSince1970)).count == 1 else { continue }
      let expected = try #require(calendar.dateInterval(of: .day, for: date))
      #expect(day.range(in: zone) == expected.start..<expected.end, "\(day) SANDERLING_SEED=\(generator.seed)")
    }
  }

  @Test func daysWithMoreOrFewerHours() throws {
    func hours(_ zone: String, _ year: Int, _ month: Int, _ day: Int) throws -> Double {
      let range = try #require(LocalDay(year: year, month: month, day: day)).range(in: Self.zone(zone))
      return range.upperBound.timeIntervalSince(range.lowerBound) / 3600
    }
    #expect(try hours("Europe/Berlin", 2026, 3, 29) == 23)
    #expect(try hours("Europe/Berlin", 2026, 10, 25) == 25)
    #expect(try hours("America/New_York", 2026, 11, 1) == 25)
    #expect(try hours("Australia/Lord_Howe", 2026, 4, 5) == 24.5)
    #expect(try hours("America/Sao_Paulo", 2018, 11, 4) == 23)
    // Apia skipped this day.
    #expect(try hours("Pacific/Apia", 2011, 12, 30) == 0)
    #expect(try hours("Pacific/Apia", 2011, 12, 29) == 24)
  }

  @Test func daysAreNumbersWithNames() throws {
    let day = try #require(LocalDay(year: 2024, month: 2, day: 29))
    #expect((day.year, day.month, day.day) == (2024, 2, 29) && "\(day)" == "2024-02-29")
    #expect(LocalDay(year: 2023, month: 2, day: 29) == nil && LocalDay(year: 2023, month: 13, day: 1) == nil)
    #expect(LocalDay(daysSince1970: 0) == LocalDay(year: 1970, month: 1, day: 1))
    #expect(day.advanced(by: 1).description == "2024-03-01" && day < day.advanced(by: 1))
    #expect((day...day.advanced(by: 2)).count == 3)
    #expect(LocalDay(year: -44, month: 3, day: 15).map { "\($0)" } == "-0044-03-15")
    var generator = SeededGenerator()
    for _ in 0..<1_000 {
      let day = LocalDay(daysSince1970: .random(in: -4_300_000..<2_900_000, using: &generator))
      #expect(LocalDay(year: day.year, month: day.month, day: day.day) == day)
      let json = try JSONEncoder().encode([day])
      try #expect(JSONDecoder().decode([LocalDay].self, from: json) == [day])
      try #expect(LocalDay.decode(LocalDay.encode(day)) == day)
    }
    for text in ["", "2024", "2024-02-30", "2024-2-3-4", "+2024-01-01", "2024-01-0x"] {
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([LocalDay].self, from: JSONEncoder().encode([text]))
      }
    }
  }

  @MainActor
  @Test(arguments: ["Europe/Berlin", "America/St_Johns", "Pacific/Apia"])
  func sectionsByDay(name: String) async throws {
    let zone = try Self.zone(name)
    let store = try Store(
      path: folder.path("sections.sqlite"), schema: [Event.self], liveInterval: .zero,
      audit: .everyCommit { Issue.record("\($0)") })
    let query = Event.order { ($0.seconds, $0.id) }.sectioned { $0.at.day(in: zone) }
      .sectionValues { $0.id.sum() }.sectionOrder { $0.at.day(in: zone).descending }
    #expect(try await query.headers.explainLive(store).isMaintained)
    let list = store.liveSections(query)
    _ = list.sections
    var generator = SeededGenerator()
    // The instants lie around a repeated day, a skipped day, and a change of the clocks.
    let centre = name == "Pacific/Apia" ? 1_325_239_200.0 : name == "America/St_Johns" ? 1_162_000_000 : 1_774_746_000
    for step in 0..<150 {
      let id = Int.random(in: 0..<30, using: &generator)
      let date = Date(timeIntervalSince1970: (centre + .random(in: -200_000...200_000, using: &generator)).rounded())
      let at = Int.random(in: 0..<6, using: &generator) == 0 ? nil : date
      try await store.write {
        try $0.upsert(Event(id: id, at: at, seconds: date, milliseconds: date, text: date))
      }
      await store.settled()
      let expected = try await store.read { tx in
        try tx.fetch(query.headers).map { header in
          "\(header.key.map { "\($0)" } ?? "none") \(header.count) \(header.values) \(try tx.fetch(query.rows(in: header.key)))"
        }
      }
      let shown = list.sections.map {
        "\($0.key.map { "\($0)" } ?? "none") \($0.count) \($0.values) \($0.rows.elements)"
      }
      #expect(shown == expected, "step \(step) SANDERLING_SEED=\(generator.seed)")
      // Rows are found by ranges of instants, which must equal the days.
      for section in list.sections {
        #expect(section.rows.allSatisfy { row in row.at.map { LocalDay(of: $0, in: zone) } ?? nil == section.key })
      }
    }
  }

  /// The rows of a day, and the rows without a day, are found by the index of the column.
  @Test func theRowsOfADayAreFoundByTheIndex() async throws {
    let zone = try Self.zone("Europe/Berlin")
    let store = try Store(path: folder.path("plan.sqlite"), schema: [Event.self])
    let query = Event.query.sectioned { $0.at.day(in: zone) }
    let day = try #require(LocalDay(year: 2026, month: 11, day: 23))
    #expect(try await store.plan(query.rows(in: day).sql) == ["SEARCH event USING INDEX event_on_at (at>? AND at<?)"])
    let steps = try await store.plan(query.rows(in: nil).sql)
    #expect(!steps.isEmpty && steps.allSatisfy { $0.hasPrefix("SEARCH event USING INDEX event_on_at") }, "\(steps)")
  }

  /// A day is created from its description, and from no other text.
  @Test func daysAreCreatedFromTheirDescriptions() throws {
    for days in stride(from: -4_371_000, through: 2_932_000, by: 997) {
      let day = LocalDay(daysSince1970: days)
      #expect(LocalDay(day.description) == day)
    }
    #expect(LocalDay("2026-11-23") == LocalDay(year: 2026, month: 11, day: 23))
    #expect(LocalDay("-0044-03-15") == LocalDay(year: -44, month: 3, day: 15))
    for text in [
      "", "2026", "2026-11", "2026-02-30", "2026-13-01", "2026-11-23-", "x", "2026-11-2x", "+2026-11-23", "--1-1-1",
      "١-١-١",
    ] {
      #expect(LocalDay(text) == nil, "\(text)")
    }
  }
}
