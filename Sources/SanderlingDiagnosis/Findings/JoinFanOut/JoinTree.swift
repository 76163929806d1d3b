/// The tables of a join as a tree: one row of the root has many rows of each branch.
struct JoinTree {
  struct Node {
    var id: Int
    var table: TableSchema
    var syntax: SQLSource
    /// The node for whose rows this node is looked up; nil for nodes that belong to the root.
    var parent: Int?
    /// The conditions that join the node: its ON, and conditions of WHERE on it and the nodes above it.
    var conditions: [SQLExpression]
    /// Whether the join leaves out rows without a match in this node.
    var isRequired: Bool
  }

  var root: Int
  /// The root, and the tables with at most one row for each row of the root, in the order in which they can be looked
  /// up.
  var core: [Node]
  /// All other nodes, parents before children.
  var branches: [Node]
  /// The conditions on the rows of the root.
  var filters: [SQLExpression]

  func node(_ id: Int) -> Node? { branches.first { $0.id == id } }
  var coreIDs: Set<Int> { Set(core.map(\.id)) }

  /// The nodes that are joined to the root directly.
  var siblings: [Node] { branches.filter { $0.parent == nil } }

  /// The numbers of a node and of the nodes above it, up to the node below the root.
  func path(to id: Int) -> [Int] {
    var path: [Int] = []
    var next: Int? = id
    while let current = next, path.count <= branches.count {
      path.append(current)
      next = node(current)?.parent
    }
    return path
  }

  /// A node and all nodes below it, in order.
  func subtree(of id: Int) -> [Node] {
    var ids: Set = [id]
    return branches.filter { node in
      if node.id == id { return true }
      guard let parent = node.parent, ids.contains(parent) else { return false }
      ids.insert(node.id)
      return true
    }
  }

  func children(of id: Int) -> [Node] { branches.filter { $0.parent == id } }

  /// The nodes other than the root that the sources need, with all nodes above them.
  func closure(of sources: Set<Int>) -> Set<Int> {
    Set(sources.filter { node($0) != nil }.flatMap(path))
  }

  /// The node's column and the expression of the root that an equation compares; nil if other conditions also join the
  /// node to the root.
  func link(of node: Node, in statement: MovableStatement) -> (column: SQLExpression, parent: SQLExpression)? {
    var link: (SQLExpression, SQLExpression)?
    for condition in node.conditions where !statement.sources(in: condition.range).isSubset(of: [node.id]) {
      guard link == nil, case .binary(.equal, let left, let right) = condition.unwrapped.kind else { return nil }
      let isOwn: (SQLExpression) -> Bool = {
        if case .column(node.id, _)? = statement.shape.resolved.meaning(of: $0.unwrapped) { return true }
        return false
      }
      if isOwn(left), !statement.sources(in: right.range).contains(node.id) {
        link = (left.unwrapped, right)
      } else if isOwn(right), !statement.sources(in: left.range).contains(node.id) {
        link = (right.unwrapped, left)
      } else {
        return nil
      }
    }
    return link
  }
}

extension TableSchema {
  /// The sets of columns whose values identify a row: keys and unique indexes.
  var uniqueKeys: [(columns: Set<String>, isNotNull: Bool)] {
    var keys: [(Set<String>, Bool)] = []
    if let rowIDAlias { keys.append(([rowIDAlias], true)) }
    if !isWithoutRowID, rowIDAlias == nil { keys.append((["rowid"], true)) }
    if isWithoutRowID { keys.append((Set(primaryKey), true)) }
    for index in indexes where index.isUnique && !index.isPartial {
      let columns = index.keys.compactMap(\.column)
      guard columns.count == index.keys.count, index.keys.allSatisfy({ sameCollation($0) }) else { continue }
      keys.append((Set(columns), columns.allSatisfy { column($0)?.isNotNull ?? false }))
    }
    return keys
  }

  /// Whether a column alone identifies a row and is never NULL.
  func isKey(_ column: String) -> Bool { hasKey(among: [column]) }

  /// Whether a column is never NULL, because it is declared NOT NULL or is the rowid.
  func isNeverNull(_ column: ColumnSchema) -> Bool { column.isNotNull || rowIDAlias == column.name }

  /// Whether no two rows have the same value in a column. Several rows may have NULL.
  func isUnique(_ column: String) -> Bool { uniqueKeys.contains { $0.columns == [column] } }

  /// Whether some of the columns together identify a row and are never NULL.
  func hasKey(among columns: Set<String>) -> Bool {
    uniqueKeys.contains { $0.isNotNull && $0.columns.isSubset(of: columns) }
  }

  /// Whether some of the columns together are the primary key, even if SQLite allows NULL in it.
  func hasPrimaryKey(among columns: Set<String>) -> Bool {
    !primaryKey.isEmpty && Set(primaryKey).isSubset(of: columns)
  }

  private func sameCollation(_ key: IndexKey) -> Bool {
    key.column.flatMap(column)?.collation.asciiLowercased == key.collation.asciiLowercased
  }
}
