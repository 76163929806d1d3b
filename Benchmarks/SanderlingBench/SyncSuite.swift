import Foundation
import GRDB
import Sanderling
import SanderlingSQLite
import SanderlingSync

/// A server's notes: the first synchronisation, a repeated one, the cost of the outbox, and the delays that users
/// notice.
struct SyncSuite: BenchmarkSuite {
  static let name = "sync"
  let folder: String
  let isShort: Bool

  init(folder: String, isShort: Bool) {
    (self.folder, self.isShort) = (folder, isShort)
  }

  private var count: Int { isShort ? 2_000 : 1_000_000 }
  /// The number of notes that GRDB's observations can follow.
  private var observedCount: Int { isShort ? 2_000 : 20_000 }
  private var resultCount: Int { isShort ? 10 : 100 }

  var works: [BenchmarkWork.Plan] {
    [
      .init("first synchronisation") { first(isSearched: false) },
      .init("first synchronisation, searched") { first(isSearched: true) },
      .init("first synchronisation, watched") { watched },
      .init("second synchronisation") { try await second() },
      .init("outbox") { try await outbox() },
      .init("latency") { SyncLatency(folder: folder, count: count).work },
      .init("start") { try await SyncStart(folder: folder, count: count).work() },
      .init("memory") { SyncMemory(folder: folder, count: count, resultCount: resultCount).work },
    ]
  }

  private func path() -> String { "\(folder)/\(UUID().uuidString).sqlite" }

  private func removing<Value>(_ path: String, _ body: (String) async throws -> Value) async rethrows -> Value {
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    return try await body(path)
  }

  // MARK: First synchronisations

  /// The number of rows per commit in the last synchronisation, including commits of indexing. The versions by hand use
  /// the same number, so the synchronisation runs first.
  private let size = TransactionSize()

  private func pull(_ store: Store, _ record: SyncedRecord, _ count: Int) async throws {
    let before = try await store.writeWithCommit("begin") { _ in }.commit
    let session = try await SyncSession("notes", store: store, records: [record], source: NoteSource(count: count))
    let summary = try await session.run()
    guard summary.counts.written == count else { throw BenchmarkError("\(summary.counts.written) notes are written") }
    let commits = try await store.writeWithCommit("end") { _ in }.commit.number - before.number
    // A short synchronisation has transactions of another size.
    if count == self.count { size.rows = max(1, count / Int(commits)) }
  }

  private func first(isSearched: Bool) -> BenchmarkWork {
    let count = count
    var peers: [BenchmarkWork.Contender] = []
    if !isSearched {
      peers.append(
        .init(name: "GRDB upsert") {
          try await removing(path()) { path in
            let store = try Store(path: path, schema: [SyncedNote.self])
            try store.close()
            let pool = try DatabasePool(path: path)
            return [try await seconds { try await UpsertedNote.fill(pool, count) }]
          }
        })
    }
    let name =
      isSearched ? "first synchronisation of \(count) notes, words indexed" : "first synchronisation of \(count) notes"
    return BenchmarkWork(
      figures: [.init(name: name, unit: .milliseconds)],
      sanderling: .init(name: "Sanderling") {
        try await removing(path()) { path in
          let store =
            isSearched
            ? try Store(path: path, schema: [SyncedWords.self]) : try Store(path: path, schema: [SyncedNote.self])
          let record = isSearched ? SyncedRecord(SyncedWords.self) : SyncedRecord(SyncedNote.self)
          let time = try await seconds {
            try await pull(store, record, count)
            if isSearched { try await store.searchIndexed() }
          }
          try store.close()
          return [time]
        }
      },
      limit: .init(name: "limit") {
        try await removing(path()) { path in
          let notes = try NotesByHand(path, hasWords: isSearched)
          return [try seconds { try notes.fill(count, in: size.rows) }]
        }
      }, peers: peers, rounds: 2, warmsUp: false, rotates: false)
  }

  private var watched: BenchmarkWork {
    let (count, resultCount, observedCount) = (count, resultCount, observedCount)
    func run(_ count: Int) async throws -> Double {
      try await removing(path()) { path in
        let store = try Store(path: path, schema: [SyncedWords.self])
        let handles = LiveHandles()
        try await handles.open(on: store) { SyncResults.open(resultCount, on: $0) }
        let time = try await seconds {
          try await pull(store, SyncedRecord(SyncedWords.self), count)
          try await store.searchIndexed()
          try await handles.awaitCurrent(on: store)
        }
        await handles.close()
        try store.close()
        return time
      }
    }
    return BenchmarkWork(
      figures: [
        .init(
          name: "the same, with \(resultCount) lists and \(resultCount) counts", unit: .milliseconds),
        .init(name: "the same of \(observedCount) notes, without words", unit: .milliseconds),
      ],
      sanderling: .init(name: "Sanderling") { [try await run(count), try await run(observedCount)] },
      limit: .init(name: "limit") {
        try await removing(path()) { path in
          let notes = try NotesByHand(path, hasWords: true)
          return [try seconds { try notes.fill(count, in: size.rows) }, nil]
        }
      },
      peers: [
        .init(name: "GRDB upsert, observed", rounds: 1) {
          try await removing(path()) { path in
            let store = try Store(path: path, schema: [SyncedNote.self])
            try store.close()
            let observations = try await GRDBObservations(path: path, quietTime: .milliseconds(100))
            for number in 0..<resultCount {
              let list =
                "SELECT id, contextID, title, changedAt, body FROM note WHERE contextID = \(number) "
                + "ORDER BY changedAt DESC LIMIT 50"
              await observations.observe(isConstant: true) { try UpsertedNote.fetchAll($0, sql: list) }
              let sql = "SELECT count(*) FROM note WHERE contextID = \(number)"
              await observations.observe(isConstant: true) { try Int.fetchOne($0, sql: sql) }
            }
            try await observations.settled()
            let pool = observations.pool
            let start = ContinuousClock.now
            try await UpsertedNote.fill(pool, observedCount)
            let end = try await observations.settled() ?? .now
            try await observations.close()
            return [nil, start.duration(to: end).inSeconds]
          }
        }
      ], rounds: 2, warmsUp: false, rotates: false)
  }

  // MARK: Second synchronisation

  private func second() async throws -> BenchmarkWork {
    let (count, path) = (count, path())
    let store = try Store(path: path, schema: [SyncedNote.self])
    let first = try await seconds { try await pull(store, SyncedRecord(SyncedNote.self), count) }
    var number = 0
    return BenchmarkWork(
      figures: [.init(name: "second synchronisation of \(count) unchanged notes", unit: .milliseconds)],
      sanderling: .init(name: "Sanderling") {
        number += 1
        let session = try await SyncSession(
          "again \(number)", store: store, records: [SyncedRecord(SyncedNote.self)], source: NoteSource(count: count))
        return [
          try await seconds {
            guard try await session.run().isUnchanged else { throw BenchmarkError("unchanged notes are written") }
          }
        ]
      },
      limit: nil,
      peers: [
        .init(name: "the first") { [first] },
        .init(name: "making the changes") {
          [
            try await seconds { for try await _ in NoteSource(count: count).batches(after: nil) {} }
          ]
        },
      ], rounds: 2, warmsUp: false)
  }

  // MARK: Local changes

  private struct Nowhere: SyncSink {
    func send(_ mutations: [Mutation]) -> [MutationOutcome] { mutations.map { _ in .failed("there is no server") } }
  }

  private func outbox() async throws -> BenchmarkWork {
    let rows = isShort ? 1_000 : 100_000
    func fill(_ isNoted: Bool) async throws -> Store {
      let store = try Store(path: path(), schema: [SyncedNote.self])
      try await pull(store, SyncedRecord(SyncedNote.self), rows)
      if isNoted {
        _ = try await SyncSession(
          "notes", store: store, records: [SyncedRecord(SyncedNote.self)], source: NoteSource(count: 0),
          sink: Nowhere())
      }
      return store
    }
    let (noted, plain) = (try await fill(true), try await fill(false))
    let edits = min(rows, 10_000)
    var round = 0
    func edit(_ store: Store) async throws -> Double {
      round += 1
      let title = "edit \(round)"
      let time = try await seconds {
        for start in stride(from: 0, to: edits, by: 100) {
          try await store.write("edit") { tx in
            for id in start..<min(edits, start + 100) {
              _ = try tx.update(SyncedNote.where { $0.id == Int64(id) }, .set(\.title, to: title))
            }
          }
        }
      }
      // Each round begins without pending changes, so that all notes become pending anew.
      try await store.write("forget") { tx in
        if try tx.database.tableExists("sanderling_sync_changes_note") {
          try tx.database.execute(sql: "DELETE FROM sanderling_sync_changes_note")
        }
      }
      return time
    }
    return BenchmarkWork(
      figures: [.init(name: "\(edits) local edits, 100 in a transaction, noted", unit: .milliseconds)],
      sanderling: .init(name: "Sanderling") { [try await edit(noted)] }, limit: nil,
      peers: [.init(name: "without an outbox") { [try await edit(plain)] }], rounds: 7)
  }
}

/// The number of rows in a transaction. Belongs to the suite, which runs one contender after the other.
private final class TransactionSize {
  var rows = NoteSource.pageSize
}

/// Live results of notes.
enum SyncResults {
  @MainActor
  static func open(_ count: Int, on store: Store) -> [LiveHandle] {
    (0..<count).map { number in
      LiveHandle(
        store.liveList(
          SyncedWords.where { $0.contextID == number }.order { $0.changedAt.descending }, window: 50))
    }
      + (0..<count).map { number in LiveHandle(store.liveCount(SyncedWords.where { $0.contextID == number })) }
  }
}
