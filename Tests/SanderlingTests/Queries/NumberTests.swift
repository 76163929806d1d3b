import Foundation
import SanderlingTesting
import Testing

@testable import Sanderling

/// Numbers that apps compute never end the process. A senseless number is an error when the query runs, and fails live
/// results of the query.
@Suite(.timeLimit(.minutes(10))) struct NumberTests {
  private func expectInvalid(
    _ reason: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: @Sendable () async throws -> Void
  ) async {
    let error = await #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try await body() }
    guard case .invalidQuery(let text)? = error else {
      Issue.record("\(String(describing: error)) is no invalid query", sourceLocation: sourceLocation)
      return
    }
    #expect(text.contains(reason), sourceLocation: sourceLocation)
  }

  private static let limits: [(Int, Int)] = [(-1, 0), (5, -1), (.min, .min), (-1, .max)]

  @Test(arguments: limits)
  func aNegativeLimitOrOffset(_ limit: Int, _ offset: Int) async throws {
    let store = try await Store.items()
    let query = Item.order { $0.id }.limit(limit, offset: offset)
    await expectInvalid("its limit is \(limit) and its offset") { _ = try await store.fetch(query) }
    await expectInvalid("its limit is -2 and its offset") {
      _ = try await store.fetchFirst(Item.limit(-2, offset: offset)).map { _ in }
    }
    await expectInvalid("its limit is") { _ = try await store.count(query) }
    await expectInvalid("its limit is") { _ = try await store.exists(query) }
    await expectInvalid("its limit is") {
      _ = try await store.fetch(
        Item.where { $0.id.in(Item.order { $0.size }.limit(limit, offset: offset).select { $0.id }) })
    }
    await expectInvalid("its limit is") { try await store.write { _ = try $0.delete(query) } }
    #expect(try await store.count(Item.query) == 5)
    // A later limit replaces the invalid one.
    #expect(try await store.fetch(query.limit(2)).count == 2)
  }

  @Test func negativeLimitOfAPrefetchIsAnError() async throws {
    let store = try await Store.todo()
    await expectInvalid("its limit is -1") {
      _ = try await store.fetch(Project.order { $0.name }.with(Project.tasks.prefetch { $0.limit(-1) }))
    }
    await expectInvalid("its limit is -1") {
      _ = try await store.fetch(Project.order { $0.name }.limit(-1).with(Project.tasks.prefetch()))
    }
    for (limit, offset) in Self.limits {
      await expectInvalid("its limit is \(limit) and its offset") {
        _ = try await store.fetch(
          Project.order { $0.name }.with(
            Project.children.recursive().prefetch { $0.order { $0.name }.limit(limit, offset: offset) }))
      }
    }
  }

  /// The greatest integers as limits and offsets return all rows, or none.
  @Test func greatNumbers() async throws {
    let store = try await Store.items()
    let query = Item.order { $0.id }
    #expect(try await store.fetch(query.limit(.max)).count == 5)
    #expect(try await store.fetch(query.limit(.max, offset: 1)).count == 4)
    #expect(try await store.fetch(query.limit(.max, offset: .max)).isEmpty)
    #expect(try await store.count(query.limit(.max, offset: .max)) == 0)
    #expect(try await store.pages(of: query, size: .max).first().rows.count == 5)
  }

  @MainActor
  @Test func greatNumbersOfLiveResults() async throws {
    let store = try await Store.items()
    let query = Item.order { $0.id }
    let lists = [
      store.liveList(query, window: .max), store.liveList(query.limit(.max, offset: .max), window: .max),
      store.liveList(query.limit(.max, offset: 2), window: .max, start: .immediate),
    ]
    let byHand = store.liveList(RawQuery("SELECT id FROM item", as: Int.self), window: .max)
    let count = store.liveCount(query.limit(.max, offset: .max))
    let sections = store.liveSections(query.sectioned { $0.note }, window: .max)
    let long = store.longList(query, visible: .max)
    let search = store.searchSession(query, window: .max, debounce: .zero) { $0.name }
    lists.forEach { _ = $0.rows }
    _ = (byHand.rows, count.value, sections.current, long.current, search.rows)
    await store.settled()
    for list in lists { list.loadMore(.max) }
    for section in sections.current.sections { sections.loadMore(in: section.key, .max) }
    long.show(Int.min..<Int.max)
    _ = (long[.max], long[.min], long[.max - 1])
    try await store.write { try $0.update(Item.query, .set(\.name, to: "new")) }
    await store.settled()
    #expect(lists.map(\.rows.count) == [5, 0, 3])
    #expect(lists.allSatisfy { $0.state.isCurrent })
    #expect(byHand.rows.count == 5 && count.value == 0)
    #expect(try await long.counted() == 5)
    #expect(sections.state.isCurrent && search.state.error == nil)
  }

  @MainActor
  @Test(arguments: [0, -1, Int.min])
  func aWindowWithoutARow(_ window: Int) async throws {
    let store = try await Store.items()
    let query = Item.order { $0.id }
    let valid = store.liveList(query, window: 2)
    let lists = [
      store.liveList(query, window: window), store.liveList(query, window: window, start: .immediate),
    ]
    let byHand = store.liveList(RawQuery("SELECT id FROM item", as: Int.self), window: window)
    let sections = store.liveSections(query.sectioned { $0.note }, window: window)
    let long = store.longList(query, visible: window)
    let search = store.searchSession(query, window: window, debounce: .zero) { $0.name }
    _ = valid.rows
    lists.forEach { _ = $0.rows }
    _ = (byHand.rows, sections.current, long.current)
    for await snapshot in search.snapshots where snapshot.state.error != nil { break }
    await store.settled()
    for list in lists { list.loadMore() }
    lists[0].replace(Item.order { $0.size })
    sections.replace(Item.order { $0.size }.sectioned { $0.note })
    await store.settled()
    let errors =
      lists.map(\.state.error) + [byHand.state.error, sections.state.error, long.state.error, search.state.error]
    for error in errors {
      guard case .invalidQuery(let reason)? = error as? StoreError else {
        Issue.record("\(String(describing: error)) is no invalid query")
        continue
      }
      #expect(reason.contains("a window of \(window) rows"))
    }
    #expect(valid.rows.count == 2 && valid.state.isCurrent)
    for await snapshot in store.snapshots(of: query, window: window) where snapshot.state.error != nil { break }
  }

  @MainActor
  @Test func negativeLimitsOfLiveResults() async throws {
    let store = try await Store.items()
    let query = Item.order { $0.id }.limit(-1)
    let list = store.liveList(query)
    let count = store.liveCount(query)
    let value = store.liveValue(query.select { $0.id })
    let sections = store.liveSections(query.sectioned { $0.note })
    _ = (list.rows, count.value, value.value, sections.current)
    await store.settled()
    for error in [list.state.error, count.state.error, value.state.error, sections.state.error] {
      guard case .invalidQuery? = error as? StoreError else {
        Issue.record("\(String(describing: error)) is no invalid query")
        continue
      }
    }
    list.replace(Item.order { $0.id }.limit(1))
    await store.settled()
    #expect(list.rows.count == 1 && list.state.isCurrent)
  }

  @MainActor
  @Test func windowsDontShrink() async throws {
    let store = try await Store.items()
    let list = store.liveList(Item.order { $0.id }, window: 2)
    _ = list.rows
    for count in [-1, 0, -5, Int.min] { list.loadMore(count) }
    #expect(list.window == 2)
    list.loadMore(1)
    await store.settled()
    #expect(list.window == 3 && list.rows.count == 3)
  }

  @Test(arguments: [0, -1, Int.min])
  func aPageWithoutARow(_ size: Int) async throws {
    let store = try await Store.todo()
    await expectInvalid("a page of \(size) rows") {
      _ = try await store.pages(of: TodoTask.order { $0.title }, size: size).first()
    }
    await expectInvalid("a page of \(size) rows") {
      _ = try await store.pages(of: Project.order { $0.name }.with(Project.tasks.prefetch()), size: size).first()
    }
  }

  @MainActor
  @Test(arguments: [-1, Int.min])
  func aNegativeDepth(_ depth: Int) async throws {
    let store = try await Store.todo()
    let key = UUID(1)
    for tree in [
      Project.children.tree(maximumDepth: depth), Project.children.tree(from: key, maximumDepth: depth),
      Project.children.ancestors(of: key, maximumDepth: depth),
    ] {
      await expectInvalid("maximum depth of \(depth)") { _ = try await store.fetch(tree) }
      await expectInvalid("maximum depth of \(depth)") { _ = try await store.count(tree) }
      let list = store.liveList(tree)
      _ = list.rows
      await store.settled()
      #expect(list.state.error is StoreError)
    }
    #expect(try await !store.fetch(Project.children.tree(maximumDepth: .max)).isEmpty)
  }

  @Test func shortSnippets() {
    let highlights = SearchHighlights("orval")
    let long = "On the way back from Café Orval"
    for (length, text) in [(Int.min, ""), (-1, ""), (0, ""), (1, "…"), (2, "…")] {
      #expect(highlights.snippet(of: long, maxLength: length) == SearchSnippet(text: text, ranges: []))
    }
    for length in 3...6 {
      let snippet = highlights.snippet(of: long, maxLength: length)
      #expect(snippet.text.count <= length && snippet.text.count > 1)
    }
    #expect(highlights.snippet(of: "", maxLength: 0).text == "")
    #expect(SearchHighlights("a").snippet(of: "ab", maxLength: 2).text == "ab")
    #expect(SearchHighlights("a").snippet(of: "ab", maxLength: 2).ranges.count == 1)
    #expect(highlights.snippet(of: long, maxLength: .max).text == long)
  }

  @Test(arguments: [0, -1, Int.min])
  func anAuditOfNoCommit(_ count: Int) async throws {
    let store = try Store(inMemory: birdSchema, audit: .oneCommit(in: count))
    try await store.write { try $0.insert(Bird(ring: "A1", species: "knot")) }
    await store.settled()
    #expect(store.liveAuditCounts == LiveAuditCounts())
  }
}
