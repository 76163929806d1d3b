import Observation
import Sanderling
import SanderlingTesting
import Testing

// The code of the guide "Testing with Sanderling".

@Test func aCompletedTaskIsNotOpen() async throws {
  let store = try Store.seeded([Project.self, TodoTask.self]) { tx in
    try tx.insert(Project(id: 1, name: "Garden"))
    try tx.insert(TodoTask(id: 11, projectID: 1, title: "dig"))
  }
  let open = LiveRecorder(of: store.counts(of: TodoTask.where { !$0.isCompleted }), in: store)
  #expect(try await open.next().value == 1)
  try await store.write("complete task") { tx in
    try tx.update(TodoTask.where { $0.id == 11 }, .set(\.isCompleted, to: true))
  }
  #expect(try await open.next().value == 0)
}

@MainActor @Observable
final class TaskListModel {
  let tasks: LiveList<TodoTask>
  private let open: LiveCount
  private let store: Store
  private let clock: any Clock<Duration>
  @ObservationIgnored private var searching: Task<Void, any Error>?

  init(store: Store, clock: any Clock<Duration> = ContinuousClock()) {
    self.store = store
    self.clock = clock
    tasks = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title }, window: 20)
    open = store.liveCount(TodoTask.where { !$0.isCompleted })
  }

  var title: String { "\(open.value ?? 0) open" }

  func complete(_ id: TodoTask.ID) async throws {
    try await store.write("complete task") { tx in
      try tx.update(TodoTask.where { $0.id == id }, .set(\.isCompleted, to: true))
    }
  }

  /// Searches once nothing was typed for a moment.
  func search(_ text: String) {
    searching?.cancel()
    searching = Task { [clock, tasks] in
      try await clock.sleep(for: .milliseconds(300))
      tasks.replace(TodoTask.where { !$0.isCompleted && $0.title.contains(text) }.order { $0.title })
    }
  }
}

@MainActor
struct TaskListModelTests {
  let clock = ManualClock()
  let store: Store
  let model: TaskListModel

  init() throws {
    store = try Store.seeded([Project.self, TodoTask.self]) { tx in
      try tx.insert(Project(id: 1, name: "Garden"))
      try tx.insert(contentsOf: [
        TodoTask(id: 11, projectID: 1, title: "dig"),
        TodoTask(id: 12, projectID: 1, title: "mow", isCompleted: true),
        TodoTask(id: 13, projectID: 1, title: "sow"),
      ])
    }
    model = TaskListModel(store: store, clock: clock)
    // A list is followed from the first look at it.
    _ = (model.tasks.rows, model.title)
  }

  @Test func showsOpenTasks() async throws {
    await store.settled()
    #expect(model.tasks.elements.map(\.title) == ["dig", "sow"])
    #expect(model.title == "2 open")
  }

  @Test func aCompletedTaskLeavesTheList() async throws {
    try await model.complete(11)
    await store.settled()
    #expect(model.tasks.elements.map(\.title) == ["sow"])
    #expect(model.title == "1 open")
  }

  @Test func deletingATaskRemovesItsRow() async throws {
    let recorder = LiveRecorder(of: model.tasks.changes, in: store)
    #expect(try await recorder.next().snapshot.rows.count == 2)
    try await store.write("delete") { tx in try tx.delete(TodoTask.self, key: 11) }
    let change = try await recorder.next()
    #expect(change.difference.elementsEqual([.remove(at: 0)]))
    #expect(await recorder.rest().isEmpty)
  }

  @Test func theListAndTheTitleChangeTogether() async throws {
    let recorder = LiveRecorder(in: store) { "\(model.title): \(model.tasks.elements.map(\.title))" }
    _ = await recorder.rest()
    try await model.complete(13)
    #expect(try await recorder.next() == #"1 open: ["dig"]"#)
    #expect(await recorder.rest().isEmpty)
  }

  @Test func aProjectsTasksAreFoundByAnIndex() async throws {
    let query = TodoTask.where { $0.projectID == 1 }
    try await store.expectPlan(of: query) {
      $0.searches("todoTask")
      $0.doesNotSort
    }
    let tasks = try await store.expectCost(statements: 1, steps: 2_000) { try await store.fetch(query) }
    #expect(tasks.count == 3)
  }

  @Test(.timeLimit(.minutes(10)))
  func searchesAfterAPauseInTyping() async throws {
    let recorder = LiveRecorder(of: model.tasks.snapshots, in: store)
    #expect(try await recorder.next().elements.map(\.title) == ["dig", "sow"])
    model.search("s")
    model.search("so")
    try await clock.sleepers(1)
    #expect(await recorder.rest().isEmpty)
    clock.advance(by: .milliseconds(300))
    #expect(try await recorder.first { _ in true }.elements.map(\.title) == ["sow"])
  }
}
