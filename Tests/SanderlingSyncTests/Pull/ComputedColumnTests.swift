import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Pulls from a source that sends values for computed columns of the table.
@Suite struct ComputedColumnTests {
  private func store(_ extra: String = "") async throws -> (store: Store, record: SyncedRecord) {
    let store = try Store(inMemory: [])
    try await store.write {
      try $0.database.execute(
        sql: """
          CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, Age INTEGER AS (length(name)) STORED, half REAL AS (length(name) / 2.0))
          """ + extra)
    }
    let record = try #require(try await store.read { try SyncedRecord(found: "person", $0.database) })
    return (store, record)
  }

  private func person(_ id: Int64, _ name: String, age: StorageValue, half: StorageValue = .null) -> SyncChange {
    var values: [String: StorageValue] = ["name": .text(name), "age": age]
    if !half.isNull { values["half"] = half }
    return SyncChange("person", key: [.integer(id)], .row(values))
  }

  private func rows(_ store: Store) async throws -> [String] {
    try await store.read { try String.fetchAll($0.database, sql: "SELECT id || name FROM person ORDER BY id") }
  }

  /// A value for a computed column is accepted if the table computes the same value. A row with a different value is
  /// quarantined.
  @Test func differentValuesForComputedColumnsAreQuarantined() async throws {
    let (store, record) = try await store()
    let changes = [
      person(1, "Zoe", age: .integer(3)), person(2, "Bob", age: .integer(31)), person(3, "Al", age: .real(2)),
      person(4, "Eve", age: .text("3")), person(5, "Ann", age: .integer(3), half: .real(1.5)),
      person(6, "Ted", age: .integer(3), half: .integer(1)),
    ]
    let session = try await SyncSession("test", store: store, records: [record], source: BatchSource(changes))
    let summary = try await session.run()
    #expect(summary.counts.written == 3 && summary.counts.quarantined == 3)
    #expect(try await rows(store) == ["1Zoe", "3Al", "5Ann"])
    let quarantine = try await session.quarantine()
    #expect(quarantine.map(\.column) == ["Age", "Age", "half"])
    #expect(
      quarantine.allSatisfy {
        $0.reason
          == "the table computes another value for this generated column. Ignore the column (FileOptions.ignoredColumns)"
      })
    // No sent value is kept beside the row.
    #expect(try await session.keptColumns().isEmpty)
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_extra_person") == 0)
    // An existing row stays unchanged if the sent row is quarantined.
    let other = [person(1, "Zoey", age: .integer(3))]
    let again = try await SyncSession("again", store: store, records: [record], source: BatchSource(other))
    #expect(try await again.run().counts.quarantined == 1)
    #expect(try await rows(store) == ["1Zoe", "3Al", "5Ann"])
  }

  /// Pulled rows with the same computed values leave the table unchanged.
  @Test func rowsWithEqualComputedValuesAreUnchanged() async throws {
    let (store, record) = try await store("; INSERT INTO person (id, name) VALUES (1, 'Zoe'), (2, NULL)")
    let changes = [
      person(1, "Zoe", age: .integer(3), half: .real(1.5)),
      SyncChange("person", key: [.integer(2)], .row(["name": .null, "age": .null, "half": .null])),
    ]
    let session = try await SyncSession("test", store: store, records: [record], source: BatchSource(changes))
    #expect(try await session.run().isUnchanged)
  }
}
