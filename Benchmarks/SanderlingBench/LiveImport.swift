import Foundation
import GRDB
import SanderlingSQLite
import Sanderling

/// Importing many rows while live lists and counts of the same table are open. The rows concern most of these.
struct LiveImport {
  let data: LiveData
  let rowCount: Int
  /// Whether GRDB's observations take part.
  let hasObservations: Bool

  private static let transactionSize = 1_000
  private var resultCount: Int { data.isShort ? 10 : 100 }

  func work() async throws -> BenchmarkWork {
    let (data, tasks, resultCount) = (data, tasks, resultCount)
    let name = "\(rowCount) rows imported under \(resultCount) lists and \(resultCount) counts"
    var peers = [BenchmarkWork.Contender(name: "no live results") { try await run(isWatched: false) }]
    if hasObservations {
      peers.append(.init(name: "GRDB, nothing observed", rounds: 2) { try await observed(isConstant: nil) })
      peers.append(.init(name: "GRDB constant region", rounds: 2) { try await observed(isConstant: true) })
      peers.append(.init(name: "GRDB tracking", rounds: 2) { try await observed(isConstant: false) })
    }
    return BenchmarkWork(
      figures: [
        .init(name: "\(name): time", unit: .milliseconds),
        .init(name: "\(name): time until all is delivered", unit: .milliseconds),
        .init(name: "\(name): CPU", unit: .milliseconds),
      ],
      sanderling: .init(name: "Sanderling") { try await run(isWatched: true) },
      limit: .init(name: "limit") {
        let connection = try CConnection(data.copy())
        return try await figures {
          let statement = try connection.prepare(
            "INSERT INTO todoTask (id, projectID, title, isCompleted, dueAt) VALUES (?, ?, ?, ?, ?)")
          defer { sqlite3_finalize(statement) }
          for part in tasks.parts(of: Self.transactionSize) {
            try connection.execute("BEGIN IMMEDIATE")
            for task in part { task.insertByHand(statement) }
            try connection.execute("COMMIT")
          }
        } settled: {
          nil
        }
      },
      peers: peers, rounds: hasObservations ? 3 : 2, warmsUp: hasObservations)
  }

  /// New rows for all projects, with keys after the existing ones.
  private var tasks: [TodoTask] {
    (data.taskCount..<data.taskCount + rowCount).map { TodoTask.sample($0, projectCount: data.projectCount) }
  }

  /// - Parameter settled: Waits until everything is delivered and returns the time of the last delivery; nil if that is
  ///   the present.
  private func figures(
    _ insert: () async throws -> Void, settled: () async throws -> ContinuousClock.Instant?
  ) async throws -> [Double?] {
    let (start, processorTime) = (ContinuousClock.now, ProcessFigures.processorTime)
    try await insert()
    let inserted = start.duration(to: .now).inSeconds
    let end = try await settled() ?? .now
    return [inserted, max(inserted, start.duration(to: end).inSeconds), ProcessFigures.processorTime - processorTime]
  }

  private func run(isWatched: Bool) async throws -> [Double?] {
    let (data, tasks, resultCount) = (data, tasks, resultCount)
    let (store, handles) = (try data.store(), LiveHandles())
    if isWatched {
      try await handles.open(on: store) { store in
        LiveMixture.all.lists(resultCount, of: data, on: store)
          + (0..<resultCount).map { LiveHandle(store.liveCount(LiveCounts.query($0, of: data))) }
      }
    }
    let figures = try await figures {
      for part in tasks.parts(of: Self.transactionSize) {
        try await store.write("import") { try $0.insert(contentsOf: part) }
      }
    } settled: {
      await store.settled()
      return nil
    }
    if isWatched { try await handles.awaitCurrent(on: store) }
    await handles.close()
    await store.settled()
    return figures
  }

  /// - Parameter isConstant: The kind of GRDB's observations; nil for none.
  private func observed(isConstant: Bool?) async throws -> [Double?] {
    let (data, tasks, resultCount) = (data, tasks, resultCount)
    let observations = try await GRDBObservations(data)
    if let isConstant {
      await observations.observe(.all, resultCount, of: data, isConstant: isConstant)
      for number in 0..<resultCount {
        let sql = LiveCounts.sql(number, of: data)
        await observations.observe(isConstant: isConstant) { try Int.fetchOne($0, sql: sql) }
      }
      try await observations.settled()
    }
    let pool = observations.pool
    let figures = try await figures {
      for part in tasks.parts(of: Self.transactionSize) {
        try await pool.write { db in
          let statement = try db.makeStatement(
            sql: "INSERT INTO todoTask (id, projectID, title, isCompleted, dueAt) VALUES (?, ?, ?, ?, ?)")
          for task in part {
            try statement.execute(arguments: [
              task.id, task.projectID, task.title, task.isCompleted, task.dueAt?.timeIntervalSinceReferenceDate,
            ])
          }
        }
      }
    } settled: {
      try await observations.settled()
    }
    try await observations.close()
    return figures
  }
}

extension TodoTask {
  fileprivate func insertByHand(_ statement: OpaquePointer) {
    sqlite3_bind_int64(statement, 1, id)
    sqlite3_bind_int64(statement, 2, projectID)
    bindText(statement, 3, title)
    sqlite3_bind_int64(statement, 4, isCompleted ? 1 : 0)
    if let dueAt { sqlite3_bind_double(statement, 5, dueAt.timeIntervalSinceReferenceDate) }
    sqlite3_step(statement)
    sqlite3_reset(statement)
  }
}

extension Array {
  /// Consecutive chunks of a given size.
  fileprivate func parts(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
