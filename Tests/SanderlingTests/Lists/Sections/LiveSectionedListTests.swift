import Foundation
import Testing

@testable import Sanderling

@MainActor
@Suite("Sectioned lists")
struct LiveSectionedListTests {
  private typealias Item = Sectioned.Item
  private typealias Owner = Sectioned.Owner

  private let folder = TemporaryFolder()

  private func store(_ items: [Item] = []) async throws -> Store {
    let store = try Store(path: folder.path("sections.sqlite"), schema: Sectioned.schema, liveInterval: .zero)
    try await store.write { tx in
      for (id, name) in [(1, "Ann"), (2, "Ben")] { try tx.insert(Owner(id: id, name: name)) }
      for item in items { try tx.insert(item) }
    }
    return store
  }

  private nonisolated static func item(_ id: Int, owner: Int? = nil, status: Int? = nil) -> Item {
    Item(id: id, ownerID: owner, status: status, title: "\(id)", estimate: id)
  }

  private static let items = [
    item(1, owner: 1, status: 1), item(2, owner: 1, status: 2), item(3, owner: 2, status: 1), item(4),
  ]

  private func texts<Key, Values>(_ list: LiveSectionedList<Key, Values, Item>) -> [String] {
    list.sections.map { "\($0.key) \($0.count) \($0.isOpen ? "\($0.rows.map(\.id))" : "closed")" }
  }

  @Test func sectionsHaveCountsValuesAndRows() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(
      Item.order { $0.id }.sectioned { $0.owner.name }.sectionValues { ($0.estimate.sum(), $0.id.max()) })
    #expect(list.sections.isEmpty && !list.state.isCurrent)
    await store.settled()
    #expect(list.sections.map(\.key) == [nil, "Ann", "Ben"])
    #expect(list.sections.map(\.count) == [1, 2, 1])
    #expect(list.sections.map { $0.values.0 } == [4, 3, 3])
    #expect(list.sections.map { $0.values.1 } == [4, 2, 3])
    #expect(list.sections.map { $0.rows.map(\.id) } == [[4], [1, 2], [3]])
    #expect(list.sections[1].rows[1].id == 2 && list.sections[id: list.sections[1].id]?.key == "Ann")

    // A parent's new name moves its section. The same name for two parents makes one section of two.
    try await store.write { _ = try $0.update(Owner.where { $0.id == 1 }, .set(\.name, to: "Zoe")) }
    try await list.caughtUp()
    #expect(texts(list) == ["nil 1 [4]", "Optional(\"Ben\") 1 [3]", "Optional(\"Zoe\") 2 [1, 2]"])
    try await store.write { _ = try $0.update(Owner.where { $0.id == 2 }, .set(\.name, to: "Zoe")) }
    try await list.caughtUp()
    #expect(texts(list) == ["nil 1 [4]", "Optional(\"Zoe\") 3 [1, 2, 3]"])
  }

  /// A snapshot delivered to a sequence before the list's first access is not delivered again, but the list shows it.
  @Test func listShowsTheSnapshotThatItsSequenceDelivered() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status })
    var snapshots = list.snapshots.makeAsyncIterator()
    let first = try #require(await snapshots.next(isolation: #isolation))
    #expect(first.sections.count == 3)
    #expect(list.state.isCurrent && list.sections.map(\.key) == first.sections.map(\.key))
  }

  @Test func aRowThatChangesItsSectionMovesOnce() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status })
    var changes = list.changes.makeAsyncIterator()
    let first = try #require(await changes.next(isolation: #isolation)).difference
    #expect(first.sections.count == 3 && first.inserted.count == 4 && first.moved.isEmpty)
    // The row moves to an existing section.
    try await store.write { _ = try $0.update(Item.where { $0.id == 3 }, .set(\.status, to: 2)) }
    var difference = try #require(await changes.next(isolation: #isolation)).difference
    func place(_ section: Int, _ row: Int) -> SectionedPosition { SectionedPosition(section: section, row: row) }
    #expect(difference.moved == [.init(from: place(1, 1), to: place(2, 1))])
    #expect(difference.updated == [place(2, 1)] && difference.removed.isEmpty && difference.inserted.isEmpty)
    #expect(Array(difference.sections) == [.update(at: 1), .update(at: 2)])
    // The row moves to a new section, and its old section is removed.
    try await store.write { _ = try $0.update(Item.where { $0.id == 1 }, .set(\.status, to: 7)) }
    difference = try #require(await changes.next(isolation: #isolation)).difference
    #expect(difference.moved == [.init(from: place(1, 0), to: place(2, 0))])
    #expect(difference.removed.isEmpty && difference.inserted.isEmpty)
    #expect(Array(difference.sections) == [.remove(at: 1), .insert(at: 2)])
  }

  @Test func closedSectionsFollowOnlyTheirCount() async throws {
    let store = try await store()
    try await store.write { tx in
      for id in 0..<10_000 { try tx.insert(Self.item(id, status: id % 5_000)) }
    }
    var list: LiveSectionedList? = store.liveSections(
      Item.order { $0.id }.sectioned { $0.status }.sectionValues { $0.estimate.sum() }, startsOpen: false)
    _ = list?.sections
    await store.settled()
    let sections = try #require(list?.sections)
    #expect(sections.count == 5_000 && sections.allSatisfy { $0.count == 2 && !$0.isOpen })
    #expect(await store.live.followedQueryCount() == 1)

    for key in [7, 4_999, 12_345] { list?.open(key) }
    await store.settled()
    #expect(await store.live.followedQueryCount() == 3)
    #expect(list?.sections.filter(\.isOpen).map { $0.rows.map(\.id) } == [[7, 5_007], [4_999, 9_999]])
    // A new section is open if its key was opened before.
    try await store.write { tx in
      try tx.insert(Self.item(20_000, status: 12_345))
      _ = try tx.update(Item.where { $0.id == 8 }, .set(\.status, to: 7))
    }
    try await list?.caughtUp()
    #expect(list?.sections.count == 5_001 && list?.sections[7].count == 3 && list?.sections[8].count == 1)
    #expect(list?.sections[7].rows.map(\.id) == [7, 8, 5_007] && list?.sections[7].values == 7 + 8 + 5_007)
    #expect(list?.sections.last?.rows.map(\.id) == [20_000])

    list?.close(7)
    #expect(list?.sections[7].isOpen == false && list?.sections[7].rows.isEmpty == true)
    #expect(await store.live.followedQueryCount() == 3)
    list = nil
    #expect(await store.live.followedQueryCount() == 0)
  }

  @Test func limitsOfEachSection() async throws {
    let store = try await store((1...50).map { Self.item($0, status: $0 % 2) })
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status }, window: 3)
    let limited = store.liveSections(Item.order { $0.id }.limit(4).sectioned { $0.status })
    _ = (list.sections, limited.sections)
    await store.settled()
    #expect(texts(list) == ["Optional(0) 25 [2, 4, 6]", "Optional(1) 25 [1, 3, 5]"])
    #expect(list.sections.allSatisfy { $0.hasMore })
    #expect(limited.sections.map { $0.rows.map(\.id) } == [[2, 4, 6, 8], [1, 3, 5, 7]])
    list.loadMore(in: 1)
    await store.settled()
    #expect(list.sections.map(\.rows.count) == [3, 6])
    // The section keeps its window while it is closed.
    list.close(1)
    list.open(1)
    await store.settled()
    #expect(list.sections.map(\.rows.count) == [3, 6])
    try await store.write { _ = try $0.delete(Item.where { $0.status == 1 && $0.id > 10 }) }
    try await list.caughtUp()
    #expect(list.sections[1].rows.map(\.id) == [1, 3, 5, 7, 9] && !list.sections[1].hasMore)
  }

  /// Sections may be opened and closed while their rows are still being read.
  @Test func sectionsMayBeClosedWhileTheyAreRead() async throws {
    let store = try await store()
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status })
    _ = list.sections
    await store.settled()
    for status in 0..<100 {
      try await store.write { try $0.insert(Self.item(status, status: status)) }
      if status % 3 == 0 { await Task.yield() }
      list.close(status)
      if status % 2 == 0 { list.closeAll() } else { list.openAll() }
      await store.settled()
      try #require(list.sections.count == status + 1 && list.state.isCurrent)
      #expect(list.sections.allSatisfy { $0.isOpen == (status % 2 == 1) })
    }
  }

  @Test func anotherQueryInPlace() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status })
    _ = list.sections
    await store.settled()
    let before = texts(list)
    list.replace(Item.where { $0.id > 2 }.order { $0.id.descending }.sectioned { $0.status })
    #expect(texts(list) == before)
    try await list.caughtUp()
    #expect(texts(list) == ["nil 1 [4]", "Optional(1) 1 [3]"])
    list.replace(Item.where { $0.id > 100 }.sectioned { $0.status })
    try await list.caughtUp()
    #expect(list.sections.isEmpty && list.state.isCurrent)
  }

  @Test func suspendedListsStayAsTheyAre() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status })
    _ = list.sections
    await store.settled()
    list.suspend()
    await store.settled()
    let before = texts(list)
    try await store.write { _ = try $0.update(Item.query, .set(\.status, to: 3)) }
    await store.settled()
    #expect(texts(list) == before && list.current.isConsistent && !list.state.isCurrent)
    await #expect(throws: LiveError.suspended) { try await list.caughtUp() }
    list.resume()
    try await list.caughtUp()
    #expect(texts(list) == ["Optional(3) 4 [1, 2, 3, 4]"])
  }

  /// An unreadable row is named beside the other rows of its section. In a closed section it is only counted.
  @Test func rowsThatCannotBeRead() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(Item.order { $0.id }.sectioned { $0.status })
    _ = list.sections
    await store.settled()
    try await store.write { try $0.execute("UPDATE item SET title = x'00' WHERE status = 2") }
    try await list.caughtUp()
    #expect(texts(list) == ["nil 1 [4]", "Optional(1) 2 [1, 3]", "Optional(2) 1 []"])
    #expect(list.sections[2].unreadableRows.map(\.key) == [[.integer(2)]])
    #expect(list.unreadableRows.map(\.table) == ["item"] && list.state.isCurrent)
    list.close(2)
    await store.settled()
    #expect(texts(list) == ["nil 1 [4]", "Optional(1) 2 [1, 3]", "Optional(2) 1 closed"])
    #expect(list.unreadableRows.isEmpty && list.state.isCurrent)
    list.open(2)
    await store.settled()
    #expect(list.unreadableRows.count == 1 && list.state.isCurrent)
    try await store.write { try $0.execute("UPDATE item SET title = 'b' WHERE status = 2") }
    try await list.caughtUp()
    #expect(list.sections[2].rows.map(\.title) == ["b"] && list.unreadableRows.isEmpty)
  }

  @Test func snapshotsWithoutTheMainActor() async throws {
    let store = try await store(Self.items)
    let query = Item.order { $0.id }.sectioned { $0.status }
    let task = Task.detached {
      var ids: [[Int]] = []
      var rows: [[Int]] = []
      for await change in store.changes(of: query) {
        change.difference.apply(to: &rows) { change.snapshot.sections[$0.section].rows[$0.row].id }
        ids = change.snapshot.sections.map { $0.rows.map(\.id) }
        #expect(rows == ids)
        if ids.last?.last == 77 { break }
        if ids.count == 3 {
          try await store.write { try $0.insert(Self.item(77, status: 9)) }
        }
      }
      return ids
    }
    #expect(try await task.value == [[4], [1, 3], [2], [77]])
    await store.settled()
    #expect(await store.live.followedQueryCount() == 0)
    try store.close()
    let list = store.liveSections(query)
    _ = list.sections
    await store.settled()
    #expect(list.state.error as? StoreError == .closed)
  }

  @Test func queryWithoutSectionsNamesTheReason() async throws {
    let store = try await store(Self.items)
    for query in [Item.query.distinct(), Item.order { $0.id }.limit(3, offset: 1), Item.query.group { $0.status }] {
      let list = store.liveSections(query.sectioned { $0.status })
      await #expect(throws: StoreError.self) { try await list.caughtUp() }
      guard case .invalidQuery(let reason) = list.state.error as? StoreError else {
        Issue.record("\(list.state)")
        continue
      }
      #expect(reason.contains("leave out"))
    }
  }

  @Test func commitAdvancesWithoutAChange() async throws {
    let store = try await store(Self.items)
    let list = store.liveSections(Item.where { $0.id < 3 }.sectioned { $0.status })
    try await list.caughtUp()
    let written = try await store.writeWithCommit { try $0.insert(Self.item(99)) }
    try await list.reached(written.commit)
    let commit = try #require(list.commit)
    #expect(commit >= written.commit)
  }
}
