/// Ranges of values, of which those that hold a value are found without looking at the others.
///
/// A [treap](https://en.wikipedia.org/wiki/Treap) by the ranges' lower ends, in which each node knows the greatest upper end
/// below it. Ranges are inserted and removed in O(log ranges), and found in O(log ranges) for each.
struct IntervalIndex<Value> {
  private typealias Link = Int32
  private static var none: Link { -1 }

  private struct Node {
    let range: RouteRange
    let number: Int
    var value: Value?
    let priority: UInt64
    var left = IntervalIndex.none
    var right = IntervalIndex.none
    /// The node with the greatest upper end in the subtree.
    var furthest: Link
  }

  private let collation: Collation
  private var nodes: [Node] = []
  private var free: [Link] = []
  private var root = IntervalIndex.none

  init(_ collation: Collation) {
    self.collation = collation
  }

  var count: Int { nodes.count - free.count }
  var isEmpty: Bool { count == 0 }

  /// - Parameter number: Tells equal ranges apart. Used only once for a range.
  mutating func insert(_ range: RouteRange, number: Int, _ value: Value) {
    let node = makeNode(range, number, value)
    root = insert(node, below: root)
  }

  /// Removes the range that was inserted with the number.
  mutating func remove(_ range: RouteRange, number: Int) {
    root = remove(range, number, below: root)
  }

  /// Calls `body` with what belongs to each range that holds the value.
  ///
  /// - Returns: How many ranges were looked at.
  func forEach(holding value: StorageValue, _ body: (Value) -> Void) -> Int {
    forEach(holding: value, below: root, body)
  }

  private func forEach(holding value: StorageValue, below start: Link, _ body: (Value) -> Void) -> Int {
    var link = start
    var visited = 0
    while link != Self.none {
      visited += 1
      if range(furthest(link)).endsBefore(value, collation) { break }
      visited += forEach(holding: value, below: nodes[Int(link)].left, body)
      if range(link).beginsAfter(value, collation) { break }
      if !range(link).endsBefore(value, collation), let found = nodes[Int(link)].value { body(found) }
      link = nodes[Int(link)].right
    }
    return visited
  }
}

// MARK: - Nodes

extension IntervalIndex {
  private func range(_ link: Link) -> RouteRange { nodes[Int(link)].range }

  private func furthest(_ link: Link) -> Link { nodes[Int(link)].furthest }

  private mutating func makeNode(_ range: RouteRange, _ number: Int, _ value: Value) -> Link {
    let link = free.popLast() ?? Link(nodes.count)
    // The same tree in every run: priorities are scrambled numbers.
    var priority = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    priority = (priority ^ (priority >> 29)) &* 0xBF58_476D_1CE4_E5B9
    let node = Node(range: range, number: number, value: value, priority: priority ^ (priority >> 32), furthest: link)
    if Int(link) == nodes.count { nodes.append(node) } else { nodes[Int(link)] = node }
    return link
  }

  /// Whether a range belongs before a node.
  private func precedes(_ range: RouteRange, _ number: Int, _ link: Link) -> Bool {
    switch RouteRange.orderOfLowers(range.lower, nodes[Int(link)].range.lower, collation) {
    case .orderedAscending: true
    case .orderedSame: number < nodes[Int(link)].number
    case .orderedDescending: false
    }
  }

  private mutating func updateFurthest(_ link: Link) {
    var result = link
    for child in [nodes[Int(link)].left, nodes[Int(link)].right] where child != Self.none {
      let candidate = furthest(child)
      if RouteRange.orderOfUppers(range(candidate).upper, range(result).upper, collation) == .orderedDescending {
        result = candidate
      }
    }
    nodes[Int(link)].furthest = result
  }
}

// MARK: - Changes

extension IntervalIndex {
  private mutating func insert(_ node: Link, below link: Link) -> Link {
    if link == Self.none { return node }
    if nodes[Int(node)].priority > nodes[Int(link)].priority {
      let (left, right) = split(link, before: nodes[Int(node)].range, nodes[Int(node)].number)
      nodes[Int(node)].left = left
      nodes[Int(node)].right = right
      updateFurthest(node)
      return node
    }
    if precedes(nodes[Int(node)].range, nodes[Int(node)].number, link) {
      nodes[Int(link)].left = insert(node, below: nodes[Int(link)].left)
    } else {
      nodes[Int(link)].right = insert(node, below: nodes[Int(link)].right)
    }
    updateFurthest(link)
    return link
  }

  /// Splits a subtree into what comes before a range and what comes after it.
  private mutating func split(_ link: Link, before range: RouteRange, _ number: Int) -> (left: Link, right: Link) {
    if link == Self.none { return (Self.none, Self.none) }
    if precedes(range, number, link) {
      let (left, right) = split(nodes[Int(link)].left, before: range, number)
      nodes[Int(link)].left = right
      updateFurthest(link)
      return (left, link)
    }
    let (left, right) = split(nodes[Int(link)].right, before: range, number)
    nodes[Int(link)].right = left
    updateFurthest(link)
    return (link, right)
  }

  private mutating func remove(_ range: RouteRange, _ number: Int, below link: Link) -> Link {
    precondition(link != Self.none, "The range was not inserted")
    if nodes[Int(link)].number == number, nodes[Int(link)].range == range {
      let merged = merge(nodes[Int(link)].left, nodes[Int(link)].right)
      nodes[Int(link)].value = nil
      free.append(link)
      return merged
    }
    if precedes(range, number, link) {
      nodes[Int(link)].left = remove(range, number, below: nodes[Int(link)].left)
    } else {
      nodes[Int(link)].right = remove(range, number, below: nodes[Int(link)].right)
    }
    updateFurthest(link)
    return link
  }

  /// Joins two subtrees, of which the first comes before the other.
  private mutating func merge(_ left: Link, _ right: Link) -> Link {
    if left == Self.none { return right }
    if right == Self.none { return left }
    if nodes[Int(left)].priority > nodes[Int(right)].priority {
      nodes[Int(left)].right = merge(nodes[Int(left)].right, right)
      updateFurthest(left)
      return left
    }
    nodes[Int(right)].left = merge(left, nodes[Int(right)].left)
    updateFurthest(right)
    return right
  }
}
