import Foundation
import Sanderling
import Testing

@MainActor
@Suite("Live trees")
struct LiveTreeTests {
  @Record(indexes: [.on(\.parentID)])
  struct Node: Hashable {
    var id: Int
    var parentID: Int?
    var name: String
    var isClosed = false
    static let nodes = hasMany(Node.self, by: \.parentID)
    static let shown = hasMany(Node.self, by: \.parentID).filter { !($0.parent.isClosed ?? false) }
    static let parent = belongsTo(Node.self, by: \.parentID)
    static let leaves = hasMany(Leaf.self, by: \.nodeID)
  }

  @Record
  struct Leaf: Hashable {
    var id: Int
    var nodeID: Int
  }

  private let folder = TemporaryFolder()

  private func store(_ name: String) throws -> Store {
    try Store(path: folder.path(name), schema: [Node.self, Leaf.self], audit: .everyCommit { Issue.record("\($0)") })
  }

  /// The rows of a live result, and of a fresh fetch.
  private struct Watched {
    let name: String
    let shown: @MainActor () -> String
    let fresh: @Sendable (ReadTransaction) throws -> String
  }

  private func list<Root, Output>(
    _ name: String, _ store: Store, _ query: Selection<Root, Output>, window: Int
  ) -> Watched {
    let list = store.liveList(query, window: window)
    _ = list.rows
    return Watched(name: name) {
      "\(list.elements)"
    } fresh: {
      "\(try $0.fetch(query.limit(window)))"
    }
  }

  private func list<Output>(
    _ name: String, _ store: Store, _ query: PrefetchingSelection<Node, Output>
  ) -> Watched {
    let list = store.liveList(query, window: 100)
    _ = list.rows
    return Watched(name: name) {
      "\(list.elements)"
    } fresh: {
      "\(try $0.fetch(query))"
    }
  }

  private func watched(_ store: Store) -> [Watched] {
    let forest = Node.nodes.tree().orderSiblings { $0.name }
    let count = store.liveCount(forest.filter { $0.depth > 1 })
    let first = store.liveValue(Node.nodes.ancestors(of: 7).reversed())
    _ = (count.value, first.value)
    return [
      list("forest", store, forest, window: 7),
      list("outline", store, Node.shown.tree().orderSiblings { $0.name.descending }, window: 20),
      list("subtree", store, Node.nodes.tree(from: 3, maximumDepth: 2), window: 20),
      list(
        "selected", store,
        Node.nodes.tree(from: 1).filter { $0.leaves.exists }.select { ($0.name, $0.depth, $0.leaves.count) },
        window: 20),
      list("breadcrumbs", store, Node.nodes.ancestors(of: 5).select { $0.name }, window: 20),
      list("depths", store, forest.group { $0.depth }.select { ($0.depth, $0.count()) }.order { $0.depth }, window: 20),
      list(
        "all below", store,
        Node.order { $0.id }.with(Node.nodes.recursive().prefetch { $0.order { $0.id } })),
      list(
        "open and below, with leaves", store,
        Node.order { $0.id }.with(
          Node.shown.recursive(includingSelf: true).prefetch {
            $0.order { ($0.name, $0.id) }.limit(3).with(Node.leaves.prefetch { $0.order { $0.id } })
          })),
      Watched(name: "count") {
        "\(count.value ?? -1)"
      } fresh: {
        "\(try $0.count(forest.filter { $0.depth > 1 }))"
      },
      Watched(name: "root") {
        "\(String(describing: first.value))"
      } fresh: {
        "\(String(describing: try $0.fetchFirst(Node.nodes.ancestors(of: 7).reversed())))"
      },
    ]
  }

  @Test func treesEqualAFreshFetchAfterRandomWrites() async throws {
    var generator = SeededGenerator()
    let store = try store("random.sqlite")
    let results = watched(store)
    for step in 0..<120 {
      let changes = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Change.random(using: &generator) }
      try await store.write { tx in
        for change in changes { try change.run(tx) }
      }
      await store.settled()
      for result in results {
        let fresh = try await store.read(result.fresh)
        try #require(result.shown() == fresh, "\(result.name), step \(step), SANDERLING_SEED=\(generator.seed)")
      }
    }
  }

  @Test func treesAreRerunAndPrefetchesAreMaintained() async throws {
    let store = try store("explained.sqlite")
    let tree = try await Node.nodes.tree(from: 1).explainLive(store)
    #expect(!tree.isMaintained && "\(tree)".contains("it walks a tree"))
    #expect(try await !Node.nodes.tree(from: 1).explainLiveCount(store).isMaintained)
    #expect(try await !Node.nodes.tree(from: 1).select { $0.depth.max() }.explainLive(store).isMaintained)
    #expect(try await Node.query.with(Node.nodes.recursive().prefetch()).explainLive(store).isMaintained)
  }

  /// A write to another table, or one that changes no row, publishes nothing.
  @Test func onlyChangedRowsArePublished() async throws {
    let store = try store("published.sqlite")
    try await store.write { tx in
      try tx.insert(contentsOf: [Node(id: 1, name: "a"), Node(id: 2, parentID: 1, name: "b")])
    }
    let list = store.liveList(Node.nodes.tree())
    var changes = list.changes.makeAsyncIterator()
    #expect(await changes.next()?.snapshot.rows.count == 2)
    try await store.write { try $0.insert(Leaf(id: 1, nodeID: 1)) }
    try await store.write { try $0.update(Node.self, key: 1) { $0.name = "a" } }
    try await store.write { try $0.insert(Node(id: 3, parentID: 2, name: "c")) }
    #expect(await changes.next().map { Array($0.difference) } == [.insert(at: 2)])
    try await store.write { try $0.update(Node.self, key: 3) { $0.parentID = nil } }
    // The row's place in the tree changes, and its position in the list doesn't.
    #expect(await changes.next().map { Array($0.difference) } == [.update(at: 2)])
    _ = list.rows
    try await list.caughtUp()
    #expect(list.rows[id: 3]?.depth == 0 && list.rows[id: 3]?.path == [3])
  }

  @Test func survivesErasing() async throws {
    let store = try store("erased.sqlite")
    try await store.write { try $0.insert(Node(id: 1, name: "a")) }
    let list = store.liveList(Node.nodes.tree())
    _ = list.rows
    try await list.caughtUp()
    #expect(list.elements.map(\.name) == ["a"])
    try await store.erase()
    try await store.write { try $0.insert(contentsOf: [Node(id: 2, name: "b"), Node(id: 3, parentID: 2, name: "c")]) }
    try await list.caughtUp()
    #expect(list.elements.map(\.name) == ["b", "c"])
    list.replace(Node.nodes.tree(from: 3))
    try await list.caughtUp()
    #expect(list.elements.map(\.depth) == [0])
  }
}

/// A random change of a few nodes.
private enum Change: Sendable {
  case node(LiveTreeTests.Node)
  case deletion(Int)
  case leaf(LiveTreeTests.Leaf)
  case leafDeletion(Int)

  static func random(using generator: inout SeededGenerator) -> Change {
    func id(_ count: Int = 10) -> Int { .random(in: 1...count, using: &generator) }
    switch Int.random(in: 0..<10, using: &generator) {
    case 0..<6:
      return .node(
        LiveTreeTests.Node(
          id: id(), parentID: Int.random(in: 0..<4, using: &generator) == 0 ? nil : id(12),
          name: ["a", "b", "c"].randomElement(using: &generator) ?? "",
          isClosed: Int.random(in: 0..<4, using: &generator) == 0))
    case 6: return .deletion(id())
    case 7, 8: return .leaf(LiveTreeTests.Leaf(id: id(), nodeID: id()))
    default: return .leafDeletion(id())
    }
  }

  func run(_ tx: WriteTransaction) throws {
    switch self {
    case .node(let node): try tx.upsert(node)
    case .deletion(let id): _ = try tx.delete(LiveTreeTests.Node.self, key: id)
    case .leaf(let leaf): try tx.upsert(leaf)
    case .leafDeletion(let id): _ = try tx.delete(LiveTreeTests.Leaf.self, key: id)
    }
  }
}
