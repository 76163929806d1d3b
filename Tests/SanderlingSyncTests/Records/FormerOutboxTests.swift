import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A database of an earlier release (commit 689b670) opens with all its pending changes.
/// `Tests/FormerDatabases/outbox.sql` has a change in each of its states.
@Suite struct FormerOutboxTests {
  @Record("notes") struct Note {
    @PrimaryKey var id: String
    var title: String
    var weight: Double?
    var picture: Data?
  }

  @Record("tallies") struct Tally {
    @PrimaryKey var id: Data
    var visits: Int
  }

  private let note = SyncedRecord(Note.self)
  private let tally = SyncedRecord(Tally.self, conflicts: .merge.merging(\Tally.Fields.visits, .counter))
  private var records: [SyncedRecord] { [note, tally] }

  private static let sql = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("FormerDatabases/outbox.sql")

  private func restore(_ path: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let sql = try String(contentsOf: Self.sql, encoding: .utf8)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    // The script contains its own transaction.
    try queue.inDatabase { try $0.execute(sql: sql) }
    try queue.close()
  }

  private func row(
    _ id: String, _ title: String, _ weight: Double = 1.5, _ picture: Data = Data([0, 255])
  ) -> OutboxEntry.Row {
    [.text(id), .text(title), .real(weight), .blob(picture)]
  }

  private func new(_ id: String) -> OutboxEntry.Row { row(id, "mine", .infinity, Data([1])) }

  private func insertion(_ id: String, _ number: Int64) -> OutboxEntry.Sent {
    OutboxEntry.Sent(
      kind: .insertion, row: new(id), columns: [0, 1, 2, 3], number: number, baseVersion: nil)
  }

  private func update(
    _ id: String, _ number: Int64, version: String? = "1", attempts: Int64 = 0
  ) -> OutboxEntry.Sent {
    OutboxEntry.Sent(
      kind: .update, row: row(id, "mine"), columns: [1], number: number, baseVersion: version,
      attempts: attempts)
  }

  /// The expected states of the entries, by the sequences of the entries.
  private var states: [Int64: OutboxEntry.State] {
    let deletion = OutboxEntry.Sent(kind: .deletion, row: nil, columns: [], number: 14, baseVersion: "1")
    return [
      1: .unsent, 2: .unsent, 3: .unsent, 4: .unsent,
      5: .uncertain(insertion("uncertain", 6)),
      7: .taken(insertion("taken", 8), version: "7"),
      9: .sending(insertion("sendingNew", 10), .init()),
      11: .sending(update("sendingChange", 12), .init()),
      13: .sending(deletion, .init()),
      15: .sending(update("sentAgain", 16, attempts: 1), .init()),
      17: .sending(update("failed", 18), .init(failure: "no network")),
      19: .sending(update("editedSince", 20), .init(isEdited: true)),
      22: .sending(update("toldAgain", 23, version: nil), .init(basis: .toldAgain)),
      24: .sending(update("rebased", 25), .init(basis: .changed)),
      26: .sending(update("sendingDeparted", 27), .init()),
      28: .unsent,
      29: .refused(update("refused", 30), reason: "no", isEdited: false),
      31: .refused(update("refusedEdited", 32), reason: "no", isEdited: true),
      33: .refused(update("refusedDeparted", 34), reason: "no", isEdited: false),
      36: .uncertain(update("stuck", 39)),
      40: .uncertain(update("conflicted", 41)),
    ]
  }

  @Test func formerEntriesOfAllStatesAreConverted() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("former.db")
    try restore(path)
    try DatabaseQueue(path: path).write { db in
      try OutboxSchema.install(records, on: db)
      let entries = try ServerImage.entries(note, db)
      #expect(entries.map(\.sequence).sorted() == states.keys.sorted())
      for entry in entries { #expect(entry.state == states[entry.sequence], "\(entry.sequence)") }
      let bySequence = Dictionary(uniqueKeysWithValues: entries.map { ($0.sequence, $0) })
      #expect(entries.filter(\.isDeparted).map(\.sequence).sorted() == [26, 28, 33])
      #expect(
        Dictionary(uniqueKeysWithValues: entries.map { ($0.sequence, $0.conflicts) }).filter { $0.value > 0 }
          == [5: 1, 36: 3, 40: 1])
      #expect(
        bySequence[24]?.base == row("rebased", "server", 2.5) && bySequence[24]?.row == row("rebased", "mine", 2.5))
      #expect(
        bySequence[19]?.base == row("editedSince", "server") && bySequence[19]?.row == row("editedSince", "later"))
      #expect(bySequence[3]?.base == row("deleted", "server") && bySequence[3]?.row == nil)
      #expect(bySequence[1]?.base == nil && bySequence[1]?.row == new("new"))
      let held = try ServerImage.entries(tally, db).map { entry -> SyncChange.Content? in
        guard case .sending(_, let meanwhile) = entry.state else { return nil }
        return meanwhile.held?.content
      }
      #expect(held == [.row(["visits": .integer(8)]), nil, .row(["visits": .integer(8)])])
      // A second installation changes nothing.
      let version = try Int.fetchOne(db, sql: "PRAGMA schema_version")
      try OutboxSchema.install(records, on: db)
      #expect(try Int.fetchOne(db, sql: "PRAGMA schema_version") == version)
    }
  }

  /// A sink that accepts all mutations.
  private struct Sink: SyncSink {
    let sent = NotedMutations()

    func send(_ mutations: [Mutation]) async throws -> [MutationOutcome] {
      sent.note(mutations)
      return mutations.map { _ in .acknowledged(version: "100") }
    }
  }

  /// A synchronisation converts only its own refused changes, and none of another synchronisation in the same database.
  @Test(arguments: [true, false]) func sessionConvertsOnlyItsOwnRefusedChanges(isNoteFirst: Bool) async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("former.db")
    try restore(path)
    try await DatabaseQueue(path: path).write { db in
      try db.execute(
        sql: """
          UPDATE sanderling_sync_outboxes SET session = 'tallies' WHERE name = 'tallies';
          UPDATE sanderling_sync_quarantine SET name = 'tallies' WHERE record = 'tallies'
          """)
    }
    let store = try Store(path: path, schema: [Note.self, Tally.self])
    var refused: [String: [QuarantinedChange]] = [:]
    for (name, record) in isNoteFirst ? [("test", note), ("tallies", tally)] : [("tallies", tally), ("test", note)] {
      let session = try await SyncSession(
        name, store: store, records: [record], source: BatchSource([]), sink: Sink())
      refused[name] = try await session.quarantine()
    }
    #expect(
      refused["test"]?.map(\.change.key) == [[.text("refused")], [.text("refusedEdited")], [.text("refusedDeparted")]])
    #expect(refused["tallies"]?.map(\.change.key) == [[.blob(Data([2]))]])
    #expect(refused["tallies"]?.first?.change.content == .row(["visits": .integer(7)]))
    let conflicts = try await ConflictLog(of: store, records: records).conflicts()
    #expect(conflicts.count == 3 && conflicts.dropLast().last?.key == [.blob(Data([255]))])
    try store.close()
  }

  @Test func formerChangesAreSentAndTheirLogIsRead() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("former.db")
    try restore(path)
    let store = try Store(path: path, schema: [Note.self, Tally.self])
    let sink = Sink()
    let session = try await SyncSession(
      "test", store: store, records: records, source: BatchSource([]), sink: sink)
    let refused = try await session.quarantine()
    #expect(refused.map(\.direction) == [.sent, .sent, .sent, .sent])
    #expect(
      refused.map(\.change.key) == [
        [.text("refused")], [.text("refusedEdited")], [.text("refusedDeparted")], [.blob(Data([2]))],
      ])
    #expect(refused.last?.change.content == .row(["visits": .integer(7)]) && refused.last?.reason == "no é")
    let conflicts = try await ConflictLog(of: store, records: records).conflicts()
    #expect(conflicts.count == 3)
    #expect(
      conflicts.last?.loss
        == .row([
          "id": .text("gone"), "title": .text("a\"\né"), "weight": .real(-0.0), "picture": .blob(Data([0, 255])),
        ]))
    #expect(conflicts.dropLast().last?.key == [.blob(Data([255]))])
    #expect(conflicts.first?.loss == .value(column: "weight", lost: .real(.infinity), kept: .null))
    try await session.run()
    let sent = sink.sent.all
    // Mutations that were being sent are sent again with their old numbers.
    let again = sent.prefix { $0.sequence <= 47 }
    #expect(again.map(\.sequence) == [10, 12, 14, 16, 18, 20, 23, 25, 27, 43, 47])
    let later = Dictionary(grouping: sent.dropFirst(again.count), by: \.key)
    func content(_ id: String) -> [Mutation.Content]? { later[[.text(id)]]?.map(\.content) }
    #expect(
      content("new") == [
        .insertion([
          "id": .text("new"), "title": .text("mine"), "weight": .real(.infinity), "picture": .blob(Data([1])),
        ])
      ])
    #expect(content("changed") == [.update(["title": .text("both")])])
    #expect(content("deleted") == [.deletion])
    #expect(content("editedSince") == [.update(["title": .text("later")])])
    #expect(content("refusedEdited") == [.update(["title": .text("later")])])
    for id in ["equal", "refused", "refusedDeparted"] { #expect(content(id) == nil, "\(id)") }
    for id in ["departed", "stuck", "conflicted", "rebased"] {
      #expect(content(id) == [.update(["title": .text("mine")])], "\(id)")
    }
    // Departed rows no longer belong to this device, so they are removed.
    let departed = try await store.read {
      try String.fetchAll($0.database, sql: "SELECT id FROM notes WHERE id LIKE '%departed' ORDER BY id")
    }
    #expect(departed == ["refusedDeparted"])
    #expect(try await store.count("SELECT count(*) FROM sanderling_sync_changes_notes WHERE state <> 2") == 0)
    try store.close()
  }
}
