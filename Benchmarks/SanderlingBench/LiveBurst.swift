import Foundation
import GRDB
import SanderlingSQLite
import Sanderling

/// Many changes in one transaction while one sorted list of the whole table is open.
struct LiveBurst {
  let data: LiveData
  /// Whether the list is sorted by a column that has an index.
  let isIndexed: Bool

  private static let window = 100
  private var rowCount: Int { data.taskCount / 10 }

  func work() async throws -> BenchmarkWork {
    let (data, rowCount, sql) = (data, Double(rowCount), sql)
    let (quiet, store, handles) = (try data.store(), try data.store(), LiveHandles())
    let isIndexed = isIndexed
    try await handles.open(on: store) { store in
      [
        isIndexed
          ? LiveHandle(store.liveList(TodoTask.order { $0.dueAt }, window: Self.window))
          : LiveHandle(store.liveList(TodoTask.order { $0.title }, window: Self.window))
      ]
    }
    let (plain, triggered) = (try CConnection(data.copy()), try CConnection(data.copy()))
    try triggered.execute("CREATE TEMP TRIGGER empty BEFORE UPDATE ON main.todoTask BEGIN SELECT 1; END")
    var round = 0
    let name = "\(Int(rowCount)) changes in one transaction, \(isIndexed ? "indexed" : "unindexed") order"
    // The costs of the same transaction without a list in this round, which are subtracted and shown.
    var without: Costs?
    return BenchmarkWork(
      figures: [
        .init(name: "\(name): transaction, per row", unit: .microseconds),
        .init(name: "\(name): capture on the writer, per row", unit: .microseconds),
        .init(name: "\(name): off the writer, CPU per row", unit: .microseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        round += 1
        let (withNone, withList) = try await Self.pair(round) { salt in
          try await Costs {
            _ = try quiet.writeBlocking("burst") { try $0.execute("\(raw: sql(salt))") }
          } settled: {
            await quiet.settled()
          }
        } _: { salt in
          try await Costs {
            _ = try store.writeBlocking("burst") { try $0.execute("\(raw: sql(salt))") }
          } settled: {
            await store.settled()
          }
        }
        try await handles.awaitCurrent(on: store)
        without = withNone
        return withList.figures(less: withNone, rowCount)
      },
      // The lowest possible cost: a trigger that runs for each row, whatever the trigger does.
      limit: .init(name: "limit") {
        round += 1
        let (withNone, withTrigger) = try await Self.pair(round) { salt in
          try await Costs {
            try plain.execute("BEGIN IMMEDIATE; \(sql(salt)); COMMIT")
          } settled: {
          }
        } _: { salt in
          try await Costs {
            try triggered.execute("BEGIN IMMEDIATE; \(sql(salt)); COMMIT")
          } settled: {
          }
        }
        return [withNone.latency / rowCount, (withTrigger.writerTime - withNone.writerTime) / rowCount, nil]
      },
      peers: [
        .init(name: "no list") { [without.map { $0.latency / rowCount }, nil, nil] },
        try await observation(),
      ], rounds: 3)
  }

  /// Gives every tenth task another place in the order.
  private var sql: @Sendable (Int) -> String {
    { [isIndexed] salt in
      let place = "((id * 48271 + \(salt) * 7919) % 100003)"
      let assignment = isIndexed ? "dueAt = \(place) * 600.0" : "title = 'Task ' || \(place)"
      return "UPDATE todoTask SET \(assignment) WHERE id % 10 = \(salt % 10)"
    }
  }

  /// Runs two transactions and then two more in the opposite order, because the second of two finds warmer caches. The
  /// figures are means.
  private static func pair(
    _ round: Int, _ first: (Int) async throws -> Costs, _ second: (Int) async throws -> Costs
  ) async throws -> (Costs, Costs) {
    var (firsts, seconds): ([Costs], [Costs]) = ([], [])
    for turn in 0..<4 {
      let salt = round * 4 + turn
      if turn.isMultiple(of: 2) {
        firsts.append(try await first(salt))
        seconds.append(try await second(salt))
      } else {
        seconds.append(try await second(salt))
        firsts.append(try await first(salt))
      }
    }
    return (Costs(meanOf: firsts), Costs(meanOf: seconds))
  }

  private struct Costs {
    /// The seconds of the transaction.
    let latency: Double
    /// The processor time on the writer's thread in seconds, which other processes don't lengthen.
    let writerTime: Double
    let processorTime: Double

    /// - Parameter write: Writes on the calling thread.
    init(_ write: () throws -> Void, settled: () async throws -> Void) async throws {
      let start = ProcessFigures.processorTime
      (latency, writerTime) = try Self.figures(write)
      try await settled()
      processorTime = ProcessFigures.processorTime - start
    }

    init(meanOf costs: [Costs]) {
      let count = Double(costs.count)
      latency = costs.reduce(0) { $0 + $1.latency } / count
      writerTime = costs.reduce(0) { $0 + $1.writerTime } / count
      processorTime = costs.reduce(0) { $0 + $1.processorTime } / count
    }

    private static func figures(_ write: () throws -> Void) rethrows -> (Double, Double) {
      let start = ProcessFigures.threadTime
      let latency = try seconds { try write() }
      return (latency, ProcessFigures.threadTime - start)
    }

    /// The figures per row. The writer's own time is not counted as work outside the writer.
    func figures(less quiet: Costs, _ rowCount: Double) -> [Double?] {
      let capture = writerTime - quiet.writerTime
      return [latency / rowCount, capture / rowCount, (processorTime - quiet.processorTime - capture) / rowCount]
    }
  }

  private func observation() async throws -> BenchmarkWork.Contender {
    let (data, sql, rowCount, column) = (data, sql, Double(rowCount), isIndexed ? "dueAt" : "title")
    let quiet = try await GRDBObservations(data)
    let observed = try await GRDBObservations(data)
    await observed.observe(isConstant: true) {
      try GRDBTodo.Task.fetchAll(
        $0, sql: "SELECT id, projectID, title, isCompleted, dueAt FROM todoTask ORDER BY \(column) LIMIT \(Self.window)"
      )
    }
    try await observed.settled()
    let (quietPool, pool) = (quiet.pool, observed.pool)
    var round = 0
    return .init(name: "GRDB constant region") {
      round += 1
      let (withNone, withList) = try await Self.pair(round) { salt in
        try await Costs {
          try quietPool.write { try $0.execute(sql: sql(salt)) }
        } settled: {
          try await quiet.settled()
        }
      } _: { salt in
        try await Costs {
          try pool.write { try $0.execute(sql: sql(salt)) }
        } settled: {
          try await observed.settled()
        }
      }
      return withList.figures(less: withNone, rowCount)
    }
  }
}
