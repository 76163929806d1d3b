/// A node of a plan with its position in the tree, for output line by line.
struct ShownPlanLine: Sendable {
  let node: PlanNode
  let parent: Int?
  let depth: Int
  /// For each level above and for this node, whether a later sibling follows.
  let hasNext: [Bool]

  /// Returns the nodes of a plan, parents before children.
  ///
  /// - Complexity: O(nodes). Not recursive, so a plan may have any depth.
  static func all(_ plan: QueryPlan) -> [ShownPlanLine] {
    var lines: [ShownPlanLine] = []
    var rest = self.lines(of: plan.roots, below: nil)
    while let line = rest.popLast() {
      lines.append(line)
      rest += self.lines(of: line.node.children, below: line)
    }
    return lines
  }

  /// Returns the node with the greatest share of the work; nil if no shares are known.
  static func hottest(of lines: [ShownPlanLine]) -> Int? {
    var hottest: (id: Int, share: Double)?
    for line in lines {
      guard let share = line.node.share, share.isFinite, share > hottest?.share ?? 0 else { continue }
      hottest = (line.node.id, share)
    }
    return hottest?.id
  }

  /// Returns siblings in reverse order, because the last element of an array is taken first.
  private static func lines(of nodes: [PlanNode], below parent: ShownPlanLine?) -> [ShownPlanLine] {
    let above = parent.map { Array($0.hasNext.prefix(maximumDrawnDepth)) } ?? []
    return nodes.indices.reversed().map { index in
      ShownPlanLine(
        node: nodes[index], parent: parent?.node.id, depth: parent.map { $0.depth + 1 } ?? 0,
        hasNext: above + [index < nodes.count - 1])
    }
  }

  /// The depth at which deeper nodes are drawn.
  private static let maximumDrawnDepth = 24
}
