import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// After a process was killed while a change was in any state, the next session makes the device and the server equal.
///
/// The tests copy the database file and its write-ahead log while a session runs. A killed process leaves the same
/// files.
@Suite(.timeLimit(.minutes(5))) struct KilledSessionTests {
  private typealias Note = SampleEntries.Note

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Whether the mutation under way had arrived at the server when the process ended.
  enum Arrival: CaseIterable { case before, after }

  private static let states = SampleEntries.entries.compactMap { entry in entry.entry.map { (entry.name, $0) } }

  private func abandon(_ path: String, as copy: String) throws {
    for end in ["", "-wal"] where FileManager.default.fileExists(atPath: path + end) {
      try FileManager.default.copyItem(atPath: path + end, toPath: copy + end)
    }
  }

  /// The synchronised record, with the default merge.
  private var record: SyncedRecord { SyncedRecord(Note.self) }

  private func values(_ row: OutboxEntry.Row) -> [String: StorageValue] {
    Dictionary(uniqueKeysWithValues: zip(record.synced.columns, row))
  }

  @Test(arguments: MemoryServer.Rule.allCases, Arrival.allCases)
  func theNextSessionEndsEqual(rule: MemoryServer.Rule, arrival: Arrival) async throws {
    for (name, entry) in Self.states {
      let comment: Comment = "\(name), \(rule), \(arrival)"
      let server = MemoryServer(rule)
      let path = folder.path("\(UUID().uuidString).db")
      let (store, record) = (try Store(path: path, schema: [Note.self]), self.record)
      let connection = MemoryServerConnection(server: server)
      _ = try await SyncSession("test", store: store, records: [record], source: connection, sink: connection)
      if let base = entry.base { await server.edit("notes", SampleEntries.key, values(base)) }
      let client = try await store.write { tx in
        let db = tx.database
        for _ in 0..<10 { _ = try SyncControl.nextNumber(db) }
        try SyncControl.applying(db) { try record.synced.write(entry.row, replacing: nil, key: SampleEntries.key, db) }
        try record.synced.setVersion(entry.base == nil ? nil : "1", of: SampleEntries.key, db)
        try record.store(entry, replacing: nil, db)
        return try SyncControl.client(db)
      }
      var isTaken = false
      if case .taken = entry.state { isTaken = true }
      if case .sending(_, let meanwhile) = entry.state { isTaken = meanwhile.acknowledgement != nil }
      if var sent = entry.sent, arrival == .after || isTaken, !entry.isRefused {
        // An accepted mutation no longer has its base version.
        if entry.base != nil { sent.baseVersion = "1" }
        let mutation = sent.mutation(record, key: SampleEntries.key, client: client)
        let outcome = await server.take(mutation)
        #expect(outcome.isAcknowledged, comment)
      }
      let copy = folder.path("\(UUID().uuidString).db")
      try abandon(path, as: copy)
      try store.close()

      let next = try Store(path: copy, schema: [Note.self])
      let session = try await SyncSession(
        "test", store: next, records: [record], source: connection, sink: connection)
      if entry.isRefused { try await next.write { try $0.execute("UPDATE notes SET x = 7") } }
      for _ in 0..<3 { try await session.run() }
      #expect(try await next.count(Store.countPendingChanges(of: [record])) == 0, comment)
      #expect(try await next.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 0, comment)
      let here = try await next.read { try ServerImage.rows(record.synced, $0.database) }
      let there = await server.rows
      #expect(
        here.mapValues(values) == Dictionary(uniqueKeysWithValues: there.map { ($0.key.values, $0.value) }), comment)
      #expect(await server.repeated.isEmpty, comment)
      try next.close()
    }
  }

  /// An answer is stored as soon as it arrives, so a mutation is not sent again after the process was killed. A server
  /// without numbers would otherwise count a counter's change twice.
  @Test func acknowledgedMutationIsNotSentAgainAfterAKill() async throws {
    let path = folder.path("killed.db")
    let store = try Store(path: path, schema: [Note.self])
    let record = SyncedRecord(Note.self, conflicts: .merge.merging(\Note.Fields.x, .counter))
    let server = ExchangeServer(knowsNumbers: false)
    func note(_ x: Int64, version: String) -> SyncChange {
      SyncChange("notes", key: SampleEntries.key, .row(["x": .integer(x), "y": .integer(1)]), version: version)
    }
    let session = try await SyncSession("test", store: store, records: [record], source: server, sink: server)
    let run = Task { try await session.run() }
    server.give(note(1, version: "1"))
    try await store.waits(until: 1, "SELECT count(*) FROM notes")
    await server.isAsked()
    server.answer { _ in .acknowledged(version: "2") }
    try await store.write { try $0.execute("UPDATE notes SET x = x + 1") }
    // The running poll never ends.
    try await store.waits(until: 1, "SELECT count(*) FROM sanderling_sync_changes_notes WHERE answer IS NOT NULL")
    let copy = folder.path("copy.db")
    try abandon(path, as: copy)
    session.cancel()
    server.end()
    await #expect(throws: CancellationError.self) { try await run.value }
    try store.close()

    let next = try Store(path: copy, schema: [Note.self])
    let later = ExchangeServer(knowsNumbers: false)
    later.give(note(2, version: "2"))
    later.end()
    let summary = try await SyncSession("test", store: next, records: [record], source: later, sink: later).run()
    #expect(summary.sent?.acknowledged == 1 && later.sent.isEmpty)
    #expect(try await next.count("SELECT x FROM notes") == 2)
    #expect(try await next.count("SELECT count(*) FROM sanderling_sync_changes_notes") == 0)
    try next.close()
  }
}

extension OutboxEntry {
  fileprivate var isRefused: Bool { if case .refused = state { true } else { false } }
}
