import Foundation
import Sanderling
import Testing

@MainActor
@Suite("Live lists of records with associated records")
struct LivePrefetchTests {
  private let folder = TemporaryFolder()

  private func store(_ name: String) throws -> Store {
    try Store(path: folder.path(name), schema: todoSchema, audit: .everyCommit { Issue.record("\($0)") })
  }

  /// A list and a fresh fetch of it, each as one text per row.
  private struct Watched {
    let name: String
    let shown: @MainActor () -> [String]
    let fresh: @Sendable (ReadTransaction) throws -> [String]
    let isMaintained: Bool
    let explain: () async throws -> Bool

    @MainActor
    init<Root, Output>(
      _ name: String, _ store: Store, window: Int, isMaintained: Bool = true,
      _ query: @Sendable (_ limit: Int?) -> PrefetchingSelection<Root, Output>
    ) {
      let (all, limited) = (query(nil), query(window))
      let list = store.liveList(all, window: window)
      _ = list.rows
      self.name = name
      self.isMaintained = isMaintained
      shown = { list.elements.map { "\($0)" } }
      fresh = { try $0.fetch(limited).map { "\($0)" } }
      explain = { try await all.explainLive(store).isMaintained }
    }
  }

  private func watched(_ store: Store) -> [Watched] {
    [
      Watched("open tasks and the parent", store, window: 5) { limit in
        limited(Project.order { ($0.name, $0.id) }, limit).with(
          Project.tasks.prefetch { $0.filter { !$0.isCompleted }.order { ($0.title, $0.id) }.limit(3) },
          Project.parent.prefetch())
      },
      Watched("comments, project and its parent", store, window: 8) { limit in
        limited(TodoTask.where { !$0.isCompleted }.order { ($0.title, $0.id) }, limit).with(
          TodoTask.comments.prefetch { $0.order { $0.id } },
          TodoTask.project.prefetch { $0.with(Project.parent.prefetch()) })
      },
      Watched("tasks by the names of their projects, with comments", store, window: 4) { limit in
        limited(Project.order { $0.id.descending }, limit).with(
          Project.tasks.prefetch {
            $0.order { ($0.project.name, $0.id) }.with(TodoTask.comments.prefetch { $0.order { $0.id }.limit(1) })
          })
      },
      Watched("without duplicates", store, window: 6, isMaintained: false) { limit in
        limited(Project.order { ($0.name, $0.id) }.distinct(), limit).with(
          Project.tasks.prefetch { $0.order { $0.id } }, Project.comments.prefetch { $0.order { $0.id } })
      },
    ]
  }

  @Test func listsEqualAFreshFetchAfterRandomWrites() async throws {
    var generator = SeededGenerator()
    let store = try store("random.sqlite")
    let lists = watched(store)
    for step in 0..<150 {
      let operations = (0..<Int.random(in: 1...4, using: &generator)).map { _ in TodoChange.random(using: &generator) }
      try await store.write { tx in
        for operation in operations { try operation.run(tx) }
      }
      await store.settled()
      for list in lists {
        let fresh = try await store.read(list.fresh)
        try #require(list.shown() == fresh, "\(list.name), step \(step), SANDERLING_SEED=\(generator.seed)")
      }
    }
    for list in lists { #expect(try await list.explain() == list.isMaintained, "\(list.name)") }
  }

  @Test func onlyRowsWithChangedRecordsAreUpdated() async throws {
    let store = try await Store.todo()
    let query = Project.order { $0.id }.with(
      Project.tasks.prefetch { $0.filter { !$0.isCompleted }.order { $0.title } })
    let changes = store.liveList(query).changes
    var iterator = changes.makeAsyncIterator()
    let first = try #require(await iterator.next())
    #expect(first.snapshot.rows.count == 5)
    // No project's open tasks change: the list publishes nothing until the next write.
    try await store.write {
      try $0.update(TodoTask.where { $0.isCompleted }, .set(\.title) { $0.title.appending("!") })
    }
    try await store.write { try $0.update(TodoTask.self, key: UUID(11)) { $0.title = "dig deeper" } }
    let second = try #require(await iterator.next())
    #expect(Array(second.difference) == [.update(at: 1)])
    #expect(second.snapshot.rows[1].1.contains { $0.title == "dig deeper" })
  }

  @Test func queriesWithDifferentPrefetchesAreDifferent() async throws {
    let store = try await Store.todo()
    let lists = [false, true].map { isCompleted in
      store.liveList(
        Project.order { $0.id }.with(Project.tasks.prefetch { $0.filter { $0.isCompleted == isCompleted } }))
    }
    let first = store.liveValue(Project.order { $0.id }.with(Project.children.prefetch { $0.order { $0.id } }))
    _ = (lists.map(\.rows), first.value)
    await store.settled()
    #expect(lists[0].elements.flatMap(\.1).allSatisfy { !$0.isCompleted })
    #expect(
      lists[1].elements.flatMap(\.1).allSatisfy { $0.isCompleted } && lists[1].elements.contains { !$0.1.isEmpty })
    #expect(first.value?.1.map(\.id) == [UUID(2), UUID(3)])
    try await store.write { _ = try $0.delete(Project.self, key: UUID(3)) }
    try await first.caughtUp()
    #expect(first.value?.1.map(\.id) == [UUID(2)])
    lists[0].replace(Project.where { $0.id == UUID(2) }.with(Project.tasks.prefetch()))
    try await lists[0].caughtUp()
    #expect(lists[0].elements.map(\.0.id) == [UUID(2)])
  }

  @Test func survivesErasingAndReading() async throws {
    let store = try store("erased.sqlite")
    try await store.write { tx in
      try tx.insert(Project(id: UUID(1), name: "home", parentID: nil))
      try tx.insert(TodoTask(id: UUID(2), projectID: UUID(1), title: "sweep"))
    }
    let list = store.liveList(Project.order { $0.id }.with(Project.tasks.prefetch()))
    _ = list.rows
    try await list.caughtUp()
    #expect(list.elements.map { "\($0.0.name) \($0.1.map(\.title))" } == ["home [\"sweep\"]"])
    try await store.erase()
    await store.settled()
    #expect(list.elements.isEmpty && list.state.isCurrent)
    try await store.write { tx in
      try tx.insert(Project(id: UUID(1), name: "away", parentID: nil))
      try tx.insert(TodoTask(id: UUID(2), projectID: UUID(1), title: "pack"))
    }
    try await list.caughtUp()
    #expect(list.elements.map { "\($0.0.name) \($0.1.map(\.title))" } == ["away [\"pack\"]"])
  }
}

private func limited<R>(_ query: Selection<R, R>, _ limit: Int?) -> Selection<R, R> {
  limit.map { query.limit($0) } ?? query
}
