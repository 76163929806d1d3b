import Foundation
import Sanderling
import SanderlingTesting
import Testing

@testable import TasksModel

@Suite @MainActor struct AgendaTests {
  @Test func fiftyThousandTasksHaveSectionsAndFewRowsInMemory() async throws {
    let store = try Store.tasks(50_000)
    let agenda = AgendaModel(store)
    #expect(try await agenda.tasks.counted() == 50_000)
    _ = agenda.sections
    await store.settled()
    let days = try await store.fetch(
      RawQuery(
        "SELECT dueOn, sum(NOT isCompleted), count(*) FROM todoTask GROUP BY 1 ORDER BY 1", as: LocalDay?.self,
        Int.self, Int.self))
    #expect(agenda.sections.map(\.day) == days.map(\.0) && agenda.sections.map(\.open) == days.map(\.1))
    #expect(
      agenda.sections.map(\.positions.count) == days.map(\.2) && agenda.sections.last?.positions.upperBound == 50_000)
    for section in agenda.sections.filter({ $0.day != nil }).shuffled().prefix(20) {
      let position = try await agenda.show(from: section.day ?? today)
      #expect(position == section.positions.lowerBound)
      let tasks = agenda.tasks.current
      #expect(tasks[position]?.dueOn == section.day && tasks[position - 1]?.dueOn != section.day)
      #expect(tasks.loadedPositions.reduce(0) { $0 + $1.count } <= 1_000)
    }
  }

  @Test func indexesServeTheOrderOfAllTasksAndOfAProject() async throws {
    let store = try Store.tasks(100)
    let order = TodoTask.order { ($0.dueOn, $0.title) }
    for query in [order, order.where { $0.projectID == Project.inbox.id }] {
      try await store.expectPlan(of: query) { $0.doesNotSort }
    }
  }

  @Test func aProjectHasAnAgendaOfItsOwn() async throws {
    let store = try Store.tasks(500)
    let project = try #require(try await store.fetchFirst(Project.order { $0.name }))
    let agenda = AgendaModel(store, project: project.id)
    let expected = try await store.fetch(TodoTask.where { $0.projectID == project.id }.order { ($0.dueOn, $0.title) })
    let (rows, count) = try await agenda.tasks.rows(at: 0..<expected.count)
    #expect(rows == expected && count == expected.count)
  }

  @Test func theVisibleRowsStayDuringAnImport() async throws {
    let store = try Store.tasks(20_000)
    let agenda = AgendaModel(store)
    try await agenda.tasks.counted()
    let position = try await agenda.show(from: today)
    let recorder = LiveRecorder(in: store) {
      let tasks = agenda.tasks.current
      let shown = agenda.tasks.shownPositions
      return (ids: shown.map { tasks[$0]?.id }, loaded: tasks.loadedPositions.reduce(0) { $0 + $1.count })
    }
    let before = try await recorder.next().ids
    #expect(before.count == 50 && before.allSatisfy { $0 != nil })
    let importer = TaskImporter(store)
    // All of these tasks come before the visible rows.
    importer.start(TaskDraft.samples(5_000, around: today.advanced(by: -1_000)))
    await importer.finished()
    #expect(importer.problem == nil)
    #expect(try await agenda.tasks.counted() == 25_000)
    // No frame moved a visible row, and each held some hundred rows, whatever their number in the database.
    let frames = await recorder.rest()
    #expect(frames.count > 1)
    for frame in frames { #expect(frame.ids == before && frame.loaded <= 1_000) }
    #expect(agenda.tasks.shownPositions.lowerBound == position + 5_000)
  }

  @Test func anImportIsCancelledBetweenTwoTransactions() async throws {
    let store = try Store.tasks()
    let importer = TaskImporter(store)
    importer.start(TaskDraft.samples(100_000, around: today))
    let recorder = LiveRecorder(in: store) { importer.progress?.done ?? 0 }
    _ = try await recorder.first { $0 > 0 }
    importer.cancel()
    await importer.finished()
    let count = try await store.count(TodoTask.query)
    #expect(importer.progress == nil && importer.problem == nil)
    #expect(count > 0 && count < 100_000 && count.isMultiple(of: TaskImporter.slice))
  }
}
