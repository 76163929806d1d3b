import Foundation
import Models
import Sanderling
import SanderlingTesting
import Testing

@testable import App

@MainActor
struct TaskModelTests {
  let clock = ManualClock()
  let store: Store
  let project = Project(name: "Garden")
  let model: TaskModel

  init() throws {
    store = try Store.seeded(schema, clock: clock) { [project] tx in
      try tx.insert(project)
      try tx.insert(TodoTask(projectID: project.id, title: "dig"))
    }
    model = TaskModel(store: store, project: project.id)
  }

  @Test func showsOpenTasks() async throws {
    let recorder = LiveRecorder(of: model.tasks.changes, in: store)
    #expect(try await recorder.next().snapshot.rows.count == 1)
    await model.complete(try #require(model.next))
    await store.settled()
    #expect(await recorder.rest().count == 1)
    #expect(model.title == "Garden: 0")
  }

  @Test func titles() async throws {
    let recorder = LiveRecorder(in: store) { model.title }
    clock.advance(by: .seconds(1))
    _ = try await recorder.first { $0.hasPrefix("Garden") }
  }

  @Test func plans() async throws {
    try await store.expectPlan(of: TodoTask.where { $0.projectID == project.id }) {
      $0.searches("task")
      $0.doesNotSort
    }
    _ = try await store.expectCost(statements: 1) { try await store.fetch(Project.query) }
  }

  let preview = Store.preview(schema) { try $0.insert(Project(name: "Preview")) }
}
