import Foundation
import Sanderling
import Testing

/// The code of the guide to everyday tasks gives the documented results.
@MainActor
struct EverydayTasksTests {
  @Test func add() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let task = TodoTask(id: UUID(), projectID: garden, title: "prune")
    try await store.write { tx in try tx.insert(task) }
    #expect(try await store.fetch(TodoTask.self, key: task.id) == task)
  }

  @Test func addMany() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let drafts = (1...1_000).map { TodoTask(id: UUID(), projectID: garden, title: "draft \($0)") }
    let insertion = try await store.write("import", priority: .background) { try $0.insert(contentsOf: drafts) }
    #expect(insertion.rowCount == 1_000)
  }

  @Test func readOneByItsKey() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let project = try await store.fetch(Project.self, key: garden)
    #expect(project?.name == "garden")
  }

  @Test func readAScreen() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let open = TodoTask.where { $0.projectID == garden && !$0.isCompleted }
      .order { ($0.dueAt.ascending.nullsLast, $0.id) }
    let page = try await store.fetch(open.limit(50))
    #expect(page.map(\.title) == ["dig", "sow"])
  }

  @Test func filterByTheUsersChoice() async throws {
    let store = try await Store.todo()
    let (project, text): (UUID?, String) = (UUID(2), "")
    let chosen: [Condition<TodoTask>?] = [
      project.map { project in Condition { $0.projectID == project } },
      text.isEmpty ? nil : Condition { $0.title.collated(.nocase).contains(text) },
    ]
    let found = try await store.fetch(TodoTask.where(.all(chosen.compactMap { $0 })).order { $0.title })
    #expect(found.map(\.title) == ["dig", "mow", "sow"])
  }

  @Test func countAndCheckForExistence() async throws {
    let store = try await Store.todo()
    let count = try await store.count(TodoTask.where { !$0.isCompleted })
    let isAnyDue = try await store.exists(TodoTask.where { $0.dueAt < Date(at: 15) && !$0.isCompleted })
    #expect(count == 4 && isAnyDue)
  }

  @Test func someColumnsOnly() async throws {
    let store = try await Store.todo()
    let titles = try await store.fetch(TodoTask.order { $0.title }.select { ($0.id, $0.title) })
    #expect(titles.count == 7 && titles.first?.1 == "Wash")
  }

  @Test func sumsAndAverages() async throws {
    let store = try await Store.todo()
    let last = try await store.fetchFirst(TodoTask.select { $0.dueAt.max() })
    #expect(last == Date(at: 40))
  }

  @Test func howManyOfEach() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let perProject = try await store.fetch(
      TodoTask.group { $0.projectID }.select { ($0.projectID, $0.count()) })
    #expect(perProject.contains { $0.0 == garden && $0.1 == 3 })
  }

  @Test func parentsWithCountsOfTheirChildren() async throws {
    let store = try await Store.todo()
    let summaries = try await store.fetch(ProjectSummary.where { $0.openTasks > 0 }.order { $0.openTasks.descending })
    #expect(summaries.first?.name == "garden" && summaries.first?.openTasks == 2)
  }

  @Test func parentsWithoutChildren() async throws {
    let store = try await Store.todo()
    let done = try await store.fetch(Project.where { $0.tasks.filter { !$0.isCompleted }.isEmpty }.order { $0.name })
    #expect(done.map(\.name) == ["café", "home"])
  }

  @Test func aColumnOfTheParent() async throws {
    let store = try await Store.todo()
    let byProject = TodoTask.order { ($0.project.name, $0.title) }
    let named = try await store.fetch(byProject.select { ($0.title, $0.project.name) })
    #expect(named.count == 7 && named[0].1 == "Kitchen")
  }

  @Test func childrenWithTheirWholeParents() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let withProject = try await store.fetch(TodoTask.order { $0.id }.with(TodoTask.project.prefetch()))
    for (task, project) in withProject { print(task.title, project?.name ?? "") }
    #expect(withProject.first?.1?.id == garden)
  }

  @Test func parentsWithTheirFirstThreeChildren() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let boards = try await store.fetch(
      Project.order { $0.name }.with(Project.tasks.prefetch { $0.order { $0.title }.limit(3) }))
    #expect(boards.first { $0.0.id == garden }?.1.map(\.title) == ["dig", "mow", "sow"])
  }

  @Test func theProjectWithMostToDo() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let busiest = try await store.fetchFirst(ProjectSummary.order { $0.openTasks.descending })
    #expect(busiest?.id == garden)
  }

  @Test func everythingBelowAProject() async throws {
    let store = try await Store.todo()
    let below = try await store.fetch(Project.select { ($0.name, $0.subtree.count, $0.subtree.sum { $0.tasks.count }) })
    #expect(below.contains { $0.0 == "home" && $0.1 == 3 && $0.2 == 6 })
  }

  @Test func changeOne() async throws {
    let store = try await Store.todo()
    let task = try #require(try await store.fetch(TodoTask.self, key: UUID(11)))
    let toggled = try await store.write { tx in
      try tx.update(TodoTask.self, key: task.id) { $0.isCompleted.toggle() }
    }
    #expect(toggled.isCompleted)
  }

  @Test func changeAllOfAQuery() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let changed = try await store.write { tx in
      try tx.update(TodoTask.where { $0.projectID == garden }, .set(\.isCompleted, to: true))
    }
    #expect(changed == 3)
  }

  @Test func calculateInTheDatabase() async throws {
    let store = try await Store.todo()
    try await store.write { tx in
      try tx.update(TodoTask.where { $0.isCompleted }, .set(\.title) { $0.title.appending(" ✓") })
    }
    #expect(try await store.count(TodoTask.where { $0.title.contains("✓") }) == 3)
  }

  @Test func deleteWithAllThatBelongsToIt() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    try await store.write { try $0.delete(Project.self, key: garden) }
    #expect(try await store.count(TodoTask.where { $0.projectID == garden }) == 0)
  }

  @Test func deleteOldRows() async throws {
    let store = try await Store.todo()
    let deleted = try await store.write { try $0.delete(TodoTask.where { $0.isCompleted && $0.dueAt < Date(at: 20) }) }
    #expect(deleted == 1)
  }

  @Test func upsertRowsFromAServer() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let received = [
      TodoTask(id: UUID(11), projectID: garden, title: "dig deeper"),
      TodoTask(id: UUID(99), projectID: garden, title: "rest"),
    ]
    let outcomes = try await store.write("sync", priority: .background) { try $0.upsert(contentsOf: received) }
    #expect(outcomes.updatedCount == 1 && outcomes.insertedCount == 1)
  }

  @Test func addUnlessItExists() async throws {
    let store = try await Store.todo()
    let inbox = Project(id: UUID(1), name: "Inbox", parentID: nil)
    let key = try await store.write { try $0.insert(inbox, onConflict: .ignore) }
    #expect(key == nil)
  }

  @Test func writeAllOrNothing() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let kitchen = UUID(3)
    try await store.write { tx in
      try tx.delete(Project.self, key: kitchen)
      _ = try? tx.savepoint { try tx.insert(Project(id: garden, name: "twice", parentID: nil)) }
    }
    #expect(try await store.count(Project.query) == 4)
  }

  @Test func undo() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let edits = UndoStack(store)
    try await edits.write("Delete Project") { try $0.delete(Project.self, key: garden) }
    try await edits.undo()
    #expect(try await store.count(TodoTask.where { $0.projectID == garden }) == 3 && edits.redoName == "Delete Project")
  }

  @Test func aListOnTheScreen() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title }, window: 50)
    for task in list.rows { print(task.id, task.title) }
    try await list.caughtUp()
    #expect(list.rows.map(\.title) == ["bake", "dig", "sow", "weed"])
  }

  @Test func theSelectedRowOfAList() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title })
    try await list.caughtUp()
    let selection = UUID(11)
    let selected = list[selection]
    let position = list.position(of: selection)
    #expect(selected?.title == "dig" && position == 1)
  }

  @Test func anotherFilter() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let list = store.liveList(TodoTask.order { $0.title })
    let total = store.liveCount(TodoTask.query)
    _ = (list.rows, total.value)
    await store.settled()
    let filtered = TodoTask.where { $0.projectID == garden }
    list.replace(filtered.order { $0.title })
    total.replace(counting: filtered)
    try await list.caughtUp()
    #expect(list.rows.count == 3 && total.value == 3)
  }

  @Test func aDetailThatMayBeDeleted() async throws {
    let store = try await Store.todo()
    let id = UUID(11)
    let detail = store.liveValue(TodoTask.self, key: id)
    let isGone = detail.state.isCurrent && detail.value == nil
    #expect(!isGone)
    try await detail.caughtUp()
    #expect(detail.value?.title == "dig")
    try await store.write { _ = try $0.delete(TodoTask.self, key: id) }
    try await detail.caughtUp()
    #expect(detail.value == nil)
  }

  @Test func aLiveListOfRecordsWithTheirChildren() async throws {
    let store = try await Store.todo()
    let board = store.liveList(Project.order { $0.name }.with(Project.tasks.prefetch { $0.order { $0.title } }))
    try await board.caughtUp()
    try await store.write { _ = try $0.delete(TodoTask.self, key: UUID(14)) }
    try await board.caughtUp()
    #expect(board.rows.first { $0.0.name == "Kitchen" }?.1.map(\.title) == ["Wash"])
  }

  @Test func aBadge() async throws {
    let store = try await Store.todo()
    let badge = store.liveCount(TodoTask.where { !$0.isCompleted && $0.dueAt < Date(at: 25) })
    let text = badge.value.map { "\($0)" } ?? "–"
    #expect(text == "–")
    try await badge.caughtUp()
    #expect(badge.value == 2)
  }

  @Test func awaitTheOwnWriteInAList() async throws {
    let store = try await Store.todo()
    let garden = UUID(2)
    let list = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title })
    try await store.write { try $0.insert(TodoTask(id: UUID(), projectID: garden, title: "aerate")) }
    try await list.caughtUp()
    #expect(list.rows.first?.title == "aerate")
  }

  @Test func followAQueryWithoutAScreen() async throws {
    let store = try await Store.todo()
    for await change in store.changes(of: TodoTask.where { $0.isCompleted }) {
      print(change.difference.count, "changes to", change.snapshot.rows.count, "rows")
      break
    }
  }

  @Test func writeAllRowsToAFile() async throws {
    let store = try await Store.todo()
    let lines = try await store.read { tx in
      var lines: [String] = []
      try tx.forEach(TodoTask.order { $0.id }) { lines.append($0.title) }
      return lines
    }
    #expect(lines.count == 7)
  }

  @Test func sqlByHand() async throws {
    let store = try await Store.todo()
    struct Load: Decodable { var name: String, tasks: Int }
    let query = RawQuery(
      "SELECT p.name, COUNT(*) AS tasks FROM \(Project.self) p JOIN \(TodoTask.self) t ON t.projectID = p.id GROUP BY p.id",
      decoding: Load.self)
    let loads = try await store.fetch(query)
    #expect(loads.contains { $0.name == "garden" && $0.tasks == 3 })
  }

  @Test func aStoreForAPreviewOrATest() async throws {
    let preview = try await Store.open(.memory, schema: [Project.self, TodoTask.self, Comment.self]) { tx in
      try tx.insert(Project(id: UUID(), name: "Inbox", parentID: nil))
    }
    #expect(try await preview.count(Project.query) == 1)
  }

  @Test func anotherDayInATest() async throws {
    let store = try await Store.todo()
    let days = DayClock(calendar: { Calendar(identifier: .gregorian) }, now: { Date(timeIntervalSince1970: 0) })
    let overdue = store.liveCount(on: days) { today in TodoTask.where { $0.dueAt.in(.overdue, from: today) } }
    try await overdue.caughtUp()
    #expect(overdue.value == 0)
  }

  @Test func rowsThatAnotherProcessWrote() async throws {
    let store = try await Store.todo()
    let hasChanged = try await store.noticeOutsideChanges()
    #expect(!hasChanged)
  }

  @Test func whyIsThisQuerySlow() async throws {
    let store = try await Store.todo()
    let overdue = TodoTask.where { $0.dueAt < Date(at: 15) }.order { $0.title }
    print(try overdue.sql, try await overdue.explainLive(store))
    #expect(try await overdue.explainLive(store).isMaintained)
  }
}
