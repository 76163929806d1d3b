/// Ranges of values. The ranges that contain a value are found without visiting all others.
///
/// A [treap](https://en.wikipedia.org/wiki/Treap) by the ranges' lower ends, in which each node knows the greatest
/// upper end below it. Ranges are inserted and removed in O(log ranges), and found in O(log ranges) for each.
final class IntervalIndex<Value> {
  fileprivate typealias Link = Int

  /// The position of a range in the tree. Apart from the range, so that going through the tree copies no
  /// reference-counted values. Small, since there may be one for each of very many lists.
  fileprivate struct Node {
    private static var none: UInt32 { .max }

    let number: Int
    let priority: UInt32
    private var leftPlace = Self.none
    private var rightPlace = Self.none
    private var furthestPlace: UInt32

    init(number: Int, priority: UInt32, furthest: Link) {
      self.number = number
      self.priority = priority
      furthestPlace = UInt32(furthest)
    }

    var left: Link? {
      get { leftPlace == Self.none ? nil : Int(leftPlace) }
      set { leftPlace = newValue.map { UInt32($0) } ?? Self.none }
    }

    var right: Link? {
      get { rightPlace == Self.none ? nil : Int(rightPlace) }
      set { rightPlace = newValue.map { UInt32($0) } ?? Self.none }
    }

    /// The node with the greatest upper end in the subtree.
    var furthest: Link {
      get { Int(furthestPlace) }
      set { furthestPlace = UInt32(newValue) }
    }
  }

  /// The nodes, with their ranges and values at the same places.
  fileprivate struct Contents {
    var nodes: [Node] = []
    var ranges: [RouteRange] = []
    var values: [Value] = []
  }

  private let collation: Collation
  private var contents = Contents()
  private var free: [Link] = []
  private var root: Link?

  init(_ collation: Collation) {
    self.collation = collation
  }

  var count: Int { contents.nodes.count - free.count }
  var isEmpty: Bool { count == 0 }

  /// - Parameter number: Distinguishes equal ranges. Used only once for a range.
  func insert(_ range: RouteRange, number: Int, _ value: Value) {
    let node = makeNode(range, number, value)
    root = insert(node, below: root)
  }

  /// Removes the range that was inserted with the number.
  func remove(_ range: RouteRange, number: Int) {
    root = remove(range, number, below: root)
  }

  /// Calls `body` with the value of each range that contains the given value.
  ///
  /// - Returns: The number of visited ranges.
  func forEach(holding value: StorageValue, _ body: (Value) -> Void) -> Int {
    contents.forEach(holding: value, collation, below: root, body)
  }
}

extension IntervalIndex.Contents {
  func forEach(
    holding value: StorageValue, _ collation: Collation, below start: Int?, _ body: (Value) -> Void
  ) -> Int {
    var next = start
    var visited = 0
    while let link = next {
      visited += 1
      let node = nodes[link]
      if ranges[node.furthest].endsBefore(value, collation) { break }
      if node.left != nil { visited += forEach(holding: value, collation, below: node.left, body) }
      if ranges[link].beginsAfter(value, collation) { break }
      // The loop has checked the furthest end already.
      let holdsValue = node.furthest == link || !ranges[link].endsBefore(value, collation)
      if holdsValue { body(values[link]) }
      next = node.right
    }
    return visited
  }
}

// MARK: - Nodes

extension IntervalIndex {
  private func makeNode(_ range: RouteRange, _ number: Int, _ value: Value) -> Link {
    // Priorities are scrambled numbers, so that the tree is the same in every run.
    var priority = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    priority = (priority ^ (priority >> 29)) &* 0xBF58_476D_1CE4_E5B9
    let link = free.popLast() ?? contents.nodes.count
    let node = Node(number: number, priority: UInt32(truncatingIfNeeded: priority >> 32), furthest: link)
    if link == contents.nodes.count {
      contents.nodes.append(node)
      contents.ranges.append(range)
      contents.values.append(value)
    } else {
      contents.nodes[link] = node
      contents.ranges[link] = range
      contents.values[link] = value
    }
    return link
  }

  /// Whether a range belongs before a node.
  private func precedes(_ range: RouteRange, _ number: Int, _ link: Link) -> Bool {
    switch RouteRange.orderOfLowers(range.lower, contents.ranges[link].lower, collation) {
    case .orderedAscending: true
    case .orderedSame: number < contents.nodes[link].number
    case .orderedDescending: false
    }
  }

  private func updateFurthest(_ link: Link) {
    var result = link
    for child in [contents.nodes[link].left, contents.nodes[link].right] {
      guard let child else { continue }
      let candidate = contents.nodes[child].furthest
      let order = RouteRange.orderOfUppers(
        contents.ranges[candidate].upper, contents.ranges[result].upper, collation)
      if order == .orderedDescending { result = candidate }
    }
    contents.nodes[link].furthest = result
  }
}

// MARK: - Changes

extension IntervalIndex {
  private func insert(_ node: Link, below link: Link?) -> Link {
    guard let link else { return node }
    let range = contents.ranges[node]
    let number = contents.nodes[node].number
    if contents.nodes[node].priority > contents.nodes[link].priority {
      let (left, right) = split(link, before: range, number)
      contents.nodes[node].left = left
      contents.nodes[node].right = right
      updateFurthest(node)
      return node
    }
    if precedes(range, number, link) {
      contents.nodes[link].left = insert(node, below: contents.nodes[link].left)
    } else {
      contents.nodes[link].right = insert(node, below: contents.nodes[link].right)
    }
    updateFurthest(link)
    return link
  }

  /// Splits a subtree into the ranges before a range, and those after it.
  private func split(_ link: Link?, before range: RouteRange, _ number: Int) -> (left: Link?, right: Link?) {
    guard let link else { return (nil, nil) }
    if precedes(range, number, link) {
      let (left, right) = split(contents.nodes[link].left, before: range, number)
      contents.nodes[link].left = right
      updateFurthest(link)
      return (left, link)
    }
    let (left, right) = split(contents.nodes[link].right, before: range, number)
    contents.nodes[link].right = left
    updateFurthest(link)
    return (link, right)
  }

  private func remove(_ range: RouteRange, _ number: Int, below link: Link?) -> Link? {
    guard let link else { preconditionFailure("The range was not inserted") }
    if contents.nodes[link].number == number, contents.ranges[link] == range {
      free.append(link)
      return merge(contents.nodes[link].left, contents.nodes[link].right)
    }
    if precedes(range, number, link) {
      contents.nodes[link].left = remove(range, number, below: contents.nodes[link].left)
    } else {
      contents.nodes[link].right = remove(range, number, below: contents.nodes[link].right)
    }
    updateFurthest(link)
    return link
  }

  /// Joins two subtrees. The first precedes the second.
  private func merge(_ left: Link?, _ right: Link?) -> Link? {
    guard let left else { return right }
    guard let right else { return left }
    if contents.nodes[left].priority > contents.nodes[right].priority {
      contents.nodes[left].right = merge(contents.nodes[left].right, right)
      updateFurthest(left)
      return left
    }
    contents.nodes[right].left = merge(left, contents.nodes[right].left)
    updateFurthest(right)
    return right
  }
}
