import Foundation
import GRDB
import Sanderling
import SanderlingTesting
import Testing

@testable import SanderlingSync

/// Devices and a server with lost requests and answers between them end equal, and each mutation is applied once.
@Suite struct LossyPushTests {
  @Record("notes") struct Note {
    @PrimaryKey var id: String
    var title: String
    var body: String
    var visits: Int
  }

  @Record("remarks") struct Remark {
    var id: Int
    @References(Note.self, onDelete: .cascade) var note: String?
    var text: String
  }

  /// A device whose store is a file. The store is reopened after its process ends.
  private final class Device {
    let path: String
    let records: [SyncedRecord]
    var store: Store

    init(_ folder: String, _ name: String, _ records: [SyncedRecord]) async throws {
      path = folder + "/" + name
      self.records = records
      store = try Store(path: path, schema: [Note.self, Remark.self])
      try await install()
    }

    func reopen() async throws {
      try store.close()
      store = try Store(path: path, schema: [Note.self, Remark.self])
      try await install()
    }

    private func install() async throws {
      let records = records
      try await store.write { tx in
        try OutboxSchema.install(records, on: tx.database)
        try tx.database.execute(sql: "CREATE TABLE IF NOT EXISTS cursor (value INTEGER)")
      }
    }

    func push(
      _ sink: LossySink, at moment: PushMoment = .beforePull, batchSize: Int, attempts: Int
    ) async throws -> PushLoop.Summary {
      let (store, records) = (store, records)
      let isAppliedOnce = sink.server.rule != .ifMatch
      // The push runs in its own task, which the sink cancels to simulate the end of the process.
      return try await Task {
        var loop = PushLoop(
          store: store, outbox: Outbox(name: "test", records: records, isAppliedOnce: isAppliedOnce), sink: sink)
        loop.batchSize = batchSize
        loop.backoff = PushBackoff(first: .zero, attempts: attempts)
        return try await loop.run(at: moment)
      }.value
    }

    /// Sends changes, pulls, and sends the changes that waited for the pull, as a run of a session does.
    func exchange(_ sink: LossySink) async throws {
      _ = try await push(sink, batchSize: 10, attempts: 1)
      try await pull(sink.server)
      _ = try await push(sink, at: .afterPull, batchSize: 10, attempts: 1)
    }

    func pull(_ server: MemoryServer) async throws {
      let cursor = try await store.read { try Int.fetchOne($0.database, sql: "SELECT value FROM cursor") ?? 0 }
      let (changes, next) = await server.changes(after: cursor)
      let records = records
      try await store.write { tx in
        let db = tx.database
        try SyncControl.applying(db) {
          for change in changes {
            guard let record = records.first(where: { $0.name == change.record }) else { continue }
            if try Outbox.merge(change, of: record, in: db) { continue }
            let table = record.synced
            var row: [StorageValue]?
            if case .row(let values) = change.content { row = table.columns.map { values[$0] ?? .null } }
            try table.write(row, replacing: try table.row(change.key, db), key: change.key, db)
            try table.setVersion(row == nil ? nil : change.version, of: change.key, db)
          }
        }
        try db.execute(sql: "DELETE FROM cursor; INSERT INTO cursor VALUES (?)", arguments: [next])
      }
    }

    func isPending() async throws -> Bool {
      let records = records
      return try await store.read { try !Outbox(name: "test", records: records).isEmpty($0.database) }
    }

    func expectEqual(_ server: MemoryServer, _ comment: Comment) async throws {
      let rows = await server.rows
      for record in records {
        let here = try await store.read { try ServerImage.rows(record.synced, $0.database) }
        let there = rows.filter { $0.key.record == record.name }.map { key, row in
          (key.values, record.synced.columns.map { row[$0] ?? .null })
        }
        #expect(here == Dictionary(uniqueKeysWithValues: there), comment)
      }
    }
  }

  private func withFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await body(folder)
  }

  @Test(arguments: MemoryServer.Rule.allCases)
  func devicesAreEqualInTheEnd(rule: MemoryServer.Rule) async throws {
    var generator = SeededGenerator()
    print("Lossy push: SANDERLING_SEED=\(generator.seed)")
    let comment: Comment = "SANDERLING_SEED=\(generator.seed), \(rule)"
    // The policy merges deletions too. `ReferredRowsTests` tests deletions of rows that remarks refer to.
    let policy = generator.element([ConflictPolicy.merge, .serverWins, .clientWins, .newest(by: \Note.Fields.title)])
    let records = [
      SyncedRecord(Note.self, conflicts: policy.deletions(generator.element([.changeWins, .deletionWins])))
    ]
    for _ in 0..<3 {
      try await withFolder { folder in
        let server = MemoryServer(rule)
        let devices = [
          try await Device(folder, "one.db", records), try await Device(folder, "two.db", records),
        ]
        for step in 0..<40 {
          let device = generator.element(devices)
          let statements = (0..<generator.element([1, 2, 5])).map { _ in Self.statement(step, &generator) }
          try await device.store.write { tx in for sql in statements { try tx.database.execute(sql: sql) } }
          if generator.chance(0.3) {
            let id = StorageValue.text(generator.element(Self.ids))
            let row: [String: StorageValue] = [
              "id": id, "title": .text("server \(step)"), "body": .text("server"), "visits": .integer(7),
            ]
            await server.edit("notes", [id], generator.chance(0.3) ? nil : row)
          }
          if generator.chance(0.6) {
            let sink = LossySink(server, SeededGenerator(seed: generator.next()), losses: 0.15)
            do {
              _ = try await device.push(sink, batchSize: generator.element([1, 3, 100]), attempts: 3)
            } catch is CancellationError {
              try await device.reopen()
            }
          }
          if generator.chance(0.4) { try await device.pull(server) }
        }
        for _ in 0..<10 {
          for device in devices {
            try await device.exchange(LossySink(server, generator, losses: 0))
          }
        }
        for device in devices {
          #expect(try await !device.isPending(), comment)
          try await device.expectEqual(server, comment)
        }
        // An insertion's version, "no row", matches again after another client deleted the inserted row.
        let repeated = await server.repeated.filter { rule != .ifMatch || !$0.isInsertion }
        #expect(repeated.isEmpty, comment)
        #expect(await server.changedAgain.isEmpty, comment)
      }
    }
  }

  /// A counter equals the sum of all devices' increments, although answers are lost between pulls.
  @Test func countersEqualTheSumOfAllDevices() async throws {
    var generator = SeededGenerator()
    print("Counters: SANDERLING_SEED=\(generator.seed)")
    let records = [SyncedRecord(Note.self, conflicts: .merge.merging(\Note.Fields.visits, .counter))]
    try await withFolder { folder in
      let server = MemoryServer(.ifMatchOnce)
      await server.edit(
        "notes", [.text("a")], ["id": .text("a"), "title": .text(""), "body": .text(""), "visits": .integer(0)])
      let devices = [try await Device(folder, "one.db", records), try await Device(folder, "two.db", records)]
      for device in devices { try await device.pull(server) }
      var counted = 0
      for _ in 0..<60 {
        let device = generator.element(devices)
        counted += 1
        try await device.store.write { try $0.database.execute(sql: "UPDATE notes SET visits = visits + 1") }
        if generator.chance(0.5) {
          let sink = LossySink(server, SeededGenerator(seed: generator.next()), losses: 0.2)
          while true {
            do {
              let summary = try await device.push(sink, batchSize: 10, attempts: 100)
              #expect(summary.failed == 0)
              break
            } catch is CancellationError {
              try await device.reopen()
            }
          }
          try await device.pull(server)
        }
      }
      for _ in 0..<4 {
        for device in devices {
          try await device.exchange(LossySink(server, generator, losses: 0))
        }
      }
      let row = await server.rows[MemoryServer.Key(record: "notes", values: [.text("a")])]
      #expect(row?["visits"] == .integer(Int64(counted)), "SANDERLING_SEED=\(generator.seed)")
      for device in devices { try await device.expectEqual(server, "SANDERLING_SEED=\(generator.seed)") }
    }
  }

  /// A server that checks references refuses no mutation of a device, whatever the order and merging of its changes.
  @Test(arguments: MemoryServer.Rule.allCases)
  func orderOfMutationsViolatesNoReference(rule: MemoryServer.Rule) async throws {
    var generator = SeededGenerator()
    print("Order: SANDERLING_SEED=\(generator.seed)")
    let records = [SyncedRecord(Remark.self), SyncedRecord(Note.self)]
    try await withFolder { folder in
      let server = MemoryServer(rule, parents: ["remarks": ("note", "notes")])
      let device = try await Device(folder, "one.db", records)
      for step in 0..<150 {
        var statements: [String] = []
        for _ in 0..<generator.element([1, 2, 5]) {
          statements.append(Self.statement(step, &generator))
          let note = "(SELECT id FROM notes WHERE id >= '\(generator.element(Self.ids))' LIMIT 1)"
          let id = Int.random(in: 1...6, using: &generator)
          statements.append(
            generator.element([
              "INSERT OR REPLACE INTO remarks VALUES (\(id), \(note), 'new')",
              "UPDATE remarks SET note = \(note) WHERE id = \(id)", "DELETE FROM remarks WHERE id = \(id)",
            ]))
        }
        let run = statements
        try await device.store.write { tx in for sql in run { try tx.database.execute(sql: sql) } }
        if generator.chance(0.5) {
          let sink = LossySink(server, SeededGenerator(seed: generator.next()), losses: rule == .ifMatch ? 0 : 0.1)
          do {
            let summary = try await device.push(sink, batchSize: generator.element([1, 2, 5, 100]), attempts: 50)
            #expect(summary.refused == 0, "SANDERLING_SEED=\(generator.seed), step \(step)")
          } catch is CancellationError {
            try await device.reopen()
          }
        }
      }
      _ = try await device.push(LossySink(server, generator, losses: 0), at: .afterPull, batchSize: 2, attempts: 1)
      #expect(try await !device.isPending())
      try await device.expectEqual(server, "SANDERLING_SEED=\(generator.seed)")
    }
  }

  private static let ids = ["a", "b", "c", "d"]

  private static func statement(_ step: Int, _ generator: inout SeededGenerator) -> String {
    let id = generator.element(ids)
    return generator.element([
      "INSERT OR REPLACE INTO notes VALUES ('\(id)', 'title \(step)', 'body', \(step))",
      "INSERT OR IGNORE INTO notes VALUES ('\(id)', 'title \(step)', 'body', 0)",
      "UPDATE notes SET title = 'title \(step)' WHERE id = '\(id)'",
      "UPDATE notes SET body = 'body \(step)'", "UPDATE notes SET visits = visits + 1 WHERE id = '\(id)'",
      "DELETE FROM notes WHERE id = '\(id)'",
    ])
  }
}
