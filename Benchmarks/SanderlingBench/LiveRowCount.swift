import Foundation
import Observation
import Sanderling

/// One list of many rows. The figures are the time to open it (and to fetch the same rows), its memory, and the time of
/// the first and of later changes.
struct LiveRowCount {
  let data: LiveData
  let rowCount: Int

  /// The time to open the list, and the memory per row.
  func opening() async throws -> BenchmarkWork {
    let (data, count, query) = (data, rowCount, Self.query)
    let store = try await makeStore()
    let handles = LiveHandles()
    // The first list of a table installs its capture.
    try await handles.open(on: store) { [LiveHandle($0.liveList(TodoTask.where { $0.projectID == 0 }, window: 50))] }
    let observations = try await GRDBObservations(path: store.path, quietTime: data.quietTime)
    return BenchmarkWork(
      figures: [
        .init(name: "a list of \(count) rows opened, until they are there", unit: .milliseconds),
        .init(name: "a list of \(count) rows opened: CPU", unit: .milliseconds),
        .init(name: "a list of \(count) rows: memory of each, element included", unit: .bytes),
      ],
      sanderling: .init(name: "Sanderling") {
        let before = ProcessFigures.allocatedBytes
        let start = ProcessFigures.processorTime
        var list: LiveList<TodoTask>?
        let opened = await seconds { list = await Self.shownList(query, on: store) }
        let (bytes, time) = (ProcessFigures.allocatedBytes - before, ProcessFigures.processorTime - start)
        guard await list?.rows.count == count else { throw BenchmarkError("the list doesn't show \(count) rows") }
        list = nil
        // The other list stays open, as in an app whose screens come and go.
        try await handles.awaitCurrent(on: store)
        return [opened, time, bytes / Double(count)]
      },
      limit: nil,
      peers: [
        .init(name: "a fetch, into an array") {
          let before = ProcessFigures.allocatedBytes
          var rows: [TodoTask] = []
          let start = ProcessFigures.processorTime
          let fetched = try await seconds { rows = try await store.fetch(query) }
          let (bytes, time) = (ProcessFigures.allocatedBytes - before, ProcessFigures.processorTime - start)
          return withExtendedLifetime(rows) { [fetched, time, bytes / Double(count)] }
        },
        .init(name: "GRDB constant region") {
          await observations.forget()
          let start = ProcessFigures.processorTime
          let opened = try await seconds {
            await observations.observe(isConstant: true) { try GRDBTodo.Task.fetchAll($0, sql: Self.sql) }
            try await observations.allDelivered()
          }
          return [opened, ProcessFigures.processorTime - start, nil]
        },
      ], rounds: 5)
  }

  /// A list that has loaded its rows.
  @MainActor
  private static func shownList(_ query: Selection<TodoTask, TodoTask>, on store: Store) async -> LiveList<TodoTask> {
    let list = store.liveList(query, window: 1_000_000)
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = list.rows
      } onChange: {
        continuation.resume()
      }
    }
    return list
  }

  /// The time of a write that moves a row: of the first write after opening, and of later writes.
  func changes() async throws -> BenchmarkWork {
    let (data, count, query) = (data, rowCount, Self.query)
    let (store, quiet, handles) = (try await makeStore(), try await makeStore(), LiveHandles())
    try await handles.open(on: store) { [LiveHandle($0.liveList(TodoTask.where { $0.projectID == 0 }, window: 50))] }
    let observations = try await GRDBObservations(path: try await makeStore().path, quietTime: data.quietTime)
    await observations.observe(isConstant: true) { try GRDBTodo.Task.fetchAll($0, sql: Self.sql) }
    try await observations.settled()
    let pool = observations.pool
    return BenchmarkWork(
      figures: [
        .init(name: "a row moves in a list of \(count): first write, until it shows", unit: .microseconds),
        .init(name: "a row moves in a list of \(count): later write, until it shows", unit: .microseconds),
      ],
      sanderling: .init(name: "Sanderling") {
        let one = LiveHandles()
        try await one.open(on: store) { [LiveHandle($0.liveList(query, window: 1_000_000))] }
        let times = try await Self.times(on: store, count)
        try await one.awaitCurrent(on: store)
        await one.close()
        await store.settled()
        return times
      },
      limit: nil,
      peers: [
        // The array that is read before fills the processor's caches, as the list does.
        .init(name: "with an array of the rows") {
          let rows = try await quiet.fetch(query)
          let times = try await Self.times(on: quiet, count)
          return withExtendedLifetime(rows) { times }
        },
        .init(name: "GRDB constant region", rounds: 3) {
          let before = await observations.deliveryCount
          let start = ContinuousClock.now
          try await pool.write { db in
            try db.execute(
              sql: "UPDATE todoTask SET dueAt = dueAt + 1 WHERE id = ?",
              arguments: [Int64.random(in: 1...Int64(count))])
          }
          while await observations.deliveryCount == before { try await Task.sleep(for: data.quietTime) }
          let end = try await observations.settled() ?? start
          let time = start.duration(to: end).inSeconds
          return [time, time]
        },
      ], rounds: 5)
  }

  /// The time of the first write, and the median time of some later ones.
  private static func times(on store: Store, _ count: Int) async throws -> [Double] {
    var times: [Double] = []
    for number in 0..<16 {
      let id = Int64(number &* 7919 % count + 1)
      times.append(
        try await seconds {
          try await store.write("move") { tx in
            guard var task = try tx.fetch(TodoTask.self, key: id) else { throw BenchmarkError("task \(id) is gone") }
            task.dueAt = .init(timeIntervalSinceReferenceDate: .random(in: 0..<Double(count) * 60))
            try tx.update(task)
          }
          await store.settled()
        })
    }
    return [times[0], Array(times.dropFirst()).median]
  }

  /// An index serves the query, so that the figure is the cost of the rows, not of sorting.
  private static var query: Selection<TodoTask, TodoTask> {
    TodoTask.where { $0.projectID == 1 && !$0.isCompleted }.order { $0.dueAt }
  }

  private static let sql = """
    SELECT id, projectID, title, isCompleted, dueAt FROM todoTask WHERE projectID = 1 AND isCompleted = 0 ORDER BY dueAt
    """

  private func makeStore() async throws -> Store {
    let count = rowCount
    let store = try Store(path: "\(data.folder)/rows-\(UUID().uuidString).sqlite", schema: todoSchema)
    try await store.write("fill") { tx in
      try tx.insert(Project.sample(1))
      try tx.insert(
        contentsOf: (0..<count).map { number in
          TodoTask(
            id: Int64(number + 1), projectID: 1, title: "Task \(number &* 104_729 % 1_000_003)", isCompleted: false,
            // The order is that of the keys: reading the table's pages in another order would cost more than the rows.
            dueAt: Date(timeIntervalSinceReferenceDate: Double(number) * 60))
        })
    }
    return store
  }
}
