import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// Columns that an older release of an app doesn't know are stored beside the row, and filled in by the next release.
@Suite struct UnknownColumnTests {
  enum Old {
    @Record("memo")
    struct Memo: Equatable {
      var id: Int
      var text: String
    }
  }

  enum New {
    @Record("memo")
    struct Memo: Equatable {
      var id: Int
      var text: String
      @Stored(as: .iso8601) var dueAt: Date?
      var stars = 0
    }
  }

  @Test func keptValuesMoveIntoANewColumn() async throws {
    let path = NSTemporaryDirectory() + "unknown-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let count = 300
    var changes = (1...count).map { id in
      SyncChange(
        "memo", key: [.integer(Int64(id))],
        .row([
          "text": .text("Memo \(id)"), "dueAt": .text("2025-06-15T15:06:40+00:00"), "stars": .integer(Int64(id)),
          "later": .real(0.5),
        ]))
    }
    changes[6].content = .row(["text": .text("seven"), "stars": .text("many")])
    let old = try Store(path: path, schema: [Old.Memo.self])
    let summary = try await SyncSession(
      "test", store: old, records: [SyncedRecord(Old.Memo.self)], source: BatchSource(changes)
    ).run()
    #expect(summary.counts.written == count && summary.counts.quarantined == 0)
    // A later change of an unknown column is added to the stored values.
    let more = SyncChange("memo", key: [.integer(1)], .row(["stars": .integer(-1)]))
    try await SyncSession(
      "more", store: old, records: [SyncedRecord(Old.Memo.self)],
      source: BatchSource([more, .deletion("memo", .integer(2))])
    ).run()
    try old.close()

    let new = try Store(path: path, schema: [New.Memo.self])
    let synchronization = try await SyncSession(
      "test", store: new, records: [SyncedRecord(New.Memo.self)], source: BatchSource([SyncBatch]()))
    let due = Date(timeIntervalSince1970: 1_750_000_000)
    let expected = (1...count).filter { $0 != 2 }.map { id in
      id == 7
        ? New.Memo(id: 7, text: "seven", dueAt: nil, stars: 0)
        : New.Memo(id: id, text: "Memo \(id)", dueAt: due, stars: id == 1 ? -1 : id)
    }
    #expect(try await new.fetch(New.Memo.order { $0.id }) == expected)
    #expect(try await synchronization.quarantine().map(\.column) == ["stars"])
    #expect(
      try await new.read {
        try String.fetchAll($0.database, sql: "SELECT DISTINCT json FROM sanderling_sync_extra_memo")
      } == [#"{"later":0.5}"#])
    #expect(
      try await new.read { try String.fetchAll($0.database, sql: "SELECT \"column\" FROM sanderling_sync_unknown") }
        == ["later"])
    try new.close()
  }

  private struct Sink: SyncSink {
    let sent = NotedMutations()

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { _ in .conflict }
    }
  }

  /// A pending change keeps its base version when the next release adds a column. Otherwise the change would be in
  /// conflict for ever.
  @Test func pendingChangeKeepsItsBaseVersionWhenAColumnIsAdded() async throws {
    let path = NSTemporaryDirectory() + "unknown-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let old = try Store(path: path, schema: [Old.Memo.self])
    func memo(_ stars: Int64, version: String) -> SyncBatch {
      let values: [String: StorageValue] = ["text": .text("one"), "stars": .integer(stars)]
      return SyncBatch([SyncChange("memo", key: [.integer(1)], .row(values), version: version)])
    }
    let (first, second) = (memo(5, version: "v1"), memo(6, version: "v2"))
    let none = BatchSource([SyncBatch]())
    try await SyncSession(
      "test", store: old, records: [SyncedRecord(Old.Memo.self)], source: BatchSource([first]), sink: Sink()
    ).run()
    try await old.write { try $0.database.execute(sql: "UPDATE memo SET text = 'mine'") }
    // Another client changes an unknown column of a row with a pending change.
    try await SyncSession(
      "test", store: old, records: [SyncedRecord(Old.Memo.self)], source: BatchSource([first, second]), sink: Sink()
    ).run()
    try old.close()

    let new = try Store(path: path, schema: [New.Memo.self])
    let sink = Sink()
    try await SyncSession("test", store: new, records: [SyncedRecord(New.Memo.self)], source: none, sink: sink).run()
    #expect(try await new.fetch(New.Memo.query).map(\.stars) == [6])
    #expect(sink.sent.all.first?.baseVersion == "v2")
    #expect(sink.sent.all.first?.content == .update(["text": .text("mine")]))
    try new.close()
  }

  /// A row that left the device while a change was pending is removed in the next release, too. Otherwise the row would
  /// stay, and its change would be in conflict for ever.
  @Test func departedRowIsRemovedAfterAColumnIsAdded() async throws {
    let path = NSTemporaryDirectory() + "unknown-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let old = try Store(path: path, schema: [Old.Memo.self])
    let values: [String: StorageValue] = ["text": .text("one"), "stars": .integer(5)]
    let first = SyncBatch([SyncChange("memo", key: [.integer(1)], .row(values), version: "v1")])
    let record = SyncedRecord(Old.Memo.self)
    try await SyncSession("test", store: old, records: [record], source: BatchSource([first]), sink: Sink()).run()
    try await old.write { tx in
      try tx.database.execute(sql: "UPDATE memo SET text = 'mine'")
      let departure = SyncChange("memo", key: [.integer(1)], .departure)
      #expect(try Outbox.merge(departure, of: record, in: tx.database))
    }
    try old.close()

    let new = try Store(path: path, schema: [New.Memo.self])
    let none = BatchSource([SyncBatch]())
    try await SyncSession("test", store: new, records: [SyncedRecord(New.Memo.self)], source: none, sink: Sink()).run()
    #expect(try await new.fetch(New.Memo.query) == [])
    try new.close()
  }

  /// A row that was deleted locally and changed by another client comes back with the stored values of its unknown
  /// columns.
  @Test func restoredRowHasTheStoredValuesOfItsUnknownColumns() async throws {
    let path = NSTemporaryDirectory() + "unknown-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let old = try Store(path: path, schema: [Old.Memo.self])
    func memos(_ values: [String: StorageValue], version: String) -> SyncBatch {
      SyncBatch((1...2).map { SyncChange("memo", key: [.integer($0)], .row(values), version: version) })
    }
    let first = memos(["text": .text("one"), "stars": .integer(5)], version: "v1")
    let record = SyncedRecord(Old.Memo.self)
    try await SyncSession("test", store: old, records: [record], source: BatchSource([first]), sink: Sink()).run()
    try await old.write { tx in
      try tx.database.execute(sql: "DELETE FROM memo; DELETE FROM sanderling_sync_extra_memo WHERE k0 = 2")
    }
    try old.close()

    let new = try Store(path: path, schema: [New.Memo.self])
    let second = memos(["text": .text("two")], version: "v2")
    let source = BatchSource([first, second])
    try await SyncSession("test", store: new, records: [SyncedRecord(New.Memo.self)], source: source, sink: Sink())
      .run()
    // A column whose value the server never sent has the record's default.
    #expect(
      try await new.fetch(New.Memo.order { $0.id }).map { [$0.text, "\($0.stars)"] } == [["two", "5"], ["two", "0"]])
    try new.close()
  }
}
