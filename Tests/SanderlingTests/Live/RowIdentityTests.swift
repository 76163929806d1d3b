import Foundation
import Sanderling
import Testing

@MainActor
@Suite("Rows take their identity from the selected value")
struct RowIdentityTests {
  /// A record whose key is two columns, neither called `id`.
  @Record
  struct Reading: Hashable {
    @PrimaryKey var sensor: String
    @PrimaryKey var hour: Int
    var value: Double
  }

  /// Returns the identities of rows as SwiftUI's ForEach reads them.
  private func ids<Rows: RandomAccessCollection>(_ rows: Rows) -> [Rows.Element.ID] where Rows.Element: Identifiable {
    rows.map(\.id)
  }

  @Test func recordsAndProjectionsHaveTheirKeysAsIdentity() async throws {
    let store = try await Store.todo()
    let tasks = store.liveList(TodoTask.order { $0.title }, window: 3)
    let summaries = store.liveList(ProjectSummary.order { $0.name })
    _ = (tasks.rows, summaries.rows)
    await store.settled()
    #expect(ids(tasks.rows) == tasks.elements.map(\.id))
    #expect(ids(summaries.rows) == summaries.elements.map(\.id))
    for (position, task) in tasks.rows.enumerated() {
      #expect(tasks.position(of: task.id) == position)
      #expect(tasks[task.id] == task)
    }
    #expect(summaries[UUID(2)]?.name == "garden")
    // The row is in the database and outside the window.
    let hidden = try await store.fetch(TodoTask.order { $0.title }.limit(1, offset: 3))
    #expect(hidden.count == 1 && hidden.allSatisfy { tasks[$0.id] == nil && tasks.position(of: $0.id) == nil })
  }

  @Test func compositeKeysIdentifyRows() async throws {
    let store = try Store(inMemory: [Reading.self])
    try await store.write { tx in
      try tx.insert(contentsOf: (0..<600).map { Reading(sensor: $0 % 2 == 0 ? "a" : "b", hour: $0 / 2, value: 1) })
    }
    let list = store.liveList(Reading.order { ($0.hour.descending, $0.sensor) }, window: 500)
    _ = list.rows
    try await list.caughtUp()
    #expect(list.position(of: Reading.Key("b", 299)) == 1)
    #expect(list[Reading.Key(sensor: "a", hour: 298)]?.hour == 298)
    #expect(list.rows.indices.allSatisfy { list.position(of: list.rows[$0].id) == $0 })
    #expect(list.position(of: Reading.Key("a", 3)) == nil)
  }

  @Test func handwrittenSQLAndTuplesHaveIdentities() async throws {
    let store = try await Store.todo()
    let raw = store.liveList(Project.raw("SELECT * FROM \(Project.self) WHERE id <> x''"))
    let titles = store.liveList(TodoTask.order { $0.title }.select { ($0.title, $0.isCompleted) })
    _ = (raw.rows, titles.rows)
    await store.settled()
    #expect(raw.position(of: UUID(4)) == raw.elements.firstIndex { $0.id == UUID(4) })
    #expect(raw[UUID(99)] == nil)
    #expect(Set(ids(titles.rows.identified)).count == titles.rows.count)
    let before = try #require(titles.rows.identified.first)
    try await store.write { try $0.update(TodoTask.where { $0.title == "Wash" }, .set(\.isCompleted, to: false)) }
    try await titles.caughtUp()
    let after = try #require(titles.rows.identified.first)
    #expect(before.id == after.id && before.element.1 && !after.element.1)
  }
}
