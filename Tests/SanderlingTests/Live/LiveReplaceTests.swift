import Foundation
import Sanderling
import Testing

@MainActor
@Suite("Replacing the query of a live result")
struct LiveReplaceTests {
  private let folder = TemporaryFolder()

  private func store(taskCount: Int) async throws -> Store {
    let store = try Store(path: folder.path("replace.sqlite"), schema: todoSchema)
    try await store.write { tx in
      try tx.insert(Project(id: UUID(1), name: "home", parentID: nil))
      for number in 0..<taskCount {
        try tx.insert(
          TodoTask(id: UUID(UInt64(100 + number)), projectID: UUID(1), title: "\(number)", isCompleted: number % 3 == 0)
        )
      }
    }
    return store
  }

  @Test func valuesCountsAndRecords() async throws {
    let store = try await store(taskCount: 30)
    let count = store.liveCount(TodoTask.query)
    let first = store.liveValue(TodoTask.order { $0.id })
    let record = store.liveValue(TodoTask.self, key: UUID(100))
    _ = (count.value, first.value, record.value)
    await store.settled()
    #expect(count.value == 30 && first.value?.title == "0" && record.value?.title == "0")
    count.replace(counting: TodoTask.where { $0.isCompleted })
    first.replace(TodoTask.order { $0.id.descending })
    record.replace(key: UUID(107))
    // The old values are shown until the new ones are read.
    #expect(count.value == 30 && first.value?.title == "0" && record.value?.title == "0")
    try await count.caughtUp()
    try await first.caughtUp()
    try await record.caughtUp()
    #expect(count.value == 10 && first.value?.title == "29" && record.value?.title == "7")
    try await store.write { _ = try $0.delete(TodoTask.self, key: UUID(107)) }
    try await record.caughtUp()
    #expect(record.value == nil && record.state.isCurrent)
  }

  @Test("a list and its count change together", arguments: [false, true])
  func together(isWritten: Bool) async throws {
    let store = try await store(taskCount: 400)
    let list = store.liveList(TodoTask.query, window: 1_000)
    let count = store.liveCount(TodoTask.query)
    _ = (list.rows, count.value)
    await store.settled()
    for step in 0..<60 {
      let query = TodoTask.where { $0.isCompleted == (step % 2 == 0) }.limit(step % 2 == 0 ? 100 : 200)
      let (old, new) = (list.rows.count, step % 2 == 0 ? 100 : 200)
      if step % 3 == 0 {
        list.replace(query)
        count.replace(counting: query)
      } else {
        count.replace(counting: query)
        list.replace(query)
      }
      if isWritten, step % 5 == 0 {
        try await store.write { try $0.update(TodoTask.self, key: UUID(399)) { $0.title += "." } }
      }
      while list.rows.count != new || count.value != new {
        try #require(list.rows.count == count.value, "step \(step)")
        #expect(list.rows.count == old)
        try await Task.sleep(for: .microseconds(50))
      }
    }
  }

  @Test func failedReplacementDoesNotHoldBackOthers() async throws {
    let store = try await store(taskCount: 10)
    let list = store.liveList(TodoTask.query)
    let value = store.liveValue(TodoTask.select { $0.title.count() })
    _ = (list.rows, value.value)
    await store.settled()
    list.replace(TodoTask.where { $0.isCompleted })
    // This query can't run: it searches texts for a part under a collation that defines no comparison of parts.
    value.replace(TodoTask.where { $0.title.collated(.rtrim).contains("a") }.select { $0.title.count() })
    await store.settled()
    #expect(list.rows.count == 4 && list.state.isCurrent)
    #expect(value.value == 10 && value.state.error != nil)
  }

  @Test func suspendedAndReleasedResultsDoNotHoldBackOthers() async throws {
    let store = try await store(taskCount: 10)
    let list = store.liveList(TodoTask.query)
    let suspended = store.liveCount(TodoTask.query)
    var gone: LiveCount? = store.liveCount(TodoTask.query)
    _ = (list.rows, suspended.value, gone?.value)
    await store.settled()
    list.replace(TodoTask.where { $0.isCompleted })
    suspended.replace(counting: TodoTask.where { $0.isCompleted })
    gone?.replace(counting: TodoTask.where { $0.isCompleted })
    suspended.suspend()
    gone = nil
    try await list.caughtUp()
    #expect(list.rows.count == 4 && suspended.value == 10)
    suspended.resume()
    try await suspended.caughtUp()
    #expect(suspended.value == 4)
  }

  @Test func caughtUpShowsEarlierWrites() async throws {
    let store = try await store(taskCount: 0)
    let (list, count) = (store.liveList(TodoTask.order { $0.id }), store.liveCount(TodoTask.query))
    for number in 1...20 {
      try await store.write {
        try $0.insert(TodoTask(id: UUID(UInt64(number)), projectID: UUID(1), title: "\(number)"))
      }
      try await list.caughtUp()
      try await count.caughtUp()
      #expect(list.rows.last?.title == "\(number)" && count.value == number)
    }
    list.suspend()
    await #expect(throws: LiveError.suspended) { try await list.caughtUp() }
  }
}
