import Foundation
import Testing

@testable import Sanderling

@MainActor
@Suite struct LiveListTests {
  @Test func followsInsertionsUpdatesAndDeletions() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.where { !$0.isCompleted }.order { $0.title })
    #expect(list.elements.isEmpty)
    await store.settled()
    #expect(list.elements.map(\.title) == ["bake", "dig", "sow", "weed"])
    #expect(list.state.isCurrent)

    try await store.write("add") { tx in
      try tx.insert(TodoTask(id: UUID(18), projectID: UUID(1), title: "clean"))
    }
    await store.settled()
    #expect(list.elements.map(\.title) == ["bake", "clean", "dig", "sow", "weed"])

    try await store.write("complete and rename") { tx in
      try tx.update(TodoTask(id: UUID(14), projectID: UUID(3), title: "bake", isCompleted: true, dueAt: nil))
      try tx.update(TodoTask(id: UUID(11), projectID: UUID(2), title: "zap"))
      try tx.delete(TodoTask.self, key: UUID(13))
    }
    await store.settled()
    #expect(list.elements.map(\.title) == ["clean", "weed", "zap"])
  }

  @Test func neverShowsMoreThanItsWindow() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.order { $0.title }, window: 2)
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.title) == ["Wash", "bake"])
    #expect(list.hasMore)
    for number in 0..<5 {
      try await store.write("add") { tx in
        try tx.insert(TodoTask(id: UUID(30 + UInt64(number)), projectID: UUID(1), title: "A\(number)"))
      }
      await store.settled()
      #expect(list.rows.count == 2)
    }
    #expect(list.elements.map(\.title) == ["A0", "A1"])
    list.loadMore(3)
    await store.settled()
    #expect(list.elements.map(\.title) == ["A0", "A1", "A2", "A3", "A4"])
  }

  /// A list first reads some rows beyond its window. Here the grown window ends with the last of them.
  @Test func knowsItsLastRowWhenTheWindowGrowsToTheRowsThatWereRead() async throws {
    let store = try Store(inMemory: [Folder.self], liveInterval: .zero)
    try await store.write("add") { tx in try tx.insert(contentsOf: (1...21).map { Folder(id: $0) }) }
    let list = store.liveList(Folder.order { $0.id }, window: 5)
    _ = list.rows
    await store.settled()
    #expect(list.rows.count == 5 && list.hasMore)
    list.loadMore(16)
    await store.settled()
    #expect(list.rows.count == 21 && !list.hasMore)
  }

  @Record(indexes: [.on(\.parentID)])
  struct Folder {
    var id: Int
    var parentID: Int?
    var size = 1
    static let descendants = hasMany(Folder.self, by: \.parentID).recursive()
  }

  /// Aggregates over descendants follow changes at any depth.
  @Test func followsDescendantsOfDescendants() async throws {
    let store = try Store(inMemory: [Folder.self])
    let sizes = store.liveList(
      Folder.order { $0.id }.select { ($0.id, $0.descendants.count, $0.descendants.sum(\.size)) })
    _ = sizes.rows
    func expect(_ expected: [[Int]]) async {
      await store.settled()
      #expect(sizes.elements.map { [$0.0, $0.1, $0.2] } == expected)
    }
    try await store.write("add") { tx in
      for id in 1...5 { try tx.insert(Folder(id: id, parentID: id > 1 ? id - 1 : nil)) }
    }
    await expect([[1, 4, 4], [2, 3, 3], [3, 2, 2], [4, 1, 1], [5, 0, 0]])
    try await store.write("grow") { try $0.update(Folder.self, key: 5) { $0.size = 100 } }
    await expect([[1, 4, 103], [2, 3, 102], [3, 2, 101], [4, 1, 100], [5, 0, 0]])
    try await store.write("add deep down") { try $0.insert(Folder(id: 6, parentID: 5, size: 7)) }
    await expect([[1, 5, 110], [2, 4, 109], [3, 3, 108], [4, 2, 107], [5, 1, 7], [6, 0, 0]])
    try await store.write("move") { try $0.update(Folder.self, key: 4) { $0.parentID = 1 } }
    await expect([[1, 5, 110], [2, 1, 1], [3, 0, 0], [4, 2, 107], [5, 1, 7], [6, 0, 0]])
    try await store.write("delete") { try $0.delete(Folder.self, key: 6) }
    await expect([[1, 4, 103], [2, 1, 1], [3, 0, 0], [4, 1, 100], [5, 0, 0]])
  }

  @Test func followsAssociatedRows() async throws {
    let store = try await Store.todo()
    let list = store.liveList(
      TodoTask.where { $0.project.name == "garden" }.order { $0.title }.select { ($0.title, $0.project.name) })
    let summaries = store.liveList(ProjectSummary.order { $0.name })
    _ = (list.rows, summaries.rows)
    await store.settled()
    #expect(list.elements.map(\.0) == ["dig", "mow", "sow"])
    #expect(summaries.elements.map(\.openTasks) == [1, 1, 0, 2, 0])

    try await store.write("rename") { tx in
      try tx.update(Project(id: UUID(2), name: "yard", parentID: UUID(1)))
      try tx.update(Project(id: UUID(3), name: "garden", parentID: UUID(1)))
    }
    await store.settled()
    #expect(list.elements.map(\.0) == ["Wash", "bake"])
    #expect(summaries.elements.map(\.name) == ["beds", "café", "garden", "home", "yard"])

    try await store.write("move") { tx in
      try tx.update(TodoTask(id: UUID(11), projectID: UUID(3), title: "dig"))
    }
    await store.settled()
    #expect(list.elements.map(\.0) == ["Wash", "bake", "dig"])
    #expect(summaries.elements.map(\.openTasks) == [1, 0, 2, 0, 1])
  }

  @Test func rerunsQueriesThatItCannotMaintain() async throws {
    let store = try await Store.todo()
    let list = store.liveList(
      RawQuery("SELECT title FROM \(TodoTask.self) WHERE isCompleted ORDER BY 1", as: String.self))
    _ = list.rows
    await store.settled()
    #expect(list.elements == ["Wash", "mow", "pay 50% rent"])
    try await store.write("delete") { tx in _ = try tx.delete(TodoTask.self, key: UUID(12)) }
    await store.settled()
    #expect(list.elements == ["Wash", "pay 50% rent"])
  }

  @Test func countsAndValuesFollow() async throws {
    let store = try await Store.todo()
    let count = store.liveCount(TodoTask.where { !$0.isCompleted })
    let busy = store.liveCount(Project.where { $0.tasks.filter { !$0.isCompleted }.count > 0 })
    let first = store.liveValue(TodoTask.order { $0.title }.select { $0.title })
    let summary = store.liveValue(TodoTask.select { $0.count() })
    let record = store.liveValue(Project.self, key: UUID(5))
    _ = (count.value, busy.value, first.value, summary.value, record.value)
    await store.settled()
    #expect(count.value == 4)
    #expect(busy.value == 3)
    #expect(first.value == "Wash")
    #expect(summary.value == 7)
    #expect(record.value?.name == "café")
    try await store.write("add") { tx in
      try tx.insert(TodoTask(id: UUID(18), projectID: UUID(5), title: "A"))
      try tx.update(Project(id: UUID(5), name: "cafeteria", parentID: nil))
    }
    await store.settled()
    #expect(count.value == 5)
    #expect(busy.value == 4)
    #expect(first.value == "A")
    #expect(summary.value == 8)
    #expect(record.value?.name == "cafeteria")
    try await store.write("delete") { tx in try tx.delete(Project.self, key: UUID(5)) }
    await store.settled()
    #expect(count.value == 4)
    #expect(busy.value == 3)
    #expect(record.value == nil)
  }

  @Test func followsGroups() async throws {
    let store = try await Store.todo()
    let list = store.liveList(
      TodoTask.group(by: { $0.projectID }).select { ($0.projectID, $0.count()) }.having { $0.count() > 1 })
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.1) == [3, 2])
    try await store.write("add") { tx in
      try tx.insert(TodoTask(id: UUID(18), projectID: UUID(1), title: "A"))
      try tx.delete(TodoTask.self, key: UUID(14))
    }
    await store.settled()
    #expect(list.elements.map(\.1) == [2, 3])
  }

  @Test func changesLeadFromOneSnapshotToTheNext() async throws {
    let store = try await Store.todo()
    var iterator = store.changes(of: TodoTask.order { $0.title }.select { $0.title }, window: 3).makeAsyncIterator()
    var titles: [String] = []
    let first = try #require(await iterator.next())
    first.difference.apply(to: &titles) { first.snapshot.rows[$0] }
    #expect(titles == ["Wash", "bake", "dig"])
    try await store.write("delete") { tx in _ = try tx.delete(TodoTask.self, key: UUID(14)) }
    let second = try #require(await iterator.next())
    second.difference.apply(to: &titles) { second.snapshot.rows[$0] }
    #expect(titles == ["Wash", "dig", "mow"])
    #expect(Array(second.difference) == [.remove(at: 1), .insert(at: 2)])
  }

  @Test func suspendsAndResumes() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title }, window: 2)
    _ = list.rows
    await store.settled()
    list.suspend()
    let written = try await store.writeWithCommit("delete") { tx in _ = try tx.delete(TodoTask.self, key: UUID(14)) }
    await store.settled()
    #expect(list.elements == ["Wash", "bake"])
    guard case .suspended = list.state else { Issue.record("the list is not suspended"); return }
    await #expect(throws: LiveError.suspended) { try await list.reached(written.commit) }
    list.resume()
    try await list.reached(written.commit)
    #expect(list.elements == ["Wash", "dig"])
  }

  @Test func replacesItsQueryInPlace() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.where { $0.isCompleted }.order { $0.title })
    _ = list.rows
    await store.settled()
    #expect(list.elements.map(\.title) == ["Wash", "mow", "pay 50% rent"])
    list.replace(TodoTask.where { $0.title.contains("w") }.order { $0.title })
    #expect(list.elements.map(\.title) == ["Wash", "mow", "pay 50% rent"])
    await store.settled()
    #expect(list.elements.map(\.title) == ["mow", "sow", "weed"])
  }

  @Test func loadsAtOnceWhenAskedTo() async throws {
    let store = try await Store.todo()
    let list = store.liveList(TodoTask.order { $0.title }.select { $0.title }, window: 2, start: .immediate)
    #expect(list.elements == ["Wash", "bake"])
    #expect(list.hasMore)
    let count = store.liveCount(TodoTask.query, start: .immediate)
    #expect(count.value == 7)
  }

  @Test func worksOnAFileAndReadsItsOwnWrites() async throws {
    let folder = TemporaryFolder()
    let store = try Store(path: folder.path("live.sqlite"), schema: todoSchema)
    let list = store.liveList(Project.order { $0.name }, window: 10)
    for number in 0..<20 {
      let written = try await store.writeWithCommit("add") { tx in
        try tx.insert(Project(id: UUID(UInt64(number)), name: "project \(number % 7)", parentID: nil))
      }
      try await list.reached(written.commit)
      #expect(list.rows.count == min(number + 1, 10))
      #expect((list.commit.map { $0 >= written.commit } ?? false))
    }
  }
}
