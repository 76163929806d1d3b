import Foundation
import GRDB
import Sanderling
import Testing

@testable import SanderlingSync

/// A device equals the server after any random history of the server. The batches are cut anywhere, sources and
/// statements fail, runs are cancelled, and stores are reopened.
@Suite struct RandomPullTests {
  @Test func everyHistoryLeadsToTheServersRows() async throws {
    var generator = SeededGenerator()
    print("Pulls: SANDERLING_SEED=\(generator.seed)")
    for round in 1...25 {
      try await run(&generator, "SANDERLING_SEED=\(generator.seed), round \(round)")
    }
  }

  private func run(_ generator: inout SeededGenerator, _ comment: Comment) async throws {
    let path = NSTemporaryDirectory() + "pull-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    var server = RandomServer()
    var store = try Store.failing(path)
    var open = await OpenResults(store)
    for part in 0..<4 {
      let batches =
        part > 0 && Bool.random(using: &generator)
        ? server.snapshot(using: &generator)
        : server.history(of: .random(in: 20...150, using: &generator), using: &generator)
      // The cursors of each part count from 0 again.
      if part > 0 {
        try await store.write { try $0.database.execute(sql: "UPDATE sanderling_sync_state SET cursor = NULL") }
      }
      var isDone = false
      while !isDone {
        let isCalm = Int.random(in: 0..<5, using: &generator) == 0
        let source = BatchSource(
          batches, failsBefore: isCalm ? nil : .random(in: 0...batches.count * 3 / 2, using: &generator))
        var options = SyncOptions()
        options.pace = SlicePace(changes: .random(in: 1...10, using: &generator))
        if Int.random(in: 0..<3, using: &generator) == 0 { options.shows = .checkpoints }
        let synchronization = try await SyncSession(
          "random", store: store, records: syncedRecords, source: source, options: options)
        if !isCalm, Int.random(in: 0..<3, using: &generator) == 0 {
          try await store.plantFailure(after: .random(in: 0..<60, using: &generator))
        } else if !isCalm, Int.random(in: 0..<3, using: &generator) == 0 {
          try await store.fillDisk(but: .random(in: 0..<6, using: &generator))
        }
        let task = Task { try await synchronization.run() }
        if !isCalm, Int.random(in: 0..<4, using: &generator) == 0 {
          for _ in 0..<Int.random(in: 0..<40, using: &generator) { await Task.yield() }
          synchronization.cancel()
        }
        switch await task.result {
        case .success(let summary):
          #expect(summary.waiting == 0, comment)
          isDone = true
        case .failure(let error):
          let isPlanted = if case StoreError.diskFull = error { true } else { false }
          #expect(!isCalm && (isPlanted || error is BatchSource.Failure || error is CancellationError), comment)
        }
        try await store.removeFailure()
        if .random(using: &generator) {
          try await open.check(store, comment)
          try store.close()
          store = try Store.failing(path)
          open = await OpenResults(store)
        }
      }
      try await server.check(store, comment)
      try await open.check(store, comment)
    }
    try store.close()
  }
}

/// A live list and a live count, which are checked while rows change.
@MainActor
private struct OpenResults {
  let list: LiveList<Note>
  let count: LiveCount

  init(_ store: Store) {
    list = store.liveList(Note.order { $0.id }, start: .immediate)
    count = store.liveCount(Note.where { $0.title.contains("e") }, start: .immediate)
  }

  func check(_ store: Store, _ comment: Comment) async throws {
    try await list.caughtUp()
    try await count.caughtUp()
    #expect(try await Array(list.rows) == store.fetch(Note.order { $0.id }), comment)
    #expect(try await count.value == store.count(Note.where { $0.title.contains("e") }), comment)
  }
}

extension Store {
  /// Opens a store whose writes can be made to fail.
  fileprivate static func failing(_ path: String) throws -> Store {
    var configuration = defaultConfiguration
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("raise_full", argumentCount: 0) { _ in throw DatabaseError(resultCode: .SQLITE_FULL)
        })
    }
    return try Store(path: path, schema: recordTypes, configuration: configuration)
  }

  /// Makes writes to notes fail as on a full disk, after `count` successful writes.
  fileprivate func plantFailure(after count: Int) async throws {
    try await write { tx in
      try tx.database.execute(
        sql: """
          CREATE TABLE planted (rest INTEGER);
          INSERT INTO planted VALUES (\(count));
          CREATE TRIGGER planted_failure AFTER INSERT ON note BEGIN
            UPDATE planted SET rest = rest - 1;
            SELECT raise_full() FROM planted WHERE rest < 0;
          END;
          """)
    }
  }

  /// Makes each statement fail that needs more than `pages` new pages.
  fileprivate func fillDisk(but pages: Int) async throws {
    try await write { tx in
      let count = try Int.fetchOne(tx.database, sql: "PRAGMA page_count") ?? 0
      try tx.database.execute(sql: "PRAGMA max_page_count = \(count + pages)")
    }
  }

  fileprivate func removeFailure() async throws {
    try await write { tx in
      try tx.database.execute(sql: "PRAGMA max_page_count = 1073741823")
      try tx.database.execute(sql: "DROP TRIGGER IF EXISTS planted_failure; DROP TABLE IF EXISTS planted")
    }
  }
}
