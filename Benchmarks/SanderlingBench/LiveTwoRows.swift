import Sanderling

/// Very many lists of two rows, as on a server. The figures are the memory of each list, and the cost of a write that
/// concerns one list or none.
struct LiveTwoRows {
  let data: LiveData

  func work() async throws -> BenchmarkWork {
    let (data, count, writes) = (data, data.serverListCount, LiveWrites(data: data))
    let (store, quiet) = (try data.store(), try data.store())
    let lists = Lists()
    // Connections, statements and triggers exist before the measurement begins.
    try await lists.open(0..<1, data, store)
    let (before, start) = (ProcessFigures.allocatedBytes, ProcessFigures.processorTime)
    try await lists.open(1..<count, data, store)
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
        try await lists.awaitCurrent(on: store)
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

  /// Only the lists themselves: any other object would count as their memory.
  @MainActor
  private final class Lists {
    private var all: [LiveList<TodoTask>] = []

    nonisolated init() {}

    func open(_ numbers: Range<Int>, _ data: LiveData, _ store: Store) async throws {
      all.reserveCapacity(numbers.upperBound)
      for number in numbers {
        let list = Self.list(number, data, store)
        _ = list.rows.count
        all.append(list)
      }
      try await awaitCurrent(on: store)
    }

    /// Waits until every commit is delivered and every list is current.
    func awaitCurrent(on store: Store) async throws {
      await store.settled()
      let missing = all.count { !$0.state.isCurrent }
      guard missing == 0 else { throw BenchmarkError("\(missing) of \(all.count) lists are not current") }
    }

    /// The first two tasks of a project beginning with a given one, different for each number.
    private static func list(_ number: Int, _ data: LiveData, _ store: Store) -> LiveList<TodoTask> {
      let place = LiveKind.Place(number, data)
      // The keys of one project's tasks differ by the number of projects.
      let first = place.project + Int64(place.variant % (data.taskCount / data.projectCount - 1) * data.projectCount)
      let end = first + Int64(2 * data.projectCount)
      let tasks = TodoTask.where { $0.projectID == place.project && $0.id >= first && $0.id < end }
      return store.liveList(tasks.order { $0.dueAt }, window: LiveKind.window)
    }
  }
}
