import Foundation
import Testing

@testable import Sanderling

/// Trees equal a model over the same rows: random forests with cycles, orphans, records in themselves, and hidden
/// records. Siblings have equal or NULL sort values.
@Suite("Trees compared with a model")
struct TreeDifferentialTests {
  @Record(indexes: [.on(\.parentID)])
  struct Node: Hashable {
    var id: Int
    var parentID: Int?
    var name: String?
    @Stored(collation: .nocase) var code: String
    var isHidden = false
    static let nodes = hasMany(Node.self, by: \.parentID)
    static let visible = hasMany(Node.self, by: \.parentID).filter { !$0.isHidden }
    static let below = hasMany(Node.self, by: \.parentID).recursive()
  }

  /// The compared columns of a row of a tree.
  struct Place: Hashable {
    let id: Int
    let path: [Int]
  }

  /// The tree's rows, computed in Swift.
  struct Model {
    let nodes: [Int: Node]
    let children: [Int: [Node]]
    let precedes: (Node, Node) -> Bool
    let follows: (Node) -> Bool
    let maximumDepth: Int

    init(
      _ nodes: [Node], onlyVisible: Bool = false, maximumDepth: Int? = nil, tiesDescend: Bool = false,
      _ precedes: @escaping (Node, Node) -> Bool
    ) {
      self.nodes = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
      children = Dictionary(grouping: nodes.filter { $0.parentID != nil }) { $0.parentID ?? 0 }
      self.precedes = { precedes($0, $1) || (!precedes($1, $0) && (tiesDescend ? $0.id > $1.id : $0.id < $1.id)) }
      follows = { !onlyVisible || !$0.isHidden }
      self.maximumDepth = maximumDepth ?? .max
    }

    func tree(from id: Int) -> [Place] {
      nodes[id].map { below([$0]) } ?? []
    }

    func forest() -> [Place] {
      below(nodes.values.filter { node in follows(node) && node.parentID.map { nodes[$0] == nil } ?? true })
    }

    /// Walks depth first without recursion, since chains are longer than the stack allows.
    private func below(_ starts: [Node]) -> [Place] {
      var places: [Place] = []
      var seen = Set(starts.map(\.id))
      var open = starts.sorted(by: precedes).reversed().map { ($0, [$0.id]) }
      while let (node, path) = open.popLast() {
        places.append(Place(id: node.id, path: path))
        guard path.count <= maximumDepth else { continue }
        let next = (children[node.id] ?? []).filter { follows($0) && !seen.contains($0.id) }
        seen.formUnion(next.map(\.id))
        open += next.sorted(by: precedes).reversed().map { ($0, path + [$0.id]) }
      }
      return places
    }

    func ancestors(of id: Int) -> [Place] {
      var places: [Place] = []
      var path = [id]
      while let node = nodes[path[path.count - 1]], follows(node), let parent = node.parentID, nodes[parent] != nil,
        !path.contains(parent), path.count <= maximumDepth
      {
        path.append(parent)
        places.append(Place(id: parent, path: path))
      }
      return places
    }
  }

  /// Orders of siblings, in SQL and in Swift. Equal siblings are sorted by key, in the direction of the last ordering.
  static let orders:
    [(
      tiesDescend: Bool,
      query: @Sendable (Selection<TreeRow<Node>, TreeRow<Node>>) -> Selection<TreeRow<Node>, TreeRow<Node>>,
      precedes: @Sendable (Node, Node) -> Bool
    )] = [
      (false, { $0 }, { _, _ in false }),
      (false, { $0.orderSiblings { $0.name } }, { name($0, $1, nullsFirst: true) < 0 }),
      (true, { $0.orderSiblings { $0.name.descending } }, { name($1, $0, nullsFirst: true) < 0 }),
      (false, { $0.orderSiblings { $0.name.ascending.nullsLast } }, { name($0, $1, nullsFirst: false) < 0 }),
      (
        true, { $0.orderSiblings { ($0.name.descending.nullsFirst, $0.id.descending) } },
        { (name($1, $0, nullsFirst: false), $1.id) < (0, $0.id) }
      ),
      (true, { $0.orderSiblings { $0.code.descending } }, { $0.code.uppercased() > $1.code.uppercased() }),
      (
        true, { $0.orderSiblings { ($0.isHidden, $0.code.collated(.binary).descending) } },
        { ($0.isHidden ? 1 : 0, $1.code) < ($1.isHidden ? 1 : 0, $0.code) }
      ),
      (true, { $0.orderSiblings { $0.nodes.count.descending } }, { _, _ in false }),
    ]

  private static func name(_ lhs: Node, _ rhs: Node, nullsFirst: Bool) -> Int {
    switch (lhs.name, rhs.name) {
    case (nil, nil): 0
    case (nil, _): nullsFirst ? -1 : 1
    case (_, nil): nullsFirst ? 1 : -1
    case (let lhs?, let rhs?): lhs < rhs ? -1 : lhs > rhs ? 1 : 0
    }
  }

  private static func forest(_ count: Int, using generator: inout SeededGenerator) -> [Node] {
    let depth = [1, 3, count].randomElement(using: &generator) ?? 1
    return (1...count).map { id in
      let parent: Int? =
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<2: nil
        // The node is an orphan.
        case 2: count + id
        case 3: id
        case 4: Int.random(in: 1...count, using: &generator)
        default: id == 1 ? nil : Int.random(in: max(1, id - depth)..<id, using: &generator)
        }
      return Node(
        id: id, parentID: parent, name: ["a", "b", nil].randomElement(using: &generator) ?? nil,
        code: ["x", "X", "y"].randomElement(using: &generator) ?? "",
        isHidden: Int.random(in: 0..<6, using: &generator) == 0)
    }
  }

  private func places(_ tx: ReadTransaction, _ query: Selection<TreeRow<Node>, TreeRow<Node>>) throws -> [Place] {
    try tx.fetch(query).map { row in
      #expect(row.path.last == row.id && row.depth == row.path.count - 1)
      return Place(id: row.id, path: row.path)
    }
  }

  @Test func randomForests() async throws {
    var generator = SeededGenerator()
    let store = try Store(inMemory: [Node.self])
    for round in 0..<60 {
      let nodes = Self.forest([5, 12, 40].randomElement(using: &generator) ?? 5, using: &generator)
      let order = Self.orders.indices.randomElement(using: &generator) ?? 0
      let onlyVisible = Bool.random(using: &generator)
      let maximumDepth = [nil, nil, 0, 1, 3].randomElement(using: &generator) ?? nil
      let counts = Dictionary(grouping: nodes) { $0.parentID ?? 0 }.mapValues(\.count)
      let (tiesDescend, precedes) = (Self.orders[order].tiesDescend, Self.orders[order].precedes)
      let model = Model(nodes, onlyVisible: onlyVisible, maximumDepth: maximumDepth, tiesDescend: tiesDescend) {
        order == 7 ? counts[$0.id, default: 0] > counts[$1.id, default: 0] : precedes($0, $1)
      }
      let association = onlyVisible ? Node.visible : Node.nodes
      let seed = generator.seed
      try await store.write { tx in
        _ = try tx.delete(Node.query)
        try tx.insert(contentsOf: nodes)
      }
      try store.readBlocking { tx in
        let forest = Self.orders[order].query(association.tree(maximumDepth: maximumDepth))
        let all = model.forest()
        try #require(try places(tx, forest) == all, "forest, round \(round), order \(order), SANDERLING_SEED=\(seed)")
        #expect(try tx.count(forest) == all.count)
        #expect(try places(tx, forest.limit(3, offset: 1)) == Array(all.dropFirst().prefix(3)))
        #expect(try places(tx, forest.order { $0.position }) == all)
        #expect(try places(tx, forest.order { $0.position.descending }) == all.reversed())
        #expect(try places(tx, forest.filter { $0.name != nil }) == all.filter { model.nodes[$0.id]?.name != nil })
        for node in nodes {
          let tree = Self.orders[order].query(association.tree(from: node.id, maximumDepth: maximumDepth))
          try #require(
            try places(tx, tree) == model.tree(from: node.id),
            "tree of \(node.id), round \(round), order \(order), SANDERLING_SEED=\(seed)")
          try #require(
            try places(tx, association.ancestors(of: node.id, maximumDepth: maximumDepth))
              == model.ancestors(of: node.id),
            "ancestors of \(node.id), round \(round), SANDERLING_SEED=\(seed)")
        }
      }
    }
  }

  @Test func aChainOfTenThousandAndAWideTree() async throws {
    let store = try Store(inMemory: [Node.self])
    let count = 10_000
    try await store.write { tx in
      try tx.insert(
        contentsOf: (1...count).map { Node(id: $0, parentID: $0 == 1 ? nil : $0 - 1, name: nil, code: "") })
    }
    let chain = try await store.fetch(Node.nodes.tree(from: 1).select { ($0.id, $0.depth) })
    #expect(chain.map(\.0) == Array(1...count) && chain.map(\.1) == Array(0..<count))
    #expect(try await store.fetch(Node.nodes.ancestors(of: 500)).map(\.id) == Array((1..<500).reversed()))
    #expect(try await store.fetchFirst(Node.nodes.tree().filter { $0.id == count })?.path == Array(1...count))
    // The parents now form a ring.
    try await store.write { try $0.update(Node.self, key: 1) { $0.parentID = count } }
    #expect(try await store.count(Node.nodes.tree(from: 5)) == count)
    #expect(try await store.count(Node.nodes.tree()) == 0)
    #expect(try await store.count(Node.nodes.ancestors(of: 5, maximumDepth: 100)) == 100)

    try await store.write { tx in
      _ = try tx.delete(Node.query)
      try tx.insert(
        contentsOf: (1...count).map { Node(id: $0, parentID: $0 == 1 ? nil : 1, name: "\($0 % 7)", code: "") })
    }
    let wide = try await store.fetch(Node.nodes.tree().orderSiblings { $0.name.descending })
    #expect(wide.map(\.id) == [1] + (2...count).sorted { ($0 % 7, $0) > ($1 % 7, $1) })
    #expect(wide.allSatisfy { $0.path == ($0.id == 1 ? [1] : [1, $0.id]) })
  }

  @Test func descendantsArePrefetched() async throws {
    var generator = SeededGenerator()
    let store = try Store(inMemory: [Node.self])
    for round in 0..<30 {
      let nodes = Self.forest(20, using: &generator)
      let model = Model(nodes) { _, _ in false }
      let seed = generator.seed
      try await store.write { tx in
        _ = try tx.delete(Node.query)
        try tx.insert(contentsOf: nodes)
      }
      try store.readBlocking { tx in
        let all = try tx.fetch(Node.order { $0.id }.with(Node.below.prefetch { $0.order { $0.id } }))
        let own = try tx.fetch(
          Node.order { $0.id }.with(Node.nodes.recursive(includingSelf: true).prefetch { $0.order { $0.id } }))
        let first = try tx.fetch(
          Node.order { $0.id }.with(
            Node.visible.recursive().prefetch { query in
              query.filter { $0.name != nil }.order { ($0.name.descending, $0.id) }.limit(2, offset: 1)
            }))
        for (index, node) in nodes.enumerated() {
          // The aggregate's rows. For a record in a cycle they include the record itself.
          func expected(_ association: HasMany<Node, Node>) throws -> [Node] {
            let keys = Self.keys(below: node, nodes, onlyVisible: association == Node.visible)
            return nodes.filter { keys.contains($0.id) }
          }
          try #require(
            try all[index].1 == expected(Node.nodes), "below \(node.id), round \(round), SANDERLING_SEED=\(seed)")
          try #require(own[index].1.map(\.id) == model.tree(from: node.id).map(\.id).sorted())
          let visible = try expected(Node.visible).filter { $0.name != nil }
            .sorted { ($1.name ?? "", $0.id) < ($0.name ?? "", $1.id) }
          try #require(
            first[index].1 == Array(visible.dropFirst().prefix(2)),
            "first below \(node.id), round \(round), SANDERLING_SEED=\(seed)")
        }
      }
    }
  }

  private static func keys(below node: Node, _ nodes: [Node], onlyVisible: Bool) -> Set<Int> {
    var found: Set<Int> = []
    var open = [node.id]
    while let id = open.popLast() {
      for child in nodes where child.parentID == id && !(onlyVisible && child.isHidden) {
        if found.insert(child.id).inserted { open.append(child.id) }
      }
    }
    return found
  }
}
