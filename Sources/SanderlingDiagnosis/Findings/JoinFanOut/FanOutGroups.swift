/// Grouped subqueries with the aggregates of each branch, by the column that joins the branch to the root.
struct FanOutGroups {
  private(set) var replacements: [(Range<Int>, String)] = []
  private(set) var joins = ""

  /// Groups each branch; nil if a branch is joined by more than one equality, or if an aggregate needs rows of NULLs.
  init?(_ sql: FanOutSQL, _ aggregates: [FanOutAggregate]) {
    var groups: [(nodes: Set<Int>, aggregates: [FanOutAggregate])] = []
    for aggregate in aggregates {
      if let place = groups.firstIndex(where: { $0.nodes == aggregate.nodes }) {
        groups[place].aggregates.append(aggregate)
      } else {
        groups.append((aggregate.nodes, [aggregate]))
      }
    }
    for (number, group) in groups.enumerated() {
      let nodes = sql.tree.branches.filter { group.nodes.contains($0.id) }
      // This form can't express a required branch outside the group, nor an aggregate that counts rows without a match.
      // Correlated subqueries can.
      guard let first = nodes.first,
        !nodes.contains(where: { node in
          sql.tree.children(of: node.id).contains { $0.isRequired && !group.nodes.contains($0.id) }
        }),
        first.isRequired || group.aggregates.allSatisfy(\.skipsMissing)
      else { return nil }
      let name = "group\(number + 1)"
      let columns = group.aggregates.enumerated().map { "\(sql.call($1)) AS value\($0 + 1)" }
      guard let grouped = sql.group(of: nodes, selecting: columns) else { return nil }
      joins += " LEFT JOIN (\(grouped.sql)) AS \(name) ON \(name).link = \(grouped.parent)"
      for (place, aggregate) in group.aggregates.enumerated() {
        let value = "\(name).value\(place + 1)"
        let nothing = aggregate.function == "count" ? "0" : aggregate.function == "total" ? "0.0" : nil
        replacements.append((aggregate.range, nothing.map { "COALESCE(\(value), \($0))" } ?? value))
      }
    }
  }
}

extension FanOutSQL {
  /// A query of connected nodes. It is grouped by the column that joins the first node to the root, which is named
  /// `link`. Also returns the other side of that equality. Nil if several equalities join the node.
  func group(of nodes: [JoinTree.Node], selecting columns: [String]) -> (sql: String, parent: String)? {
    guard let first = nodes.first, let link = tree.link(of: first, in: statement),
      statement.sources(in: link.parent.range).isSubset(of: tree.coreIDs)
    else { return nil }
    let (from, conditions) = branch(nodes)
    let linking = condition(first.conditions.first { statement.sources(in: $0.range).count > 1 } ?? link.column)
    let local = conditions.filter { $0 != linking }
    guard local.count == conditions.count - 1 else { return nil }
    let key = text(link.column.range)
    let filter = local.isEmpty ? "" : " WHERE \(local.joined(separator: " AND "))"
    return (
      "SELECT \(key) AS link, \(columns.joined(separator: ", ")) FROM \(from)\(filter) GROUP BY \(key)",
      text(link.parent.range)
    )
  }
}
