import GRDB
import SanderlingSQLite
import Sanderling

/// A series of one-row writes.
///
/// The figures are the caller's median latency, and the processor time of the whole process per write until everything
/// is delivered. The cost of sleeping is subtracted. Both are measured for writes in a row and for writes with pauses.
struct LiveWrites {
  let data: LiveData
  private let pauses: Pauses

  init(data: LiveData) {
    self.data = data
    pauses = Pauses(data)
  }

  /// The processor time of one pause, which is subtracted from the cost of a write. It is measured once in a case.
  private actor Pauses {
    private let data: LiveData
    private var measured: Double?

    init(_ data: LiveData) {
      self.data = data
    }

    var processorTime: Double {
      get async throws {
        if let measured { return measured }
        let count = data.isShort ? 10 : 50
        let start = ProcessFigures.processorTime
        for _ in 0..<count { try await Task.sleep(for: data.pause) }
        let time = (ProcessFigures.processorTime - start) / Double(count)
        measured = time
        return time
      }
    }
  }

  /// Latency and processor time, for writes in a row and for writes with pauses.
  ///
  /// - Parameters:
  ///   - counts: The number of writes in a row, and of writes with pauses.
  ///   - settled: Waits until every write is delivered.
  func figures(
    _ counts: (together: Int, paused: Int), write: (Int) async throws -> Void, settled: () async throws -> Void
  ) async throws -> [Double?] {
    let together = try await series(counts.together, pause: nil, write: write, settled: settled)
    let paused = try await series(counts.paused, pause: data.pause, write: write, settled: settled)
    return [together.latency, together.processorTime, paused.latency, paused.processorTime]
  }

  func series(
    _ count: Int, pause: Duration?, write: (Int) async throws -> Void, settled: () async throws -> Void
  ) async throws -> (latency: Double, processorTime: Double) {
    var latencies: [Double] = []
    let pauseTime = pause == nil ? 0 : try await pauses.processorTime
    let start = ProcessFigures.processorTime
    for number in 0..<count {
      latencies.append(try await seconds { try await write(number) })
      if let pause { try await Task.sleep(for: pause) }
    }
    try await settled()
    return (latencies.median, (ProcessFigures.processorTime - start) / Double(count) - pauseTime)
  }
}

extension Store {
  /// Toggles a task's flag, as an app does.
  func toggle(_ task: Int64) async throws {
    try await write("toggle") { try $0.update(TodoTask.self, key: task) { $0.isCompleted.toggle() } }
  }
}

/// Toggles a task's flag on the C API.
final class ToggleByHand {
  private let connection: CConnection
  private let statements: [OpaquePointer]

  init(_ path: String) throws {
    connection = try CConnection(path)
    statements = try [
      "BEGIN IMMEDIATE", "UPDATE todoTask SET isCompleted = 1 - isCompleted WHERE id = ?", "COMMIT",
    ].map(connection.prepare)
  }

  deinit {
    statements.forEach { sqlite3_finalize($0) }
  }

  func toggle(_ task: Int64) {
    sqlite3_bind_int64(statements[1], 1, task)
    for statement in statements {
      sqlite3_step(statement)
      sqlite3_reset(statement)
    }
  }
}
