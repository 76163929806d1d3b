import Sanderling

/// A node of a graph in which parents may be missing and paths may be cycles.
@Record(indexes: [.on(\.parentID)])
struct Node: Hashable {
  var id: Int
  var parentID: Int?
  @Stored(collation: .nocase) var name: String
  var size: Int
  var rank: Int?
  var isOpen: Bool
  static let parent = belongsTo(Node.self, by: \.parentID)
  static let children = hasMany(Node.self, by: \.parentID)
  static let descendants = hasMany(Node.self, by: \.parentID).recursive()
  static let openSubtree = hasMany(Node.self, by: \.parentID).filter { $0.isOpen }.recursive(includingSelf: true)
  static let leaves = hasMany(Leaf.self, by: \.nodeID)
  static let openLeaves = hasMany(Leaf.self, by: \.nodeID).filter { $0.node.isOpen && $0.value > 0 }
}

@Record(indexes: [.on(\.nodeID, \.isDone)])
struct Leaf: Hashable {
  var id: Int
  var nodeID: Int
  var value: Int?
  var isDone: Bool
  static let node = belongsTo(Node.self, by: \.nodeID)
}

/// The same rows for a store and in arrays.
struct RandomWorld {
  let nodes: [Node]
  let leaves: [Leaf]
  private let nodesByID: [Int: Node]

  init(using generator: inout SeededGenerator) {
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let count = number(1...10)
    nodes = (1...count).map { id in
      Node(
        id: id, parentID: number(0...3) == 0 ? nil : number(1...count + 1),
        name: ["", "a", "A", "ab", "b", "é"][number(0...5)],
        size: number(-3...3), rank: number(0...2) == 0 ? nil : number(-2...2), isOpen: number(0...1) == 0)
    }
    leaves = (0..<number(0...25)).map { id in
      Leaf(
        id: id, nodeID: number(1...count), value: number(0...3) == 0 ? nil : number(-3...3), isDone: number(0...1) == 0)
    }
    nodesByID = Dictionary(uniqueKeysWithValues: nodes.map { ($0.id, $0) })
  }

  func store() async throws -> Store {
    let store = try Store(inMemory: [Node.self, Leaf.self])
    try await store.write("fill") { [nodes, leaves] tx in
      try tx.insert(contentsOf: nodes)
      try tx.insert(contentsOf: leaves)
    }
    return store
  }

  func node(_ id: Int?) -> Node? { id.flatMap { nodesByID[$0] } }
  func parent(_ node: Node) -> Node? { self.node(node.parentID) }
  func children(_ node: Node) -> [Node] { nodes.filter { $0.parentID == node.id } }
  func leaves(_ node: Node) -> [Leaf] { leaves.filter { $0.nodeID == node.id } }
  func openLeaves(_ node: Node) -> [Leaf] { node.isOpen ? leaves(node).filter { ($0.value ?? 0) > 0 } : [] }
  func descendants(_ node: Node) -> [Node] { reach(from: [], children(node), children) }

  func openSubtree(_ node: Node) -> [Node] {
    reach(from: [], [node]) { children($0).filter(\.isOpen) }
  }

  /// Returns the nodes that can be reached from the given ones, each once.
  private func reach(from seen: [Node], _ nodes: [Node], _ next: (Node) -> [Node]) -> [Node] {
    var reached = seen
    for node in nodes where !reached.contains(node) {
      reached.append(node)
      reached = reach(from: reached, next(node), next)
    }
    return reached
  }
}
