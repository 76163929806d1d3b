import Sanderling

/// Generates random expressions over the rows of a random world.
struct ExpressionGenerator {
  typealias NodeNumber = RandomNumber<Node.Fields, Node>
  typealias NodeCondition = RandomCondition<Node.Fields, Node>
  typealias LeafNumber = RandomNumber<Leaf.Fields, Leaf>
  typealias LeafCondition = RandomCondition<Leaf.Fields, Leaf>

  let world: RandomWorld
  var generator: SeededGenerator

  mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  // MARK: Numbers

  mutating func nodeNumber(_ depth: Int) -> NodeNumber {
    let world = world
    switch pick(depth > 0 ? 13 : 7) {
    case 0: return .init(field: { $0.id.optional }, value: \.id)
    case 1: return .init(field: { $0.size.optional }, value: \.size)
    case 2: return .init(field: { $0.rank }, value: \.rank)
    case 3: return .init(field: { $0.parent.rank }, value: { world.parent($0)?.rank })
    case 4: return .init(field: { $0.parent.parent.size }, value: { world.parent($0).flatMap(world.parent)?.size })
    case 5: return .constant(pick(5) - 2)
    case 6: return .init(field: { $0.leaves.count.optional }, value: { world.leaves($0).count })
    case 7:
      return .init(field: { $0.parent.children.sum(\.size).optional }) { node in
        guard let parent = world.parent(node) else { return 0 }
        return world.children(parent).map(\.size).reduce(0, +)
      }
    case 8, 9:
      let (association, rows) = leavesOfNode()
      let condition = pick(3) == 0 ? nil : innerLeafCondition(depth - 1)
      return .aggregate(association, rows, where: condition, of: innerLeafNumber(depth - 1), pick(5))
    case 10, 11:
      let (association, rows) = nodesOfNode()
      let condition = pick(2) == 0 ? nil : innerNodeCondition(depth - 1)
      return .aggregate(association, rows, where: condition, of: innerNodeNumber(depth - 1), pick(5))
    default: return .calculation(nodeNumber(depth - 1), nodeNumber(depth - 1), pick(6))
    }
  }

  mutating func leafNumber(_ depth: Int) -> LeafNumber {
    let world = world
    switch pick(depth > 0 ? 7 : 4) {
    case 0: return .init(field: { $0.id.optional }, value: \.id)
    case 1: return .init(field: { $0.value }, value: \.value)
    case 2: return .init(field: { $0.node.rank }, value: { world.node($0.nodeID)?.rank })
    case 3: return .init(field: { $0.node.parent.size }, value: { world.node($0.nodeID).flatMap(world.parent)?.size })
    case 4: return .calculation(leafNumber(depth - 1), leafNumber(depth - 1), pick(6))
    // Every leaf has a node.
    default: return nodeNumber(depth - 1).lifted({ $0.node }, { world.nodes[$0.nodeID - 1] })
    }
  }

  private mutating func leavesOfNode() -> ((Node.Fields) -> ToMany<Leaf>, (Node) -> [Leaf]) {
    switch pick(3) {
    case 0: ({ $0.openLeaves }, world.openLeaves)
    default: ({ $0.leaves }, world.leaves)
    }
  }

  /// Returns an association to nodes and the same rows in Swift: children, descendants, or an open subtree.
  private mutating func nodesOfNode() -> ((Node.Fields) -> ToMany<Node>, (Node) -> [Node]) {
    switch pick(4) {
    case 0: ({ $0.descendants }, world.descendants)
    case 1: ({ $0.openSubtree }, world.openSubtree)
    default: ({ $0.children }, world.children)
    }
  }

  private mutating func innerNodeNumber(
    _ depth: Int
  ) -> RandomNumber<Inner<Node.Fields, Node.Fields>, Inner<Node, Node>> {
    nodeNumber(depth).lifted(\.own, \.own)
  }

  private mutating func innerLeafNumber(
    _ depth: Int
  ) -> RandomNumber<Inner<Leaf.Fields, Node.Fields>, Inner<Leaf, Node>> {
    pick(3) == 0
      ? .calculation(leafNumber(depth).lifted(\.own, \.own), nodeNumber(depth).lifted(\.outer, \.outer), pick(3))
      : leafNumber(depth).lifted(\.own, \.own)
  }

  // MARK: Conditions

  mutating func nodeCondition(_ depth: Int) -> NodeCondition {
    switch pick(depth > 0 ? 12 : 5) {
    case 0: return .init(field: { $0.isOpen }, value: \.isOpen)
    case 1: return .comparison(nodeNumber(depth - 1), nodeNumber(0), pick(8))
    case 2: return .membership(nodeNumber(depth - 1), (0..<pick(4)).map { _ in pick(4) == 0 ? nil : pick(5) - 2 })
    case 3: return nameCondition()
    case 4: return membershipOfLeaves()
    case 5: return nodeCondition(depth - 1) && nodeCondition(depth - 1)
    case 6: return nodeCondition(depth - 1) || nodeCondition(depth - 1)
    case 7: return !nodeCondition(depth - 1)
    case 8: return .quantified({ $0.leaves }, world.leaves, innerLeafCondition(depth - 1), pick(3))
    case 9:
      let (association, rows) = nodesOfNode()
      return .quantified(association, rows, innerNodeCondition(depth - 1), pick(3))
    default: return .comparison(nodeNumber(depth), nodeNumber(depth - 1), pick(8))
    }
  }

  private mutating func leafCondition(_ depth: Int) -> LeafCondition {
    let world = world
    switch pick(depth > 0 ? 5 : 2) {
    case 0: return .init(field: { !$0.isDone }, value: { !$0.isDone })
    case 1: return .comparison(leafNumber(depth - 1), leafNumber(depth - 1), pick(8))
    case 2: return leafCondition(depth - 1) || !leafCondition(depth - 1)
    case 3: return leafCondition(depth - 1) && leafCondition(depth - 1)
    default: return nodeCondition(depth - 1).lifted({ $0.node }, { world.nodes[$0.nodeID - 1] })
    }
  }

  /// Returns a condition on the leaf alone, or on the leaf and the node around the closure.
  private mutating func innerLeafCondition(
    _ depth: Int
  ) -> RandomCondition<Inner<Leaf.Fields, Node.Fields>, Inner<Leaf, Node>> {
    pick(3) == 0
      ? .comparison(leafNumber(depth).lifted(\.own, \.own), nodeNumber(depth).lifted(\.outer, \.outer), pick(8))
      : leafCondition(depth).lifted(\.own, \.own)
  }

  private mutating func innerNodeCondition(
    _ depth: Int
  ) -> RandomCondition<Inner<Node.Fields, Node.Fields>, Inner<Node, Node>> {
    pick(2) == 0
      ? .comparison(nodeNumber(depth).lifted(\.own, \.own), nodeNumber(depth).lifted(\.outer, \.outer), pick(8))
      : nodeCondition(depth).lifted(\.own, \.own)
  }

  private mutating func nameCondition() -> NodeCondition {
    let text = ["", "a", "A", "AB", "é", "e\u{301}"][pick(6)]
    func folded(_ text: String) -> [UInt8] { text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 } }
    switch pick(3) {
    case 0: return .init(field: { $0.name == text }, value: { folded($0.name) == folded(text) })
    case 1: return .init(field: { $0.name.hasPrefix(text) }, value: { Array($0.name.utf8).starts(with: text.utf8) })
    default:
      let bytes = Array(text.utf8)
      return .init(field: { $0.name.contains(text) }) { node in
        let name = Array(node.name.utf8)
        return name.count >= bytes.count
          && (0...name.count - bytes.count).contains { name[$0...].starts(with: bytes) }
      }
    }
  }

  private mutating func membershipOfLeaves() -> NodeCondition {
    let condition = leafCondition(1)
    let ids = world.leaves.filter { condition.value($0) == true }.map(\.nodeID)
    return .init(
      field: { $0.id.in(Leaf.where(condition.field).select { $0.nodeID }) }, value: { ids.contains($0.id) })
  }
}
