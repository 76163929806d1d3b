import Foundation
import Sanderling
import SanderlingSync

/// The latency of a user's writes and reads while notes are pulled.
struct SyncLatency {
  let folder: String
  let count: Int

  /// Makes a write and a read after each pause, like a person who types. Without a synchronisation, it makes the same
  /// number.
  private func run(isSynchronising: Bool, _ number: Int) async throws -> [Double?] {
    let path = "\(folder)/latency-\(UUID().uuidString).sqlite"
    defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let store = try Store(path: path, schema: [SyncedWords.self])
    try await store.write("first") { tx in
      for id in 1...100 {
        try tx.insert(
          SyncedWords(
            id: -Int64(id), contextID: 0, title: "mine", changedAt: Date(timeIntervalSinceReferenceDate: 0), body: ""))
      }
    }
    let session = try await SyncSession(
      "notes", store: store, records: [SyncedRecord(SyncedWords.self)], source: NoteSource(count: count))
    let pulling = Task { if isSynchronising { try await session.run() } }
    let ended = Lock(false)
    let watching = Task {
      _ = await pulling.result
      ended.withLock { $0 = true }
    }
    var (writes, reads): ([Double], [Double]) = ([], [])
    while isSynchronising ? !ended.withLock({ $0 }) : writes.count < 400 {
      let id = -Int64(1 + writes.count % 100)
      let title = "typed \(writes.count)"
      writes.append(
        try await seconds {
          try await store.write("type") {
            _ = try $0.update(SyncedWords.where { $0.id == id }, .set(\.title, to: title))
          }
        })
      reads.append(
        try await seconds {
          _ = try await store.fetch(SyncedWords.where { $0.contextID == 7 }.order { $0.changedAt.descending }.limit(50))
        })
      try await Task.sleep(for: .milliseconds(5))
    }
    try await pulling.value
    await watching.value
    try store.close()
    guard writes.count >= 10 else { return [nil, nil, nil, nil] }
    return [writes, reads].flatMap { times -> [Double] in
      let sorted = times.sorted()
      return [sorted[sorted.count / 2], sorted[sorted.count * 99 / 100]]
    }
  }

  var work: BenchmarkWork {
    BenchmarkWork(
      figures: ["write", "read"].flatMap { kind in
        ["p50", "p99"].map { .init(name: "a user's \(kind) during a synchronisation, \($0)", unit: .milliseconds) }
      },
      sanderling: .init(name: "Sanderling") { try await run(isSynchronising: true, 0) }, limit: nil,
      peers: [.init(name: "without one") { try await run(isSynchronising: false, 0) }], rounds: 2, warmsUp: false)
  }
}
