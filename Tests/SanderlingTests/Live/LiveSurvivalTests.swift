import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Events in an app's life after which live results must still be right.
@MainActor
@Suite struct LiveSurvivalTests {
  private let folder = TemporaryFolder()

  private func makeStore() throws -> Store {
    try Store(path: folder.path("live.sqlite"), schema: todoSchema, liveInterval: .zero)
  }

  private func insertTasks(_ count: Int, from first: UInt64 = 1_000, _ store: Store) async throws {
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [Project(id: UUID(1), name: "home", parentID: nil)])
      try tx.insert(
        contentsOf: (0..<UInt64(count)).map { number in
          TodoTask(id: UUID(first + number), projectID: UUID(1), title: "task \(number)")
        })
    }
  }

  @Test func writesWhileListsStart() async throws {
    let store = try makeStore()
    try await insertTasks(10, store)
    var lists: [LiveList<TodoTask>] = []
    for number in 0..<50 {
      let list = store.liveList(TodoTask.where { $0.title >= "task \(number % 10)" }.order { $0.title }, window: 20)
      _ = list.rows
      lists.append(list)
      try await store.write("add") { tx in
        try tx.insert(TodoTask(id: UUID(UInt64(number) + 1), projectID: UUID(1), title: "task \(number % 10) again"))
      }
    }
    await store.settled()
    for (number, list) in lists.enumerated() {
      let fresh = try await store.fetch(
        TodoTask.where { $0.title >= "task \(number % 10)" }.order { ($0.title, $0.id) }.limit(20))
      #expect(list.elements == fresh)
    }
  }

  @Test func listsOpenAndCloseFromManyTasksDuringALongWrite() async throws {
    let store = try makeStore()
    try await insertTasks(100, store)
    let keeper = store.liveCount(TodoTask.where { $0.title != "" })
    _ = keeper.value
    await store.settled()
    let (hasBegun, begun) = AsyncStream.makeStream(of: Void.self)
    let mayEnd = DispatchSemaphore(value: 0)
    let writing = Task.detached {
      try await store.write("long") { tx in
        try tx.insert(TodoTask(id: UUID(1), projectID: UUID(1), title: "long"))
        begun.finish()
        mayEnd.wait()
      }
    }
    for await _ in hasBegun {}
    // Every list shows its rows while the writer is busy. So no list waits for the writer, and none changes the schema.
    await withTaskGroup { group in
      for worker in 0..<8 {
        group.addTask {
          for number in 0..<1_250 {
            let query = TodoTask.where { $0.title >= "task \(worker)\(number % 10)" }.order { $0.title }
            for await snapshot in store.snapshots(of: query, window: 5) where snapshot.state.isCurrent {
              break
            }
          }
        }
      }
    }
    mayEnd.signal()
    _ = try await writing.value
    await store.settled()
    #expect(keeper.value == 101)
  }

  @Test func releasedListsAreNoLongerFollowed() async throws {
    let store = try makeStore()
    try await insertTasks(10, store)
    for _ in 0..<20 {
      let lists = (0..<100).map { number in store.liveList(TodoTask.where { $0.title == "task \(number)" }) }
      lists.forEach { _ = $0.rows }
      await store.settled()
    }
    // The last lists are released, and the engine processes that in its next turn.
    await store.settled()
    #expect(await store.live.followedQueryCount() == 0)
  }

  @Test func followsThroughSchemaChanges() async throws {
    let store = try makeStore()
    try await insertTasks(3, store)
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title })
    _ = list.rows
    await store.settled()

    var migrator = DatabaseMigrator()
    migrator.registerMigration("rebuild") { db in
      try db.execute(sql: "ALTER TABLE todoTask ADD COLUMN extra TEXT; UPDATE todoTask SET title = 'A ' || title")
      try db.execute(sql: "ALTER TABLE todoTask DROP COLUMN extra")
    }
    try await store.migrate(migrator)
    await store.settled()
    #expect(list.elements == ["A task 0", "A task 1", "A task 2"])

    // The app's own migration rebuilds the table, which drops the triggers without notice.
    try await store.writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      let sql = try #require(
        try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'todoTask'"))
      try db.inTransaction {
        try db.execute(sql: "ALTER TABLE todoTask RENAME TO old")
        try db.execute(sql: sql)
        try db.execute(sql: "INSERT INTO todoTask SELECT * FROM old; DROP TABLE old")
        return .commit
      }
      try db.execute(sql: "PRAGMA foreign_keys = ON")
    }
    try await store.writer.write { db in
      try db.execute(sql: "UPDATE todoTask SET title = 'B' WHERE title = 'A task 2'")
    }
    await store.settled()
    #expect(list.elements == ["A task 0", "A task 1", "B"])
    #expect(list.state.isCurrent)
  }

  @Test func listFailsWithoutItsTableAndRecovers() async throws {
    let store = try makeStore()
    try await insertTasks(1, store)
    let list = store.liveList(Comment.order { $0.createdAt }.select { $0.text })
    _ = list.rows
    await store.settled()
    let sql = try await store.writer.write { db in
      let sql = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = 'comment'")
      try db.execute(sql: "DROP TABLE comment")
      return sql
    }
    await store.settled()
    #expect(list.state.error != nil)
    try await store.writer.write { db in
      try db.execute(sql: #require(sql))
    }
    await store.settled()
    list.retry()
    await store.settled()
    #expect(list.state.isCurrent)
    try await store.write("add") { tx in
      try tx.insert(Comment(id: UUID(1), projectID: UUID(1), taskID: nil, text: "back", createdAt: Date(at: 1)))
    }
    await store.settled()
    #expect(list.elements == ["back"])
  }

  @Test func outsideChangesAreNoticedOnRequest() async throws {
    let store = try makeStore()
    try await insertTasks(1, store)
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title })
    _ = list.rows
    await store.settled()
    #expect(try await store.noticeOutsideChanges() == false)
    let other = try DatabaseQueue(beside: store.path)
    try await other.write { try $0.execute(sql: "UPDATE todoTask SET title = 'outside'") }
    #expect(try await store.noticeOutsideChanges())
    await store.settled()
    #expect(list.elements == ["outside"])

    // The store's own write notices the outside change.
    try await other.write { try $0.execute(sql: "UPDATE todoTask SET title = 'outside again'") }
    try await store.write("add") { tx in
      try tx.insert(TodoTask(id: UUID(2), projectID: UUID(1), title: "own"))
    }
    await store.settled()
    #expect(list.elements == ["outside again", "own"])
  }

  @Test func aCommitOfVeryManyRowsIsFollowed() async throws {
    let store = try makeStore()
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title }, window: 3)
    let count = store.liveCount(TodoTask.where { !$0.isCompleted })
    _ = (list.rows, count.value)
    await store.settled()
    try await insertTasks(1, store)
    try await store.write("very many") { tx in
      _ = try tx.execute(
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
        INSERT INTO \(TodoTask.self)(id, projectID, title, isCompleted)
        SELECT randomblob(16), (SELECT id FROM project), printf('row %06d', i), i % 2 FROM n
        """)
    }
    await store.settled()
    #expect(list.elements == ["row 000001", "row 000002", "row 000003"])
    #expect(count.value == 150_001)
    #expect(list.state.isCurrent)
  }

  @Test func idleConsumerDelaysNoWriteAndGetsTheLastState() async throws {
    let store = try makeStore()
    try await insertTasks(1, store)
    var idle = store.snapshots(of: TodoTask.order { $0.title }.select { $0.title }).makeAsyncIterator()
    _ = await idle.next()
    for number in 0..<200 {
      try await store.write("rename") { tx in
        _ = try tx.execute("UPDATE \(TodoTask.self) SET title = \("name \(number)")")
      }
    }
    await store.settled()
    #expect(await idle.next()?.elements == ["name 199"])
  }

  @Test func aClosedStoreIsAnErrorOfItsLists() async throws {
    let store = try makeStore()
    try await insertTasks(1, store)
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title })
    _ = list.rows
    await store.settled()
    try store.close()
    list.suspend()
    list.resume()
    await store.settled()
    #expect(list.state.error as? StoreError == .closed)
    #expect(list.elements == ["task 0"])
  }

  @Test func anAppsOwnTriggersAreFollowed() async throws {
    let store = try makeStore()
    try await insertTasks(2, store)
    try await store.writer.write { db in
      try db.execute(
        sql: """
          CREATE TRIGGER touch AFTER UPDATE ON todoTask WHEN NEW.title NOT LIKE '%!' BEGIN
            UPDATE todoTask SET title = NEW.title || '!' WHERE id = NEW.id;
          END
          """)
    }
    let list = store.liveList(TodoTask.where { $0.title.contains("!") }.order { $0.title }.select { $0.title })
    let count = store.liveCount(TodoTask.where { $0.title.contains("!") })
    _ = (list.rows, count.value)
    await store.settled()
    try await store.write("rename") { tx in _ = try tx.execute("UPDATE \(TodoTask.self) SET title = 'a'") }
    await store.settled()
    #expect(list.elements == ["a!", "a!"])
    #expect(count.value == 2)
  }

  @Test(arguments: [true, false])
  func resultsContinueAfterMemoryIsReleased(inFile: Bool) async throws {
    let store = inFile ? try makeStore() : try Store(inMemory: todoSchema, liveInterval: .zero)
    try await insertTasks(30, store)
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title }, window: 20)
    _ = list.rows
    await store.settled()
    for number in 1...3 {
      async let written = store.writeWithCommit("add") { tx in
        _ = try tx.insert(TodoTask(id: UUID(UInt64(number)), projectID: UUID(1), title: "a\(number)"))
      }
      store.releaseMemory()
      _ = try await written
      await store.settled()
      #expect(list.elements.prefix(number) == (1...number).map { "a\($0)" }[...])
      #expect(list.elements.count == 20)
    }
    try store.close()
    store.releaseMemory()
  }

  @Test func waitingEndsWhenItsTaskIsCancelled() async throws {
    let store = try makeStore()
    let list = store.liveList(TodoTask.query)
    _ = list.rows
    await store.settled()
    let waiting = Task { try await list.reached(Commit(number: .max)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let iterating = Task {
      var count = 0
      for await _ in store.snapshots(of: TodoTask.query) { count += 1 }
      return count
    }
    iterating.cancel()
    #expect(await iterating.value <= 1)
  }
}
