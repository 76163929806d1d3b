import Foundation
import Testing

@testable import Sanderling

@MainActor
@Suite("Sections with associated records")
struct PrefetchingSectionsTests {
  private typealias Item = Sectioned.Item
  private typealias Owner = Sectioned.Owner

  private let folder = TemporaryFolder()

  /// Describes each section with its owners and their items twice: as the list shows the section, and as fresh SELECTs
  /// return it.
  private func texts(
    _ list: LiveSectionedList<String, Int, (Owner, [Item])>,
    _ query: PrefetchingSections<Owner, String, Int, (Owner, [Item])>, _ store: Store
  ) async throws -> (shown: [String], expected: [String]) {
    @Sendable nonisolated func text(_ key: String, _ count: Int, _ sum: Int, _ rows: [(Owner, [Item])]?) -> String {
      let rows = rows.map { $0.map { "\($0.0.id) \($0.0.name): \($0.1.map { "\($0.id) \($0.title)" })" } }
      return "\(key) \(count) \(sum) \(rows.map(String.init(describing:)) ?? "closed")"
    }
    let sections = list.sections
    // Keys that are equal as Swift strings but differ in their bytes are two sections in SQL.
    let isOpen = Dictionary(uniqueKeysWithValues: sections.map { (Array($0.key.utf8), $0.isOpen) })
    let expected = try await store.read { tx in
      try tx.fetch(query.headers).map { header in
        let rows = isOpen[Array(header.key.utf8)] ?? true ? try tx.fetch(query.rows(in: header.key)) : nil
        return text(header.key, header.count, header.values, rows)
      }
    }
    return (sections.map { text($0.key, $0.count, $0.values, $0.isOpen ? Array($0.rows) : nil) }, expected)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func childrenFollowChanges(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let store = try Store(path: folder.path("sections.sqlite"), schema: Sectioned.schema, liveInterval: .zero)
    let query = Owner.order { $0.id }.sectioned { $0.name }.sectionValues { $0.id.sum() }
      .with(Owner.items.prefetch { $0.where { !$0.isDone }.order { $0.title } })
    let list = store.liveSections(query)
    _ = list.sections
    for step in 0..<60 {
      let change = Sectioned.change(using: &generator)
      try await store.write { try change($0) }
      if let section = list.sections.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) == 0 {
        if section.isOpen { list.close(section.key) } else { list.open(section.key) }
      }
      try await list.caughtUp()
      let (shown, expected) = try await texts(list, query, store)
      try #require(shown == expected, "seed \(seed), step \(step)")
    }
  }

  @Test func sectionsAreOpenedAndReplaced() async throws {
    let store = try Store(path: folder.path("sections.sqlite"), schema: Sectioned.schema, liveInterval: .zero)
    try await store.write { tx in
      for id in 1...3 { try tx.insert(Owner(id: id, name: "\(id)")) }
      for id in 1...9 { try tx.insert(Item(id: id, ownerID: id % 3 + 1, title: "\(id)")) }
    }
    let query = Owner.sectioned { $0.name }.with(Owner.items.prefetch())
    let list = store.liveSections(query, startsOpen: false)
    _ = list.sections
    try await list.caughtUp()
    #expect(list.sections.map(\.count) == [1, 1, 1] && list.sections.allSatisfy { !$0.isOpen })
    list.open("2")
    try await list.caughtUp()
    #expect(list.sections[1].rows.map(\.1).map { $0.map(\.id).sorted() } == [[1, 4, 7]])
    #expect(list.sections[0].rows.isEmpty)
    list.replace(Owner.where { $0.id > 1 }.sectioned { $0.name }.with(Owner.items.prefetch { $0.limit(1) }))
    try await list.caughtUp()
    #expect(list.sections.map { $0.rows.map(\.1.count) } == [[1], []])
  }
}
