import Foundation
import Sanderling
import SanderlingTesting
import Testing

@testable import TasksModel

@Suite @MainActor struct ModelTests {
  @Test func oneQueryCountsTheTasksOfAllProjects() async throws {
    let store = try Store.tasks(2_000)
    let model = TasksModel(store)
    let summaries = try await store.expectCost(statements: 1) {
      try await store.fetch(ProjectSummary.order { $0.name })
    }
    let plain = try await store.fetch(
      RawQuery(
        """
        SELECT p.name, sum(NOT isCompleted), sum(isCompleted), min(dueOn) FILTER (WHERE NOT isCompleted)
        FROM todoTask t JOIN project p ON p.id = t.projectID GROUP BY p.id ORDER BY p.name
        """, as: String.self, Int.self, Int.self, LocalDay?.self))
    #expect(summaries.count == 12)
    #expect(
      summaries.elementsEqual(plain) {
        $0.name == $1.0 && $0.open == $1.1 && $0.completed == $1.2 && $0.nextDay == $1.3
      })
    try await model.projects.caughtUp()
    #expect(model.projects.elements == summaries)
    await model.editor.add(TaskDraft(title: "dig", project: "garden"))
    try await model.projects.caughtUp()
    #expect(
      model.projects.rows.first { $0.name == "Garden" }?.open == (summaries.first { $0.name == "Garden" }?.open ?? 0)
        + 1)
  }

  @Test(.timeLimit(.minutes(10))) func todayMovesOnAtMidnight() async throws {
    let store = try Store.tasks()
    let still = StillDays()
    let model = TasksModel(store, days: still.days)
    for (title, distance) in [("late", -1), ("now", 0), ("next", 1), ("far", 2)] {
      await model.editor.add(TaskDraft(title: title, dueOn: today.advanced(by: distance)))
    }
    let recorder = LiveRecorder(in: store) {
      "\(model.today.today.day) \(model.today.tasks.elements.map(\.title)) \(model.today.overdue.value ?? -1)"
    }
    _ = try await recorder.first { $0 == #"2026-11-28 ["late", "now"] 1"# }
    // The list, the count and the name of the day wait for midnight.
    try await still.clock.sleepers(3)
    still.clock.advance(by: .seconds(11))
    _ = try await recorder.first { $0 == #"2026-11-29 ["late", "now", "next"] 2"# }
  }

  @Test func changesAreUndoneAndDoneAgain() async throws {
    let store = try Store.tasks(300)
    let editor = TaskEditor(store)
    let all = TodoTask.order { $0.id }
    let before = try await store.fetch(all)
    let garden = try await store.fetchFirst(Project.where { $0.name == "Garden" })
    let project = try #require(garden)
    await editor.toggle(before[7].id)
    await editor.move(before[8].id, to: nil)
    await editor.delete(before[9].id)
    await editor.delete(project: project.id)
    await editor.add(TaskDraft(title: "new", project: "New project"))
    let after = try await store.fetch(all)
    #expect(
      editor.undoName == "Add Task" && !after.contains { $0.projectID == project.id }
        && after.contains { $0.title == "new" })
    for _ in 1...5 { await editor.undo() }
    #expect(editor.undoName == nil && editor.problem == nil)
    #expect(try await store.fetch(all) == before)
    #expect(try await store.count(Project.where { $0.name == "New project" }) == 0)
    for _ in 1...5 { await editor.redo() }
    #expect(try await store.fetch(all) == after)
  }

  @Test func anUndoThatWouldLoseAnotherChangeIsRefused() async throws {
    let store = try Store.tasks(1)
    let editor = TaskEditor(store)
    let task = try #require(try await store.fetchFirst(TodoTask.query))
    await editor.toggle(task.id)
    try await store.write { tx in try tx.update(TodoTask.self, key: task.id) { $0.title = "changed elsewhere" } }
    await editor.undo()
    #expect(editor.problem?.contains("todoTask") == true, "\(editor.problem ?? "")")
    #expect(try await store.fetch(TodoTask.self, key: task.id)?.title == "changed elsewhere")
  }

  @Test func searchFindsTextsWithoutTheirAccents() async throws {
    let store = try Store.tasks(3_000)
    let search = TasksModel(store).search
    #expect(search.rows.isEmpty)
    for (input, texts) in [
      ("malag", ["Málaga"]), ("lukasz smorre", ["Łukasz", "smørrebrød"]), ("nowhere", ["nowhere"]),
    ] {
      search.input = input
      await search.settled()
      let expected = try await store.fetch(TodoTask.order { ($0.isCompleted, $0.dueOn, $0.title) })
        .filter { task in texts.allSatisfy { task.title.contains($0) } }
      #expect(search.elements == Array(expected.prefix(200)) && search.elements.isEmpty == (input == "nowhere"))
    }
  }

  @Test func linesOfTodoTxtAreRead() throws {
    let text = "Water the plants +Garden due:2026-12-24\n\n  x Call Ada @phone +Open_source\r\n"
    #expect(
      try TaskDraft.drafts(todoTxt: text) == [
        TaskDraft(title: "Water the plants", project: "Garden", dueOn: LocalDay(year: 2026, month: 12, day: 24)),
        TaskDraft(title: "Call Ada @phone", project: "Open source", isCompleted: true),
      ])
    #expect(
      throws: DraftError.line(2, "due:2026-13-01 names no day. Write the day as in due:2026-12-24, or leave it out.")
    ) {
      try TaskDraft.drafts(todoTxt: "a\nb due:2026-13-01")
    }
    for empty in ["", "x", "+Garden due:2026-12-24"] {
      #expect(throws: DraftError.noTitle) { try TaskDraft(line: empty) }
    }
  }
}
