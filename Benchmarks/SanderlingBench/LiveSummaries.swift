import Sanderling

/// The cost of a toggled flag under a list of projects with three counts each.
struct LiveSummaries {
  let data: LiveData
  let window: Int

  func work() async throws -> BenchmarkWork {
    let (data, window) = (data, window)
    let (quiet, store, handles) = (
      try data.store(projectCount: data.manyProjectCount), try data.store(projectCount: data.manyProjectCount),
      LiveHandles()
    )
    try await handles.open(on: store) { [LiveHandle($0.liveList(ProjectSummary.order { $0.name }, window: window))] }
    let name = "flag toggled under \(data.manyProjectCount) projects with counts, window \(window)"
    return BenchmarkWork(
      figures: [
        .init(name: "\(name): engine CPU, back to back", unit: .microseconds),
        .init(name: "\(name): engine CPU, idle between", unit: .microseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        try await difference(data.writeCounts) { isWatched, number in
          try await (isWatched ? store : quiet).toggle(shown(number))
        } settled: { isWatched in
          if isWatched { try await handles.awaitCurrent(on: store) } else { await quiet.settled() }
        }
      },
      limit: nil, peers: [try await observation()], rounds: 5)
  }

  /// A task of one of the first projects, which every window shows.
  private func shown(_ number: Int) -> Int64 { Int64(number % min(50, data.manyProjectCount) + 1) }

  /// The processor time per write with the open list, less that of the same write without the list.
  private func difference(
    _ counts: (together: Int, paused: Int), write: (Bool, Int) async throws -> Void,
    settled: (Bool) async throws -> Void
  ) async throws -> [Double?] {
    let writes = LiveWrites(data: data)
    let without = try await writes.figures(counts) {
      try await write(false, $0)
    } settled: {
      try await settled(false)
    }
    let with = try await writes.figures(counts) {
      try await write(true, $0)
    } settled: {
      try await settled(true)
    }
    return [1, 3].map { index in
      guard let with = with[index], let without = without[index] else { return nil }
      return with - without
    }
  }

  private func observation() async throws -> BenchmarkWork.Contender {
    let (data, window) = (data, window)
    let quiet = try await GRDBObservations(data, projectCount: data.manyProjectCount)
    let observed = try await GRDBObservations(data, projectCount: data.manyProjectCount)
    await observed.observe(isConstant: true) {
      try GRDBTodo.Summary.fetchAll($0, sql: "\(LiveKind.summarySQL) ORDER BY name LIMIT \(window)")
    }
    try await observed.settled()
    let (quietPool, pool) = (quiet.pool, observed.pool)
    return .init(name: "GRDB constant region", rounds: 1) {
      try await difference((20, 10)) { isWatched, number in
        try await (isWatched ? pool : quietPool).toggle(shown(number))
      } settled: { isWatched in
        try await (isWatched ? observed : quiet).settled()
      }
    }
  }
}
