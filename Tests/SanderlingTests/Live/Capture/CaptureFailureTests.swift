import Foundation
import GRDB
import SanderlingSQLite
import SanderlingTesting
import Testing

@testable import Sanderling

/// Live results after the writer's connection failed to capture changes of their tables.
@MainActor
@Suite struct CaptureFailureTests {
  /// Interrupts SQLite's statements when SQLite calls its progress handler.
  private final class Interruption: Sendable {
    private struct State {
      /// The number of SQLite's questions until the interruption; nil while nothing is to be interrupted.
      var left: Int?
      var isOnce = false
      var hasInterrupted = false
    }

    private let state = Lock(State())

    /// Interrupts the statement at SQLite's question of this number.
    ///
    /// - Parameter isOnce: Whether later statements run, such as those that roll back.
    func arm(after count: Int, once isOnce: Bool) {
      state.withLock { $0 = State(left: count, isOnce: isOnce) }
    }

    func disarm() { state.withLock { $0.left = nil } }

    var hasInterrupted: Bool { state.withLock { $0.hasInterrupted } }

    func mayGoOn() -> Bool {
      state.withLock { state in
        guard let left = state.left else { return true }
        if left > 0 { state.left = left - 1 }
        if left > 0 || state.isOnce && state.hasInterrupted { return true }
        state.hasInterrupted = true
        return false
      }
    }
  }

  private let folder = TemporaryFolder()
  private let interruption = Interruption()

  /// Makes a store whose writer can be interrupted. Its clock stands still, so that it retries nothing by itself.
  private func makeStore(_ name: String) async throws -> Store {
    let store = try Store(path: folder.path(name), schema: todoSchema, clock: ManualClock(), liveInterval: .zero)
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [Project(id: UUID(1), name: "home", parentID: nil)])
      try tx.insert(contentsOf: [TodoTask(id: UUID(11), projectID: UUID(1), title: "dig")])
    }
    // Retained until the process ends, because the closing of the connection is not reported.
    let address = UInt(bitPattern: Unmanaged.passRetained(interruption).toOpaque())
    try await store.writer.writeWithoutTransaction { db in
      sqlite3_progress_handler(
        db.sqliteConnection, 1,
        { Unmanaged<Interruption>.fromOpaque($0!).takeUnretainedValue().mayGoOn() ? 0 : 1 },
        UnsafeMutableRawPointer(bitPattern: address))
    }
    return store
  }

  private nonisolated func comment(_ number: UInt64) -> Comment {
    Comment(
      id: UUID(number), projectID: UUID(1), taskID: UUID(11), text: "\(number)", createdAt: Date(at: Double(number)))
  }

  /// A change of a table that another result has captured retries a failed result. The retry must capture its other
  /// tables, or the result misses their changes from then on.
  @Test func failedResultIsRetriedOnceItsTablesAreCaptured() async throws {
    let store = try await makeStore("failed.sqlite")
    let tasks = store.liveCount(TodoTask.where { $0.title != "" })
    _ = tasks.value
    await store.settled()

    interruption.arm(after: 0, once: false)
    let commented = store.liveCount(TodoTask.where { $0.title != "" && $0.comments.exists })
    _ = commented.value
    await store.settled()
    interruption.disarm()
    #expect(commented.state.error != nil)

    try await store.write("concerns both") { tx in
      try tx.insert(TodoTask(id: UUID(12), projectID: UUID(1), title: "mow"))
    }
    await store.settled()
    #expect(tasks.value == 2)
    #expect(commented.state.isCurrent)
    try await store.write("concerns the table that was not captured") { tx in try tx.insert(comment(21)) }
    await store.settled()
    #expect(commented.value == 1)
  }

  /// A table's triggers are replaced when another result needs more of its columns. If that fails at any point, the
  /// first result is still updated.
  @Test func resultIsUpdatedIfTheCaptureForAnotherResultFails() async throws {
    var count = 0
    repeat {
      let store = try await makeStore("\(count).sqlite")
      let first = store.liveCount(Comment.where { $0.taskID == UUID(11) })
      _ = first.value
      await store.settled()

      interruption.arm(after: count, once: true)
      let other = store.liveCount(Comment.where { $0.text != "" && $0.createdAt > Date(at: 0) && $0.task.title != "" })
      _ = other.value
      await store.settled()
      if !interruption.hasInterrupted { break }
      interruption.disarm()

      try await store.write("add") { tx in try tx.insert(comment(21)) }
      await store.settled()
      #expect(first.state.isCurrent && first.value == 1, "after \(count) times")
      other.retry()
      await store.settled()
      #expect(other.state.isCurrent && other.value == 1, "after \(count) times")
      try store.close()
      count += 5
    } while true
    interruption.disarm()
    #expect(count > 100)
  }

  /// SQLite interrupts a statement at any point while a store leaves the app's writer. The app's next write succeeds,
  /// and the store's triggers and functions are gone after it.
  @Test func closedStoreLeavesNoTriggersDespiteInterruptions() async throws {
    var count = 0
    repeat {
      let app = try await makeStore("left-\(count).sqlite")
      let store = try Store(app.writer, schema: todoSchema, clock: ManualClock(), liveInterval: .zero)
      let commented = store.liveCount(TodoTask.where { $0.title != "" && $0.comments.exists })
      _ = commented.value
      await store.settled()

      interruption.arm(after: count, once: true)
      try store.close()
      try await app.writer.writeWithoutTransaction { _ in }
      if !interruption.hasInterrupted { break }
      interruption.disarm()

      try await app.writer.write { db in try db.execute(sql: "UPDATE todoTask SET title = 'mow'; DELETE FROM comment") }
      let remains = try await app.writer.writeWithoutTransaction { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT name FROM temp.sqlite_schema
            UNION ALL SELECT name FROM pragma_function_list WHERE name LIKE 'sanderling_capture%'
            """)
      }
      #expect(remains == [], "after \(count) times")
      try app.close()
      count += 3
    } while true
    interruption.disarm()
    #expect(count > 30)
  }
}
