import Sanderling

/// Very many lists of two rows, as a server has them open: what each keeps allocated, and what a write costs that concerns none of
/// them, or one.
struct LiveTwoRows {
  let data: LiveData

  func work() async throws -> BenchmarkWork {
    let (data, count, writes) = (data, data.serverListCount, LiveWrites(data: data))
    let (store, quiet) = (try data.store(), try data.store())
    let handles = LiveHandles()
    // Connections, statements and triggers are there before it counts.
    try await handles.open(on: store) { [Self.list(0, data, $0)] }
    let (before, start) = (ProcessFigures.allocatedBytes, ProcessFigures.processorTime)
    try await handles.open(on: store) { store in (1..<count).map { Self.list($0, data, store) } }
    let time = (ProcessFigures.processorTime - start) / Double(count - 1)
    let bytes = (ProcessFigures.allocatedBytes - before) / Double(count - 1)
    return BenchmarkWork(
      figures: [
        .init(name: "\(count) lists of two rows: memory of each, its rows included", unit: .bytes),
        .init(name: "\(count) lists of two rows opened: CPU for each", unit: .microseconds),
        .init(name: "\(count) lists of two rows: a write that concerns none, until settled", unit: .microseconds),
        .init(name: "\(count) lists of two rows: a write that concerns one, until it shows", unit: .microseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        let unconcerned = try await Self.time(writes, store) { data.unconcerned($0) }
        let concerned = try await Self.time(writes, store) { Int64($0 % (data.projectCount - 1) + 2) }
        try await handles.awaitCurrent(on: store)
        return [bytes, time, unconcerned, concerned]
      },
      limit: nil,
      peers: [
        .init(name: "no lists") {
          let time = try await Self.time(writes, quiet) { data.unconcerned($0) }
          return [nil, nil, time, time]
        }
      ], rounds: 5)
  }

  private static func time(
    _ writes: LiveWrites, _ store: Store, task: (Int) -> Int64
  ) async throws -> Double {
    var times: [Double] = []
    for number in 0..<writes.data.writeCounts.together {
      times.append(
        try await seconds {
          try await store.toggle(task(number))
          await store.settled()
        })
    }
    return times.median
  }

  /// The first two tasks of a project from one on, different for each number.
  @MainActor
  private static func list(_ number: Int, _ data: LiveData, _ store: Store) -> LiveHandle {
    let place = LiveKind.Place(number, data)
    // The tasks of a project are as far apart as there are projects.
    let first = place.project + Int64(place.variant % (data.taskCount / data.projectCount - 1) * data.projectCount)
    let end = first + Int64(2 * data.projectCount)
    let tasks = TodoTask.where { $0.projectID == place.project && $0.id >= first && $0.id < end }
    return LiveHandle(store.liveList(tasks.order { $0.dueAt }, window: LiveKind.window))
  }
}
