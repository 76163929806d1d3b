import Foundation
import Sanderling
import Testing

/// Conditions that a closure combines line by line.
@Suite struct ConditionBuilderTests {
  private enum Filter: CaseIterable { case all, open, overdue }

  private func tasks(_ project: UUID?, _ filter: Filter, _ words: [String]) -> Selection<TodoTask, TodoTask> {
    TodoTask.where {
      if let project { $0.projectID == project }
      switch filter {
      case .all: .always
      case .open: !$0.isCompleted
      case .overdue:
        !$0.isCompleted
        $0.dueAt < Date(at: 25)
      }
      for word in words { $0.title.contains(word) }
    }
  }

  @Test func eachLineIsACondition() async throws {
    let store = try await Store.todo()
    try await store.expect(
      tasks(UUID(2), .overdue, ["e", "d"]).select { $0.title },
      sql: """
        SELECT "todoTask"."title" FROM "todoTask"
        WHERE ("todoTask"."projectID" = ?) AND ("todoTask"."isCompleted" = 0) AND ("todoTask"."dueAt" < ?)
        AND (instr("todoTask"."title", ?) > 0) AND (instr("todoTask"."title", ?) > 0)
        -- X'00000000000000000000000000000002', 25.0, 'e', 'd'
        """,
      rows: "")
    try await store.expect(tasks(nil, .overdue, ["e"]).order { $0.title }.select { $0.title }, rows: ["bake", "weed"])
  }

  @Test func emptyBuilderMakesNoCondition() throws {
    #expect(tasks(nil, .all, []) == TodoTask.query)
    #expect(Condition<TodoTask> { _ in .always } == .all([]))
    #expect(Project.select { $0.tasks.filter { _ in .always }.count } == Project.select { $0.tasks.count })
    #expect(try TodoTask.where { _ in .always }.limit(2).sql == TodoTask.limit(2).sql)
  }

  @Test func linesAreTheSameAsOneCondition() {
    #expect(
      tasks(UUID(1), .open, ["x"])
        == TodoTask.where { $0.projectID == UUID(1) && !$0.isCompleted && $0.title.contains("x") })
    #expect(
      TodoTask.filter {
        $0.dueAt != nil
        $0.title == "x" || $0.isCompleted
      } == TodoTask.where { $0.dueAt != nil && ($0.title == "x" || $0.isCompleted) })
  }

  @Test func inAssociationsAndConditions() async throws {
    let store = try await Store.todo()
    let onlyDue: Bool? = true
    let counts = Project.order { $0.name }.select {
      (
        $0.name,
        $0.tasks.filter {
          !$0.isCompleted
          if onlyDue == true { $0.dueAt != nil }
        }.count
      )
    }
    try await store.expect(counts, rows: ["Kitchen | 1", "beds | 1", "café | 0", "garden | 1", "home | 0"])
    let open = Condition<TodoTask> {
      !$0.isCompleted
      $0.dueAt == nil
    }
    try await store.expect(
      TodoTask.where(open.or(Condition { $0.title == "mow" })).order { $0.title }.select { $0.title },
      rows: ["mow", "sow"])
    try await store.expect(TodoTask.where(open.negated).select { $0.count() }, rows: ["6"])
  }

  @Test(arguments: Filter.allCases) @MainActor private func liveListsFollow(filter: Filter) async throws {
    let store = try await Store.todo()
    let query = tasks(UUID(2), filter, ["o"]).order { ($0.title, $0.id) }
    #expect(try await query.explainLive(store).isMaintained)
    let list = store.liveList(query)
    try await list.caughtUp()
    for title in ["oak", "elm", "old oak"] {
      try await store.write("add") { tx in
        try tx.insert(TodoTask(id: UUID(), projectID: UUID(2), title: title, dueAt: Date(at: 5)))
      }
      try await list.caughtUp()
      #expect(list.elements == (try await store.fetch(query)))
    }
  }
}
