import Dispatch
import Foundation
import GRDB
import SanderlingSQLite
import Sanderling

/// A record whose changes are kept.
@Record
struct KeptTask {
  var id: Int64
  var projectID: Int
  var title: String
  var isDone = false
  var rank: Double
  static let changeHistory = ChangeHistory<KeptTask>.allColumns
}

/// The same record without a history.
@Record
struct LooseTask {
  var id: Int64
  var projectID: Int
  var title: String
  var isDone = false
  var rank: Double
}

/// Several processes with one file: the cost of a history, and how soon another process's commit is shown.
struct ProcessesSuite: BenchmarkSuite {
  static let name = "processes"
  private let folder: String
  private let isShort: Bool

  init(folder: String, isShort: Bool) async throws {
    (self.folder, self.isShort) = (folder, isShort)
  }

  private func open(_ name: String) async throws -> Store {
    let store = try Store(path: "\(folder)/\(name).sqlite", schema: [KeptTask.self, LooseTask.self], audit: .off)
    try await store.write("fill") { tx in
      try tx.insert(
        contentsOf: (1...10_000).map {
          KeptTask(id: $0, projectID: Int($0 % 1000), title: "task number \($0)", rank: Double($0))
        })
      try tx.insert(
        contentsOf: (1...10_000).map {
          LooseTask(id: $0, projectID: Int($0 % 1000), title: "task number \($0)", rank: Double($0))
        })
    }
    return store
  }

  var works: [BenchmarkWork.Plan] {
    let count = isShort ? 20 : 2000
    return [
      BenchmarkWork.Plan("a write of a table with a history") {
        let store = try await open("writes")
        let connection = try CConnection("\(folder)/writes.sqlite")
        func update(_ table: String) throws -> Double {
          let statement = try connection.prepare("UPDATE \(table) SET isDone = 1 - isDone WHERE id = ?")
          defer { sqlite3_finalize(statement) }
          return try seconds {
            for index in 0..<count {
              try connection.execute("BEGIN IMMEDIATE")
              sqlite3_bind_int64(statement, 1, Int64(index * 37 % 10_000 + 1))
              guard sqlite3_step(statement) == SQLITE_DONE else {
                throw CError(code: sqlite3_errcode(connection.handle), sql: table)
              }
              sqlite3_reset(statement)
              try connection.execute("COMMIT")
            }
          } / Double(count)
        }
        func write(_ toggle: @Sendable (WriteTransaction, Int64) throws -> Int) async throws -> Double {
          try await seconds {
            for index in 0..<count {
              try await store.write("toggle") { try toggle($0, Int64(index * 37 % 10_000 + 1)) }
            }
          } / Double(count)
        }
        return BenchmarkWork(
          BenchmarkCase(
            name: "a write of a table with a history", unit: .microseconds,
            sanderling: {
              try await write { tx, id in try tx.update(KeptTask.where { $0.id == id }, .set(\.isDone, to: true)) }
            },
            limit: { try update("keptTask") },
            peers: [
              (
                "without a history",
                {
                  try await write { tx, id in
                    try tx.update(LooseTask.where { $0.id == id }, .set(\.isDone, to: true))
                  }
                }
              ), ("C without a history", { try update("looseTask") }),
            ]))
      },
      BenchmarkWork.Plan("1,000 lists, a commit of another process for one") {
        let store = try await open("lists")
        // As the store's connections, it doesn't sync the log at each commit.
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
        let other = try DatabaseQueue(path: "\(folder)/lists.sqlite", configuration: configuration)
        let lists = await MainActor.run {
          (0..<1000).map { project in
            let list = store.liveList(KeptTask.where { $0.projectID == project }.order { $0.rank }, window: 50)
            _ = list.rows
            return list
          }
        }
        await store.settled()
        return BenchmarkWork(
          BenchmarkCase(
            name: "1,000 lists, a commit of another process for one", unit: .microseconds,
            sanderling: {
              try await seconds {
                for index in 0..<100 {
                  try await other.write {
                    try $0.execute(sql: "UPDATE keptTask SET rank = rank + 1 WHERE id = ?", arguments: [index + 1])
                  }
                  await store.settled()
                }
                withExtendedLifetime(lists) {}
              } / 100
            },
            limit: nil,
            peers: [
              (
                "the same commit of the process itself",
                {
                  try await seconds {
                    for index in 0..<100 {
                      let id = Int64(index + 1)
                      try await store.write("move") {
                        try $0.execute("UPDATE keptTask SET rank = rank + 1 WHERE id = \(id)")
                      }
                      await store.settled()
                    }
                  } / 100
                }
              )
            ]))
      },
      BenchmarkWork.Plan("a commit of another process on the main actor") {
        let store = try await open("latency")
        return BenchmarkWork(
          figures: ["p50", "p99"].map {
            .init(name: "a commit of another process on the main actor, \($0)", unit: .milliseconds)
          },
          sanderling: .init(name: "Sanderling") { try await latency(store) }, limit: nil, peers: [], rounds: 3,
          warmsUp: false)
      },
      BenchmarkWork.Plan("an idle store, processor time of a second") {
        let store = try await open("idle")
        let lists = await MainActor.run {
          (0..<1000).map { project in
            let list = store.liveList(KeptTask.where { $0.projectID == project }.order { $0.rank }, window: 50)
            _ = list.rows
            return list
          }
        }
        await store.settled()
        // The last commit's file events are followed for 2.6 s.
        try await Task.sleep(for: .seconds(isShort ? 0.1 : 4))
        return BenchmarkWork(
          figures: [.init(name: "an idle store, processor time of a second", unit: .microseconds)],
          sanderling: .init(name: "Sanderling") {
            let before = processorTime
            try await Task.sleep(for: .seconds(isShort ? 0.1 : 1))
            withExtendedLifetime((store, lists)) {}
            return [processorTime - before]
          }, limit: nil, peers: [], rounds: 3)
      },
    ]
  }

  /// The processor time of the process so far, in seconds.
  private var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The times from the return of another process's commits until the main actor has their values.
  @MainActor
  private func latency(_ store: Store) async throws -> [Double?] {
    let count = isShort ? 20 : 300
    var readings = store.values(of: KeptTask.where { $0.id == 1 }.select { $0.projectID }).makeAsyncIterator()
    _ = await readings.next(isolation: MainActor.shared)
    await store.settled()
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["--commits-to", store.path, "--rounds", "\(count)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var seen: [Int: UInt64] = [:]
    // A commit takes its number as the value, so that the value says which commits are shown.
    while let reading = await readings.next(isolation: MainActor.shared) {
      guard let number = reading.value, number < 0 else { continue }
      for known in 1...(-number) where seen[known] == nil { seen[known] = DispatchTime.now().uptimeNanoseconds }
      if -number >= count { break }
    }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let times = text.split(separator: "\n").enumerated().compactMap { index, line -> Double? in
      guard let committed = UInt64(line), let seen = seen[index + 1] else { return nil }
      return seen > committed ? Double(seen - committed) / 1e9 : 0
    }.sorted()
    guard times.count == count else { return [nil, nil] }
    return [times[count / 2], times[count * 99 / 100]]
  }

  /// The other process: commits, and prints the time of each commit in nanoseconds.
  static func commit(to path: String, count: Int) throws {
    let connection = try CConnection(path)
    for number in 1...count {
      try connection.execute("UPDATE keptTask SET projectID = -\(number) WHERE id = 1")
      print(DispatchTime.now().uptimeNanoseconds)
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}
