import Sanderling
import Testing

/// The tuples that a query returns can be used directly in the expressions that fetch them.
@Suite struct TupleTests {
  struct NameAndSize: Equatable {
    var name: String
    var size: Int
  }

  @Record
  struct Box {
    var id: Int
    var name: String
    var size: Int
    var note: String?
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Box.self])
    try store.writeBlocking {
      try $0.insert(contentsOf: [
        Box(id: 1, name: "a", size: 3, note: nil), Box(id: 2, name: "b", size: 2, note: "x"),
      ])
    }
  }

  @Test func chains() async throws {
    #expect(
      try await store.fetch(Box.select { ($0.name, $0.size) }).map { NameAndSize(name: $0.0, size: $0.1) }
        == [NameAndSize(name: "a", size: 3), NameAndSize(name: "b", size: 2)])
    print(try await store.fetch(Box.where { $0.size > 1 }.select { ($0.name, $0.size) }).count)
    #expect(try await store.fetch(Box.select { ($0.name, $0.size) }).first?.0 == "a")
    #expect(try await store.fetchFirst(Box.order { $0.size }.select { ($0.name, $0.size) })?.1 == 2)
    #expect(try await store.fetch(Box.select { ($0.name, $0.size, $0.note) }).compactMap { $0.2 } == ["x"])
    let sizes = Dictionary(
      uniqueKeysWithValues: try await store.fetch(Box.select { ($0.id, $0.size) }).map { ($0.0, $0.1) })
    #expect(sizes == [1: 3, 2: 2])
    for (name, size) in try await store.fetch(Box.select { ($0.name, $0.size) }) { print(name, size) }
    let sorted = try await store.fetch(Box.select { ($0.name, $0.size) }).sorted { $0.1 < $1.1 }.map { $0.0 }
    #expect(sorted == ["b", "a"])
    let groups = try await store.fetch(Box.group { $0.name }.select { ($0.name, $0.count()) }).filter { $0.1 > 0 }.map(
      \.0)
    #expect(groups.sorted() == ["a", "b"])
  }
}
