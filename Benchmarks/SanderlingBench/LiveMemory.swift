import Sanderling

/// The open tasks of a project, which live cases count.
enum LiveCounts {
  /// One count, different for each number.
  static func query(_ number: Int, of data: LiveData) -> Selection<TodoTask, TodoTask> {
    let place = LiveKind.Place(number, data)
    let (project, variant) = (place.project, Int64(place.variant))
    let tasks = TodoTask.where { $0.projectID == project && !$0.isCompleted }
    return variant == 0 ? tasks : tasks.filter { $0.id > variant }
  }

  static func sql(_ number: Int, of data: LiveData) -> String {
    let place = LiveKind.Place(number, data)
    return """
      SELECT COUNT(*) FROM todoTask WHERE projectID = \(place.project) AND isCompleted = 0 AND id > \(place.variant)
      """
  }
}

/// The memory that open live results keep allocated.
struct LiveMemory {
  let data: LiveData

  /// Many counts, each with its own query.
  func counts() async throws -> BenchmarkWork {
    let (data, count) = (data, data.listCounts.many)
    return BenchmarkWork(
      figures: [.init(name: "\(count) live counts: memory of each", unit: .bytes)],
      sanderling: .init(name: "Sanderling") {
        let store = try data.store()
        return [
          try await growth(store) { store in
            (0..<count).map { LiveHandle(store.liveCount(LiveCounts.query($0, of: data))) }
          }.bytes / Double(count)
        ]
      },
      limit: nil,
      peers: [
        .init(name: "GRDB constant region, \(data.observationCount)") {
          let observations = try await GRDBObservations(data)
          let before = ProcessFigures.allocatedBytes
          for number in 0..<data.observationCount {
            let sql = LiveCounts.sql(number, of: data)
            await observations.observe(isConstant: true) { try Int.fetchOne($0, sql: sql) }
          }
          try await observations.settled()
          let bytes = ProcessFigures.allocatedBytes - before
          try await observations.close()
          return [bytes / Double(data.observationCount)]
        }
      ], rounds: 3)
  }

  /// Many windows, compared with arrays of the same records.
  func windows() async throws -> BenchmarkWork {
    let (data, count) = (data, data.listCounts.some)
    let name = "\(count) windows of \(LiveKind.window) rows"
    return BenchmarkWork(
      figures: [
        .init(name: "\(name) opened, until all are current", unit: .milliseconds),
        .init(name: "\(name): memory of each, its rows included", unit: .bytes),
        .init(name: "\(name): memory of each beyond its rows", unit: .bytes),
      ],
      sanderling: .init(name: "Sanderling") {
        let store = try data.store()
        let opened = try await growth(store) { store in
          LiveMixture.only(.equality).lists(count, of: data, on: store)
        }
        let bytes = opened.bytes / Double(count)
        return [opened.seconds, bytes, bytes - (try await rows(count)) / Double(count)]
      },
      limit: nil,
      peers: [
        .init(name: "the rows in an array") {
          let bytes = try await rows(count) / Double(count)
          return [nil, bytes, bytes]
        },
        .init(name: "GRDB constant region, \(data.observationCount)") {
          let observations = try await GRDBObservations(data)
          let before = ProcessFigures.allocatedBytes
          let opened = try await seconds {
            await observations.observe(.only(.equality), data.observationCount, of: data, isConstant: true)
            try await observations.allDelivered()
          }
          let bytes = ProcessFigures.allocatedBytes - before
          try await observations.close()
          return [opened, bytes / Double(data.observationCount), nil]
        },
      ], rounds: 3)
  }

  /// The growth of allocated bytes while results are open, and the time until they are current.
  private func growth(
    _ store: Store, _ open: @escaping @MainActor @Sendable (Store) -> [LiveHandle]
  ) async throws -> (bytes: Double, seconds: Double) {
    let handles = LiveHandles()
    // Connections, statements and triggers exist before the measurement begins.
    let data = data
    try await handles.open(on: store) { store in
      LiveMixture.all.lists(4, of: data, on: store) + [LiveHandle(store.liveCount(LiveCounts.query(0, of: data)))]
    }
    let before = ProcessFigures.allocatedBytes
    let time = try await seconds { try await handles.open(on: store) { open($0) } }
    let bytes = ProcessFigures.allocatedBytes - before
    await handles.close()
    await store.settled()
    return (bytes, time)
  }

  /// The bytes of the lists' rows in arrays that are fetched one after the other.
  private func rows(_ count: Int) async throws -> Double {
    let store = try data.store()
    var lists: [[TodoTask]] = []
    lists.reserveCapacity(count)
    lists.append(try await fetch(0, store))
    let before = ProcessFigures.allocatedBytes
    for number in 1..<count { lists.append(try await fetch(number, store)) }
    let bytes = ProcessFigures.allocatedBytes - before
    return withExtendedLifetime(lists) { bytes / Double(count - 1) * Double(count) }
  }

  private func fetch(_ number: Int, _ store: Store) async throws -> [TodoTask] {
    let rows = try await store.fetch(LiveKind.tasks(LiveKind.Place(number, data)).limit(LiveKind.window))
    // The array has exactly the needed capacity, so no list can use less memory.
    return Array(unsafeUninitializedCapacity: rows.count) { buffer, count in
      count = buffer.initialize(fromContentsOf: rows)
    }
  }
}
