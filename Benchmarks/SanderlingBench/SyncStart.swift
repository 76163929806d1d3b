import Foundation
import GRDB
import Sanderling
import SanderlingSQLite
import SanderlingSync

/// The time from an empty database to the first 50 rows and a count, of notes pulled from a server.
struct SyncStart {
  let folder: String
  let count: Int

  /// The size of the log that a killed process leaves.
  private var logSize: Int { count > 100_000 ? 200 << 20 : 1 << 20 }

  func work() async throws -> BenchmarkWork {
    let whole = "\(folder)/whole.sqlite"
    let store = try Store(path: whole, schema: [SyncedWords.self])
    let session = try await SyncSession(
      "notes", store: store, records: [SyncedRecord(SyncedWords.self)], source: NoteSource(count: count))
    try await session.run()
    try await store.searchIndexed()
    let cut = try await killed(store)
    try store.close()
    return BenchmarkWork(
      figures: [
        .init(name: "start: open, 50 rows, a count of \(count) notes", unit: .milliseconds),
        .init(name: "start during a synchronisation", unit: .milliseconds),
        .init(name: "start after a kill, with a log of \(logSize >> 20) MB", unit: .milliseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        [try await start(whole), try await beside { try await start(whole) }, try await copied(cut, start)]
      },
      limit: nil,
      peers: [
        .init(name: "GRDB") {
          [try await byGRDB(whole), try await beside { try await byGRDB(whole) }, try await copied(cut, byGRDB)]
        }
      ], rounds: 5)
  }

  /// A copy of a database and its log, as a killed process leaves them.
  private func killed(_ store: Store) async throws -> String {
    let cut = "\(folder)/cut.sqlite"
    try await store.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_autocheckpoint = 0") }
    var number = 0
    while size(store.writer.path + "-wal") < logSize {
      number += 1
      let part = number % 50
      try await store.write("grow") { tx in
        try tx.database.execute(sql: "UPDATE note SET body = body || ' ' WHERE contextID = ?", arguments: [part])
      }
    }
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: store.writer.path + end, toPath: cut + end)
    }
    return cut
  }

  private func size(_ path: String) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
  }

  private func copied(_ path: String, _ start: (String) async throws -> Double) async throws -> Double {
    let copy = "\(folder)/copy-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) } }
    for end in ["", "-wal"] { try FileManager.default.copyItem(atPath: path + end, toPath: copy + end) }
    return try await start(copy)
  }

  /// Runs the body while another connection applies a server's changes.
  private func beside(_ body: () async throws -> Double) async throws -> Double {
    let store = try Store(path: "\(folder)/whole.sqlite", schema: [SyncedWords.self])
    let session = try await SyncSession(
      "beside \(UUID().uuidString)", store: store, records: [SyncedRecord(SyncedWords.self)],
      source: NoteSource(count: count))
    let running = Task { try await session.run() }
    try await Task.sleep(for: .milliseconds(100))
    let time = try await body()
    session.cancel()
    _ = await running.result
    try store.close()
    return time
  }

  private func start(_ path: String) async throws -> Double {
    let clock = ContinuousClock.now
    let store = try Store(path: path, schema: [SyncedWords.self])
    let rows = try await store.fetch(SyncedWords.order { $0.changedAt.descending }.limit(50))
    let count = try await store.count(SyncedWords.where { $0.contextID == 7 })
    let time = clock.duration(to: .now).inSeconds
    guard rows.count == 50, count > 0 else { throw BenchmarkError("\(rows.count) rows, \(count) counted") }
    try store.close()
    return time
  }

  private func byGRDB(_ path: String) async throws -> Double {
    let clock = ContinuousClock.now
    let pool = try DatabasePool(path: path)
    let rows = try await pool.read {
      try UpsertedNote.fetchAll(
        $0, sql: "SELECT id, contextID, title, changedAt, body FROM note ORDER BY changedAt DESC LIMIT 50")
    }
    let count = try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note WHERE contextID = 7") }
    let time = clock.duration(to: .now).inSeconds
    guard rows.count == 50, count ?? 0 > 0 else { throw BenchmarkError("\(rows.count) rows") }
    try pool.close()
    return time
  }
}
