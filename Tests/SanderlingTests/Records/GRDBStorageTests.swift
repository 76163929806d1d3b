import Foundation
import GRDB
import Sanderling
import Testing

/// Values that GRDB's Codable records write are read by Sanderling's records, and the reverse.
@Suite struct GRDBStorageTests {
  @Record("event")
  struct Event: Hashable {
    var id: Int64?
    var uuid: UUID
    @Stored(as: .uuidText) var uuidText: UUID
    var data: Data
    var url: URL?
    var flag: Bool
    @Stored(as: .dateText) var date: Date
    @Stored(as: .iso8601) var iso: Date?
    @Stored(as: .unixSeconds) var seconds: Date
    @Stored(as: .unixMilliseconds) var milliseconds: Date
    var reference: Date
    @Stored(as: .json) var tags: [String]
  }

  struct GRDBEvent: Codable, Hashable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "event"
    var id: Int64?
    var uuid: UUID
    var uuidText: UUID
    var data: Data
    var url: URL?
    var flag: Bool
    var date: Date
    var iso: Date?
    var seconds: Date
    var milliseconds: Date
    var reference: Date
    var tags: [String]

    static func databaseDateEncodingStrategy(for column: String) -> DatabaseDateEncodingStrategy {
      switch column {
      case "iso": .iso8601
      case "seconds": .timeIntervalSince1970
      case "milliseconds": .millisecondsSince1970
      case "reference": .timeIntervalSinceReferenceDate
      default: .deferredToDate
      }
    }

    static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
      switch column {
      case "iso": .iso8601
      case "seconds": .timeIntervalSince1970
      case "milliseconds": .millisecondsSince1970
      case "reference": .timeIntervalSinceReferenceDate
      default: .deferredToDate
      }
    }

    static func databaseUUIDEncodingStrategy(for column: String) -> DatabaseUUIDEncodingStrategy {
      column == "uuidText" ? .uppercaseString : .deferredToUUID
    }
  }

  static func record<Record>(
    at date: Date, as make: (Int64?, UUID, UUID, Data, URL?, Bool, Date, Date?, Date, Date, Date, [String]) -> Record
  ) -> Record {
    let whole = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.down))
    return make(
      1, UUID(7), UUID(8), Data([0, 255]), URL(string: "https://example.org/é"), true, date, whole, date, date, date,
      ["a", "b/c"])
  }

  static let dates = [0, 0.001, 0.123, 0.999, -0.001, -86_400.5, 1_794_990_600.25, -12_219_292_800, 253_402_300_799]

  @Test(arguments: dates)
  func writtenByGRDB(_ seconds: Double) async throws {
    let date = Date(timeIntervalSince1970: seconds)
    let store = try Store(inMemory: [Event.self])
    try await store.writer.write { db in try Self.record(at: date, as: GRDBEvent.init).insert(db) }
    let event = try #require(try await store.fetch(Event.self, key: 1))
    let expected = Self.record(at: date, as: Event.init)
    #expect(abs(event.date.timeIntervalSince(date)) < 0.0011)
    #expect(event.uuid == expected.uuid)
    #expect(event.uuidText == expected.uuidText)
    #expect(event.data == expected.data)
    #expect(event.url == expected.url)
    #expect(event.flag)
    #expect(event.iso == expected.iso)
    #expect(event.seconds == date)
    #expect(event.reference == date)
    #expect(abs(event.milliseconds.timeIntervalSince(date)) < 0.0011)
    #expect(event.tags == expected.tags)
  }

  /// GRDB reads the values that Sanderling writes. ISO 8601 texts are left out, since GRDB's strategy of that name
  /// reads no fractions of seconds.
  @Test(arguments: dates)
  func readByGRDB(_ seconds: Double) async throws {
    let date = Date(timeIntervalSince1970: seconds)
    let store = try Store(inMemory: [Event.self])
    try await store.write("add") { tx in
      try tx.insert(Self.record(at: date, as: Event.init))
      try tx.update(Event.query, .set(\.iso, to: nil))
    }
    let event = try #require(try await store.writer.read { try GRDBEvent.fetchOne($0) })
    let expected = Self.record(at: date, as: GRDBEvent.init)
    #expect(abs(event.date.timeIntervalSince(date)) < 0.0001)
    #expect(abs(event.milliseconds.timeIntervalSince(date)) < 0.0001)
    var rest = event
    rest.date = expected.date
    rest.milliseconds = expected.milliseconds
    rest.iso = expected.iso
    #expect(rest == expected)
  }

  /// Texts of dates mean the same in GRDB and Sanderling. Earlier dates are left out: before 1582 GRDB's calendar is
  /// the Julian one.
  @Test func textsOfDates() async throws {
    var generator = SeededGenerator()
    let seed: Testing.Comment = "SANDERLING_SEED=\(generator.seed)"
    for _ in 0..<2000 {
      let milliseconds = Int64.random(in: -12_219_292_800_000...253_402_300_799_999, using: &generator)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
      let text = try DateTextCoding.encode(date)
      let read = try #require(Date.fromDatabaseValue(text.databaseValue), seed)
      #expect(abs(read.timeIntervalSince(date)) < 0.0001, seed)
      #expect(try abs(DateTextCoding.decode(StorageValue(date.databaseValue)).timeIntervalSince(date)) < 0.0011, seed)
    }
  }
}
