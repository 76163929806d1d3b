import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Pulls into a table of the app whose declared column types convert some of a record's values.
@Suite struct ConvertingColumnTests {
  @Record("visit") struct Visit: Equatable {
    @PrimaryKey var place: String
    var at: String
  }

  @Test func valueThatItsColumnWouldConvertIsQuarantined() async throws {
    let queue = try DatabaseQueue()
    try await queue.write {
      try $0.execute(sql: "CREATE TABLE visit (place DATETIME NOT NULL PRIMARY KEY, at DATETIME NOT NULL)")
    }
    let store = try Store(queue, schema: [Visit.self])
    func visit(_ place: String, _ at: String) -> SyncChange {
      SyncChange("visit", key: [.text(place)], .row(["at": .text(at)]))
    }
    let session = try await SyncSession(
      "test", store: store, records: [SyncedRecord(Visit.self)],
      source: BatchSource([visit("a", "2024-01-02"), visit("b", "2024"), visit("0012", "2024-01-03"), visit("c", "c")]))
    #expect(try await session.run().counts.quarantined == 2)
    #expect(try await session.quarantine().map(\.column) == ["at", "place"])
    #expect(
      try await session.quarantine().map(\.reason) == [
        "the column's type, DATETIME, would change the value. Declare the column TEXT",
        "the key doesn't fit the record: the column's type, DATETIME, would change the value. Declare the column TEXT",
      ])
    // No stored row is unreadable as a record.
    #expect(
      try await store.fetch(Visit.order { $0.place }) == [
        Visit(place: "a", at: "2024-01-02"), Visit(place: "c", at: "c"),
      ])
  }
}
