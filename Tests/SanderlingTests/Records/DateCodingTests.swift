import Foundation
import Sanderling
import Testing

/// Dates in the formats of other libraries.
@Suite struct DateCodingTests {
  @Record
  struct Event {
    var id: Int
    @Stored(as: .dateText) var text: Date
    @Stored(as: .iso8601) var iso: Date
    @Stored(as: .unixSeconds) var seconds: Date
    @Stored(as: .unixMilliseconds) var milliseconds: Date
    @Stored(as: .dateText) var optional: Date?

    init(id: Int, _ date: Date) {
      self.id = id
      text = date
      iso = date
      seconds = date
      milliseconds = date
      optional = date
    }
  }

  static let dates: [(seconds: Double, text: String, iso: String)] = [
    (-62_167_219_200, "0000-01-01 00:00:00.000", "0000-01-01T00:00:00.000Z"),
    (-62_135_596_800, "0001-01-01 00:00:00.000", "0001-01-01T00:00:00.000Z"),
    (-2_208_988_800.5, "1899-12-31 23:59:59.500", "1899-12-31T23:59:59.500Z"),
    (-0.001, "1969-12-31 23:59:59.999", "1969-12-31T23:59:59.999Z"),
    (0, "1970-01-01 00:00:00.000", "1970-01-01T00:00:00.000Z"),
    (951_782_400, "2000-02-29 00:00:00.000", "2000-02-29T00:00:00.000Z"),
    (1_794_990_600.123, "2026-11-18 08:30:00.123", "2026-11-18T08:30:00.123Z"),
    (253_402_300_799.999, "9999-12-31 23:59:59.999", "9999-12-31T23:59:59.999Z"),
  ]

  let store: Store

  init() throws {
    store = try Store(inMemory: [Event.self])
  }

  @Test func stored() async throws {
    let records = Self.dates.enumerated().map { Event(id: $0, Date(timeIntervalSince1970: $1.seconds)) }
    try await store.write("add") { try $0.insert(contentsOf: records.shuffled()) }
    let columns = RawQuery(
      "SELECT text, iso, seconds, milliseconds FROM event ORDER BY id", as: String.self, String.self, Double.self,
      Int.self)
    for (row, date) in zip(try await store.fetch(columns), Self.dates) {
      let seconds = Date(timeIntervalSince1970: date.seconds).timeIntervalSince1970
      #expect(row == (date.text, date.iso, seconds, Int((date.seconds * 1000).rounded())))
    }
    for order in [Event.fields.text.ascending, Event.fields.iso.ascending, Event.fields.milliseconds.ascending] {
      #expect(try await store.fetch(Event.query.order([order]).select { $0.id }) == Array(Self.dates.indices))
    }
    let read = try await store.fetch(Event.order { $0.id })
    let expected = Self.dates.map { Date(timeIntervalSince1970: $0.seconds) }
    #expect(read.map(\.text) == expected)
    #expect(read.map(\.iso) == expected)
    #expect(read.map(\.milliseconds) == expected)
    #expect(read.map(\.seconds) == expected)
  }

  /// Conditions compare with values in the column's own format.
  @Test func conditions() async throws {
    let records = Self.dates.enumerated().map { Event(id: $0, Date(timeIntervalSince1970: $1.seconds)) }
    try await store.write("add") { try $0.insert(contentsOf: records) }
    let epoch = Date(timeIntervalSince1970: 0)
    try await store.expect(
      Event.where { $0.text > epoch && $0.iso >= epoch && $0.milliseconds > epoch && $0.optional > epoch }
        .order { $0.id.descending }.limit(1).select { ($0.id, $0.text < epoch) },
      sql: """
        SELECT "event"."id", "event"."text" < ?
        FROM "event"
        WHERE ("event"."text" > ?) AND ("event"."iso" >= ?) AND ("event"."milliseconds" > ?)
        AND ("event"."optional" > ?)
        ORDER BY "event"."id" DESC
        LIMIT 1
        -- '1970-01-01 00:00:00.000', '1970-01-01 00:00:00.000', '1970-01-01T00:00:00.000Z', 0, '1970-01-01 00:00:00.000'
        """,
      rows: """
        7 | false
        """)
    #expect(try await store.fetch(Event.where { $0.text.in([epoch]) || $0.seconds == epoch }.select { $0.id }) == [4])
    #expect(try await store.fetch(Event.select { $0.text.max() }) == [Date(timeIntervalSince1970: 253_402_300_799.999)])
  }

  @Test(
    arguments: [
      ("2026-11-18", 1_794_960_000), ("2026-11-18 08:30", 1_794_990_600), ("2026-11-18T08:30:00Z", 1_794_990_600),
      ("2026-11-18T08:30:00.1Z", 1_794_990_600.1), ("2026-11-18 08:30:00.123456789", 1_794_990_600.123),
      ("2026-11-18T10:30:00+02:00", 1_794_990_600), ("2026-11-18T03:00:00-0530", 1_794_990_600),
      ("2026-11-18T08:30:60Z", 1_794_990_660),
    ] as [(String, Double)])
  func validDateTextsAreRead(_ text: String, seconds: Double) async throws {
    try await store.write("add") { try $0.insert(Event(id: 1, Date(timeIntervalSince1970: 0))) }
    try await store.write("set") { try $0.execute("UPDATE event SET text = \(text), iso = \(text)") }
    let event = try #require(try await store.fetch(Event.self, key: 1))
    #expect(event.text == Date(timeIntervalSince1970: seconds))
    #expect(event.iso == Date(timeIntervalSince1970: seconds))
  }

  @Test(
    arguments: [
      "", "now", "2026-13-01", "2026-00-01", "2026-02-30", "2025-02-29", "2026-1-1", "2026-11-18 24:00",
      "2026-11-18 08:60",
      "2026-11-18 08:30:00.", "2026-11-18 08:30 ", "2026-11-18Z08:30", "20261118", "2026-11-18T08:30:00+24:00",
    ])
  func invalidDateTextsAreRefused(_ text: String) async throws {
    try await store.write("add") { try $0.insert(Event(id: 1, Date(timeIntervalSince1970: 0))) }
    try await store.write("set") { try $0.execute("UPDATE event SET text = \(text)") }
    await #expect(throws: StoreError.self) { try await store.fetch(Event.query) }
  }

  @Test func yearsThatTextCannotSort() async throws {
    for seconds in [-62_167_219_201, 253_402_300_800, .infinity] {
      await #expect(
        throws: StoreError.unstorableValue(
          table: "event", column: "text",
          reason: "the date lies outside the years 0 to 9999, and dates of other years don't sort as texts")
      ) { try await store.write("add") { try $0.insert(Event(id: 1, Date(timeIntervalSince1970: seconds))) } }
    }
  }
}
