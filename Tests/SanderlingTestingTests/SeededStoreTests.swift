import Sanderling
import SanderlingTesting
import Testing

struct SeededStoreTests {
  @Test func holdsTheRowsFromTheStart() async throws {
    let store = try Store.seeded(schema, seed)
    #expect(try await store.fetch(TodoTask.order { $0.id }).map(\.title) == ["dig", "mow", "sow"])
    #expect(store.path == ":memory:")
  }

  @Test func seededStoresAreIndependent() async throws {
    let (first, second) = (try Store.seeded(schema, seed), try Store.seeded(schema))
    #expect(try await first.count(TodoTask.query) == 3)
    #expect(try await second.count(TodoTask.query) == 0)
  }

  @Test func throwsTheErrorOfTheSeed() {
    #expect(throws: StoreError.self) {
      try Store.seeded(schema) { tx in try tx.insert(TodoTask(id: 1, projectID: 7, title: "of no project")) }
    }
  }

  @Test @MainActor func aPreviewShowsItsRowsInTheFirstFrame() {
    let store = Store.preview(schema, seed)
    let list = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title }, start: .immediate)
    #expect(list.elements.map(\.title) == ["dig", "sow"])
  }

  /// Awaiting rows doesn't wait for the next frame. A commit soon after another is processed in the next frame, which
  /// never begins with this clock.
  @Test @MainActor func stoppedClockDoesNotDelayAwaitedRows() async throws {
    let store = try Store.seeded(schema, clock: ManualClock(), liveInterval: .seconds(1), seed)
    let count = store.liveCount(TodoTask.where { !$0.isCompleted })
    _ = count.value
    for title in ["dig", "sow"] {
      let written = try await store.writeWithCommit("complete") { tx in
        try tx.update(TodoTask.where { $0.title == title }, .set(\.isCompleted, to: true))
      }
      try await count.reached(written.commit)
    }
    #expect(count.value == 0)
  }
}
