import Foundation
import Sanderling
import Testing

/// A `Date` is stored as its seconds since 2001, so that every bit is read back.
@Suite struct DateStorageTests {
  @Record
  struct Moment {
    var id: Int
    var date: Date
    var optional: Date?
  }

  static let intervals: [Double] = [
    -.infinity, -.greatestFiniteMagnitude, Date.distantPast.timeIntervalSinceReferenceDate, -978_307_200,
    -0.001, -.leastNonzeroMagnitude, -0.0, 0.0, .leastNonzeroMagnitude, 0.1, 0.1.nextUp, 785_000_000.123,
    785_000_000.1230001, 785_000_000.1234567.nextUp, Date.distantFuture.timeIntervalSinceReferenceDate, 1e300,
    .infinity,
  ]

  @Test func bits() async throws {
    let store = try Store(inMemory: [Moment.self])
    let records = Self.intervals.enumerated().map { Moment(id: $0, date: Date(at: $1), optional: Date(at: $1)) }
    try await store.write("add") { try $0.insert(contentsOf: records.shuffled()) }
    let stored = try await store.fetch(Moment.order { ($0.date, $0.id) })
    #expect(stored.map(\.date.timeIntervalSinceReferenceDate.bitPattern) == Self.intervals.map(\.bitPattern))
    #expect(stored.map(\.optional?.timeIntervalSinceReferenceDate.bitPattern) == Self.intervals.map(\.bitPattern))
  }

  @Test func now() async throws {
    let store = try Store(inMemory: [Moment.self])
    let dates = (0..<1000).map { _ in Date() }
    try await store.write("add") { tx in
      try tx.insert(contentsOf: dates.enumerated().map { Moment(id: $0, date: $1) })
    }
    #expect(try await store.fetch(Moment.order { $0.id }.select { $0.date }) == dates)
    #expect(try await store.fetch(Moment.where { $0.date == dates[500] }).contains { $0.id == 500 })
  }

  @Test func notANumber() async throws {
    let store = try Store(inMemory: [Moment.self])
    await #expect(
      throws: StoreError.unstorableValue(
        table: "moment", column: "date", reason: "NaN can't be stored: SQLite would store NULL")
    ) { try await store.write("add") { try $0.insert(Moment(id: 1, date: Date(at: .nan))) } }
  }

  /// Core Data stores dates in the same way. Its columns of type TIMESTAMP hold whole seconds as integers.
  @Test func datesOfCoreData() async throws {
    let store = try Store(inMemory: [Moment.self])
    try await store.write("add") { tx in
      try tx.execute("INSERT INTO moment VALUES (1, 700000000, 700000000.25), (2, -63114076800, NULL)")
    }
    #expect(
      try await store.fetch(Moment.order { $0.id }.select { ($0.date, $0.optional) }).map(line) == [
        "@700000000 | @700000000.25", "@-63114076800 | nil",
      ])
  }
}
