import Observation
import Sanderling
import Synchronization

/// The time from a commit until its rows are on the main actor, for some lists among many.
struct LiveDelivery {
  let data: LiveData
  let affected: Int

  func work() async throws -> BenchmarkWork {
    let (data, affected) = (data, affected)
    let total = data.listCounts.some
    let (store, handles) = (try data.store(), LiveHandles())
    try await handles.open(on: store) { LiveMixture.all.lists(total - affected, of: data, on: $0) }
    let watch = await LiveWatch(affected, on: store)
    try await watch.awaitCurrent(on: store)
    let name = "\(affected) of \(total) lists change"
    // The latency of the write itself, shown beside both figures.
    let latencies = Mutex<[Double]>([])
    let observed = try await observations(total)
    return BenchmarkWork(
      figures: [
        .init(name: "\(name): commit to rows on main, p50", unit: .microseconds),
        .init(name: "\(name): commit to rows on main, p99", unit: .microseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        var (delays, writes): ([Double], [Double]) = ([], [])
        for number in 0..<(data.isShort ? 10 : 100) {
          await watch.arm()
          let start = ContinuousClock.now
          try await store.toggle(data.unconcerned(number))
          let end = ContinuousClock.now
          writes.append(start.duration(to: end).inSeconds)
          delays.append(end.duration(to: try await watch.awaitChange(pause: data.pause)).inSeconds)
        }
        latencies.withLock { $0 = writes }
        // The rows can arrive before the caller's task resumes.
        return delays.percentiles.map { max($0, 0) }
      },
      limit: nil,
      peers: [
        .init(name: "the write itself") { latencies.withLock { [$0.median, $0.median] } },
        observed,
      ], rounds: 5)
  }

  private func observations(_ total: Int) async throws -> BenchmarkWork.Contender {
    let (data, affected) = (data, affected)
    let count = max(data.observationCount, affected)
    let observations = try await GRDBObservations(data)
    await observations.observe(.all, count - affected, of: data, isConstant: true)
    for number in 0..<affected {
      await observations.observe(isConstant: true) { db in
        try GRDBTodo.Task.fetchAll(
          db,
          sql: """
            SELECT id, projectID, title, isCompleted, dueAt FROM todoTask WHERE projectID = 1 AND id > -\(number + 1) \
            ORDER BY dueAt LIMIT 100
            """)
      }
    }
    try await observations.settled()
    let pool = observations.pool
    return .init(name: "GRDB constant region, \(count)", rounds: 1) {
      var delays: [Double] = []
      for number in 0..<data.observedWriteCount {
        let last = await observations.noteLast(from: count - affected)
        try await pool.toggle(data.unconcerned(number))
        let end = ContinuousClock.now
        try await observations.settled()
        delays.append(end.duration(to: last.withLock { $0 } ?? end).inSeconds)
      }
      return delays.percentiles.map { max($0, 0) }
    }
  }
}

extension GRDBObservations {
  /// The time at which the last of some observations delivers its first value from now on.
  fileprivate func noteLast(from first: Int) -> LastMoment {
    let moment = LastMoment()
    var seen: Set<Int> = []
    delivered = { number in
      guard number >= first, seen.insert(number).inserted else { return }
      moment.withLock { $0 = .now }
    }
    return moment
  }
}

/// A moment that one thread sets and another one reads.
private final class LastMoment: Sendable {
  private let moment = Mutex<ContinuousClock.Instant?>(nil)

  func withLock<Value: Sendable>(_ body: (inout sending ContinuousClock.Instant?) -> sending Value) -> Value {
    moment.withLock(body)
  }
}

/// Lists of the first project, and the time of their last change.
@MainActor
private final class LiveWatch {
  private let lists: [LiveList<TodoTask>]
  /// The number of lists that have not changed yet, and the time of the last change. Observation sets it on the thread
  /// that changes a list.
  private let state = Mutex<(missing: Int, last: ContinuousClock.Instant?)>((0, nil))

  init(_ count: Int, on store: Store) {
    lists = (0..<count).map { number in
      let first = Int64(-1 - number)
      return store.liveList(TodoTask.where { $0.projectID == 1 && $0.id > first }.order { $0.dueAt }, window: 100)
    }
  }

  func awaitCurrent(on store: Store) async throws {
    for list in lists { _ = list.rows }
    await store.settled()
    guard lists.allSatisfy({ $0.state.isCurrent && !$0.rows.isEmpty }) else {
      throw BenchmarkError("the lists that are to change are not current")
    }
  }

  /// Accesses all rows, as a view does when it is drawn, so that Observation reports their next change.
  func arm() {
    state.withLock { [count = lists.count] in $0 = (count, nil) }
    for list in lists {
      withObservationTracking {
        _ = list.rows.count
      } onChange: { [weak self] in
        self?.changed()
      }
    }
  }

  private nonisolated func changed() {
    let now = ContinuousClock.now
    state.withLock {
      $0.missing -= 1
      $0.last = now
    }
  }

  /// The time at which the last list changed. Polls at long intervals so as not to disturb the measurement.
  func awaitChange(pause: Duration) async throws -> ContinuousClock.Instant {
    for _ in 0..<500 {
      try await Task.sleep(for: pause)
      if let last = state.withLock({ $0.missing <= 0 ? $0.last : nil }) { return last }
    }
    throw BenchmarkError("the lists did not change")
  }
}

extension [Double] {
  /// The median, and the 99th percentile.
  fileprivate var percentiles: [Double] {
    let sorted = sorted()
    return [median, sorted[Swift.min(count - 1, Int(Double(count) * 0.99))]]
  }
}
