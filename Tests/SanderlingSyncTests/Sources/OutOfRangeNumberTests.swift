import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A JSON number that no column can hold is quarantined. SQLite would read infinity or keep a text; both are other
/// values.
@Suite struct OutOfRangeNumberTests {
  @Record("scale")
  struct Scale: Equatable {
    var id: Int
    var weight: Double?
    var count: Int?
    var name: String?
    var price: Decimal?
    @Stored(as: .iso8601) var on: Date?
  }

  enum Before {
    @Record("note") struct Note: Equatable {
      var id: Int
    }
  }

  enum After {
    @Record("note") struct Note: Equatable {
      var id: Int
      var weight: Double?
      var text: String?
    }
  }

  private static let reason = "it is a number beyond the range of a double"
  private let folder: TemporaryFolder
  private var path: String { folder.path("rows.jsonl") }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func session(_ text: String, _ store: Store) async throws -> SyncSession {
    try Data(text.utf8).write(to: URL(filePath: path))
    let record = SyncedRecord(Scale.self)
    return try await SyncSession(
      "file", store: store, records: [record], source: JSONLinesSource(path: path, of: record))
  }

  @Test(arguments: ["1e400", "-1E+309", "17976931348623159e292"])
  func outOfRangeNumberIsQuarantinedWithItsRowAndColumn(number: String) async throws {
    let store = try Store(inMemory: [Scale.self])
    let columns = ["weight", "count", "name", "price", "on"]
    let lines = columns.enumerated().map { #"{"id":\#($0 + 1),"\#($1)":\#(number)}"# }
    let session = try await session(lines.joined(separator: "\n") + "\n" + #"{"id":9,"weight":1e308}"# + "\n", store)
    let summary = try await session.run()
    #expect(summary.counts.quarantined == 5 && summary.counts.written == 1)
    let quarantine = try await session.quarantine()
    #expect(quarantine.map(\.column) == columns)
    #expect(quarantine.map(\.reason) == (1...5).map { "\(Self.reason) (line \($0))" })
    #expect(quarantine.map(\.change.key) == (1...5).map { [.integer($0)] })
    // The same value is quarantined again in a retry, and a retry with another value succeeds.
    #expect(try await !session.retry(quarantine[0].id))
    let again = try #require(try await session.quarantine().last)
    #expect(again.column == "weight" && again.reason == "\(Self.reason) (line 1)")
    #expect(try await session.retry(again.id, with: ["weight": .real(2)]))
    #expect(try await store.fetch(Scale.order { $0.id }).map(\.weight) == [2, 1e308])
  }

  @Test func rowWithAnOutOfRangeKeyIsQuarantined() async throws {
    let store = try Store(inMemory: [Scale.self])
    let session = try await session(#"{"id":1e400,"count":1}"# + "\n", store)
    #expect(try await session.run().counts.quarantined == 1)
    #expect(
      try await session.quarantine().map(\.reason) == ["the key doesn't fit the record: \(Self.reason) (line 1)"])
    #expect(try await store.count(Scale.query) == 0)
  }

  /// The number is kept beside the row while its column is unknown, and quarantined when the next release adds the
  /// column.
  @Test(arguments: ["weight", "text"]) func outOfRangeNumberIsKeptUntilItsColumnIsAdded(column: String) async throws {
    let file = folder.path("later.sqlite")
    try Data(#"{"id":1,"\#(column)":1e400}"#.utf8).write(to: URL(filePath: path))
    let first = try Store(path: file, schema: [Before.Note.self])
    let record = SyncedRecord(Before.Note.self)
    let loading = try await SyncSession(
      "file", store: first, records: [record], source: JSONLinesSource(path: path, of: record))
    let counts = try await loading.run().counts
    #expect(counts.written == 1 && counts.quarantined == 0)
    try first.close()
    let later = try Store(path: file, schema: [After.Note.self])
    let session = try await SyncSession(
      "file", store: later, records: [SyncedRecord(After.Note.self)], source: BatchSource([SyncBatch]()))
    try await session.run()
    #expect(try await later.fetch(After.Note.query) == [After.Note(id: 1)])
    #expect(try await session.quarantine().map(\.reason) == [Self.reason])
    #expect(try await session.quarantine().map(\.column) == [column])
    try later.close()
  }

  /// A pulled value is checked against its column also if its row is merged with a local change.
  @Test(arguments: [("count", StorageValue.text("many")), ("weight", .beyondNumbers)])
  func mergedValuesAreCheckedAgainstTheirColumn(column: String, value: StorageValue) async throws {
    struct Sink: SyncSink {
      func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] { mutations.map { _ in .conflict } }
    }
    let store = try Store(inMemory: [Scale.self])
    func session(_ change: SyncChange) async throws -> SyncSession {
      try await SyncSession(
        "test", store: store, records: [SyncedRecord(Scale.self)], source: BatchSource([change]), sink: Sink())
    }
    let key: [StorageValue] = [.integer(1)]
    try await session(SyncChange("scale", key: key, .row(["name": .text("a")]), version: "1")).run()
    try await store.write { try $0.update(Scale.self, key: 1) { $0.name = "mine" } }
    let pulling = try await session(SyncChange("scale", key: key, .row([column: value]), version: "2"))
    _ = try? await pulling.run()
    #expect(try await pulling.quarantine().filter { $0.direction == .pulled }.map(\.column) == [column])
    #expect(try await store.fetch(Scale.query).map(\.name) == ["mine"])
    #expect(try await store.fetch(Scale.query).allSatisfy { $0.count == nil && $0.weight == nil })
  }
}
