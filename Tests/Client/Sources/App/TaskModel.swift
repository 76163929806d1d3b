import Foundation
import Models
import Observation
import Sanderling

/// The state and the actions of one screen.
@MainActor @Observable
final class TaskModel {
  let tasks: LiveList<TodoTask>
  let summaries: LiveList<ProjectSummary>
  let busiest: LiveValue<ProjectSummary>
  let total: LiveValue<Double>
  private let open: LiveCount
  private let project: LiveValue<Project>
  private let store: Store
  private(set) var moves: [RowDifference.MovedRow] = []
  private(set) var problem: (any Error)?

  init(store: Store, project: Project.ID) {
    self.store = store
    let open = TodoTask.where { $0.projectID == project && !$0.isCompleted }
    tasks = store.liveList(open.order { ($0.priority.descending, $0.dueAt.ascending.nullsLast, $0.id) }, window: 50)
    summaries = store.liveList(ProjectSummary.where { $0.openTasks > 0 }.order { $0.name }, start: .immediate)
    busiest = store.liveValue(ProjectSummary.order { $0.openTasks.descending })
    total = store.liveValue(TodoTask.select { $0.effort.sum() })
    self.open = store.liveCount(open)
    self.project = store.liveValue(Project.self, key: project)
  }

  var title: String { "\(project.value?.name ?? ""): \(open.value ?? 0)" }
  var isLoading: Bool { !tasks.state.isCurrent && tasks.state.error == nil }
  var next: TodoTask? { tasks.rows.first }

  func task(after id: TodoTask.ID) -> TodoTask? {
    tasks.position(of: id).flatMap { tasks.rows.dropFirst($0 + 1).first } ?? tasks[id]
  }

  func follow() async {
    for await change in tasks.changes {
      moves = change.difference.movedRows
      for case .update(let position) in change.difference { print(change.snapshot.rows[position].id) }
    }
  }

  func complete(_ task: TodoTask) async {
    do {
      let written = try await store.writeWithCommit("complete task") { tx in
        var task = task
        task.isCompleted = true
        return try tx.update(task)
      }
      try await tasks.reached(written.commit)
    } catch {
      problem = error
    }
  }

  func search(_ text: String, dueBefore date: Date?) {
    let conditions = [
      Condition<TodoTask> { !$0.isCompleted }, text.isEmpty ? nil : Condition { $0.title.contains(text) },
      date.map { date in Condition { $0.dueAt < date } },
    ]
    let filtered = TodoTask.where(.all(conditions.compactMap { $0 }))
    tasks.replace(filtered.order { $0.title })
    open.replace(counting: filtered)
  }

  func rename(_ task: TodoTask, to title: String) async throws -> TodoTask {
    let renamed = try await store.write { tx in try tx.update(TodoTask.self, key: task.id) { $0.title = title } }
    try await tasks.caughtUp()
    return renamed
  }

  /// The projects with their last tasks. A project's list entry changes when one of these tasks changes.
  func boards() -> LiveList<(Project, [TodoTask])> {
    store.liveList(Project.order { $0.name }.with(Project.tasks.prefetch { $0.order { $0.dueAt.descending }.limit(3) }))
  }

  func isShown(_ task: TodoTask) throws -> Bool {
    try TodoTask.where { !$0.isCompleted }.matches(task)
  }
}
