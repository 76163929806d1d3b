import Sanderling

/// A one-row write while lists are open that the write doesn't concern.
struct LiveUnaffected {
  let data: LiveData
  let mixture: LiveMixture
  let count: Int

  func work() async throws -> BenchmarkWork {
    let (data, writes) = (data, LiveWrites(data: data))
    let (quiet, store, handles) = (try data.store(), try data.store(), LiveHandles())
    let (mixture, count) = (mixture, count)
    try await handles.open(on: store) { mixture.lists(count, of: data, on: $0) }
    let byHand = try ToggleByHand(data.copy())
    let name = "unaffected-\(count)-\(mixture.name)"
    var peers = [
      BenchmarkWork.Contender(name: "no lists") {
        try await writes.figures(data.writeCounts) { number in
          try await quiet.toggle(data.unconcerned(number))
        } settled: {
          await quiet.settled()
        }
      }
    ]
    if count == data.listCounts.some, mixture == .all { peers.append(try await audited(writes)) }
    if count <= data.listCounts.some {
      for isConstant in [true, false] { peers.append(try await observations(isConstant: isConstant, writes)) }
    }
    return BenchmarkWork(
      figures: [
        .init(name: "\(name): latency, back to back", unit: .microseconds),
        .init(name: "\(name): CPU, back to back", unit: .microseconds),
        .init(name: "\(name): latency, idle between", unit: .microseconds),
        .init(name: "\(name): CPU, idle between", unit: .microseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        let figures = try await writes.figures(data.writeCounts) { number in
          try await store.toggle(data.unconcerned(number))
        } settled: {
          await store.settled()
        }
        try await handles.awaitCurrent(on: store)
        return figures
      },
      limit: .init(name: "limit") {
        try await writes.figures(data.writeCounts) {
          byHand.toggle(data.unconcerned($0))
        } settled: {
        }
      },
      peers: peers, rounds: 4)
  }

  /// The same lists in a store with an audit: at one commit in a hundred it compares some lists with the database.
  private func audited(_ writes: LiveWrites) async throws -> BenchmarkWork.Contender {
    let (data, mixture, count) = (data, mixture, count)
    let (store, handles) = (try data.store(audit: .oneCommit(in: 100)), LiveHandles())
    try await handles.open(on: store) { mixture.lists(count, of: data, on: $0) }
    return .init(name: "audited") {
      let figures = try await writes.figures(data.writeCounts) { number in
        try await store.toggle(data.unconcerned(number))
      } settled: {
        await store.settled()
      }
      try await handles.awaitCurrent(on: store)
      guard store.liveAuditCounts.different == 0 else { throw BenchmarkError("a live list is wrong") }
      return figures
    }
  }

  /// The same lists observed by GRDB, in few rounds of few writes.
  private func observations(isConstant: Bool, _ writes: LiveWrites) async throws -> BenchmarkWork.Contender {
    let (data, count) = (data, min(count, data.observationCount))
    let observations = try await GRDBObservations(data)
    let pool = observations.pool
    await observations.observe(mixture, count, of: data, isConstant: isConstant)
    try await observations.settled()
    return .init(name: "GRDB \(isConstant ? "constant region" : "tracking"), \(count)", rounds: 1) {
      let count = data.observedWriteCount
      return try await writes.figures((count, count)) { number in
        try await pool.toggle(data.unconcerned(number))
      } settled: {
        try await observations.settled()
      }
    }
  }
}
