/// Finds the tree of a join. There is none if the join isn't a tree, or if the statement doesn't show how its tables
/// are tied.
struct JoinTreeReader {
  let statement: MovableStatement
  let schema: DatabaseSchema
  private let syntax: SQLSelectCore
  private let sources: [SQLSource]

  init?(_ statement: MovableStatement, schema: DatabaseSchema) {
    guard let core = statement.core, let from = core.syntax.from, from.sources.count > 1 else { return nil }
    (self.statement, self.schema, syntax, sources) = (statement, schema, core.syntax, from.sources)
  }

  /// The tree with a source as its root. O(sources² · conditions).
  func tree(root: Int, allowsNoBranches: Bool = false) -> JoinTree? {
    guard let tables = tables(), let rootTable = tables[root],
      let rootSyntax = sources.first(where: { $0.id == root }), rootSyntax.join.kind != .left
    else { return nil }
    let ids = Set(sources.map(\.id))
    // A condition of WHERE or of an inner join has the same meaning in each of these places.
    var shared = syntax.condition.map(\.conjuncts) ?? []
    for source in sources where source.join.kind != .left { shared += source.join.on.map(\.conjuncts) ?? [] }
    var tree = JoinTree(
      root: root,
      core: [.init(id: root, table: rootTable, syntax: rootSyntax, parent: nil, conditions: [], isRequired: true)],
      branches: [], filters: [])
    var placed: Set = [root]
    var waiting = sources.filter { $0.id != root }
    while let position = waiting.firstIndex(where: { links(of: $0, shared, placed, ids) != nil }) {
      let source = waiting.remove(at: position)
      guard let table = tables[source.id], let links = links(of: source, shared, placed, ids) else { return nil }
      let isLeft = source.join.kind == .left
      let others = links.reduce(into: Set<Int>()) { $0.formUnion(statement.sources(in: $1.range)) }
        .intersection(ids).subtracting([source.id])
      var node = JoinTree.Node(
        id: source.id, table: table, syntax: source, parent: nil,
        conditions: isLeft ? source.join.on.map(\.conjuncts) ?? [] : [], isRequired: !isLeft)
      if others.isSubset(of: tree.coreIDs), isUnique(links, of: source.id, table) {
        tree.core.append(node)
      } else {
        let above = others.subtracting(tree.coreIDs)
        node.parent = deepest(of: above, in: tree)
        guard above.isEmpty || node.parent != nil else { return nil }
        tree.branches.append(node)
      }
      placed.insert(source.id)
    }
    guard waiting.isEmpty, allowsNoBranches || !tree.branches.isEmpty else { return nil }
    return place(shared, into: tree)
  }

  /// The table of each source; nil if a source isn't a table, or is joined in a way that a tree can't have.
  private func tables() -> [Int: TableSchema]? {
    var tables: [Int: TableSchema] = [:]
    for source in sources {
      guard source.join.kind != .right, source.join.kind != .full, !source.join.isNatural, source.join.using.isEmpty,
        let resolved = statement.shape.resolved.sources[source.id], resolved.kind == .table,
        let table = resolved.table.flatMap({ schema.table($0.name) }), table.kind == .ordinary
      else { return nil }
      tables[source.id] = table
    }
    return tables
  }

  /// The conditions that join a source to the placed sources; nil if there are none, or if the source must wait for
  /// others.
  private func links(
    of source: SQLSource, _ shared: [SQLExpression], _ placed: Set<Int>, _ ids: Set<Int>
  ) -> [SQLExpression]? {
    let isLeft = source.join.kind == .left
    let conditions = isLeft ? source.join.on.map(\.conjuncts) ?? [] : shared
    let own = conditions.filter { condition in
      let read = statement.sources(in: condition.range).intersection(ids)
      return (isLeft || read.contains(source.id)) && read.subtracting([source.id]).isSubset(of: placed)
    }
    if isLeft, own.count < conditions.count { return nil }
    let isLinked = own.contains { condition in
      guard case .binary(.equal, _, _) = condition.kind else { return false }
      let read = statement.sources(in: condition.range).intersection(ids)
      return read.contains(source.id) && read.count > 1
    }
    return isLinked ? own : nil
  }

  /// Whether the conditions allow at most one row.
  private func isUnique(_ conditions: [SQLExpression], of source: Int, _ table: TableSchema) -> Bool {
    var columns: Set<String> = []
    for case .binary(.equal, let left, let right) in conditions.map(\.kind) {
      for (one, other) in [(left, right), (right, left)] {
        if case .column(source, let name)? = statement.shape.resolved.meaning(of: one.unwrapped),
          !statement.sources(in: other.range).contains(source)
        {
          columns.insert(name)
        }
      }
    }
    return table.uniqueKeys.contains { $0.columns.isSubset(of: columns) }
  }

  /// The node that has all other given nodes above it; nil if there is none.
  private func deepest(of ids: Set<Int>, in tree: JoinTree) -> Int? {
    guard let deepest = ids.max(by: { tree.path(to: $0).count < tree.path(to: $1).count }) else { return nil }
    return ids.isSubset(of: tree.path(to: deepest)) ? deepest : nil
  }

  /// Adds each condition to the lowest node that the condition names.
  private func place(_ conditions: [SQLExpression], into tree: JoinTree) -> JoinTree? {
    var tree = tree
    let ids = Set(sources.map(\.id))
    for condition in conditions {
      let read = statement.sources(in: condition.range).intersection(ids).subtracting(tree.coreIDs)
      guard !read.isEmpty else {
        tree.filters.append(condition)
        continue
      }
      guard let lowest = deepest(of: read, in: tree),
        let position = tree.branches.firstIndex(where: { $0.id == lowest })
      else { return nil }
      if !tree.branches[position].isRequired {
        // A condition that is true for rows without a match needs these rows.
        guard condition.rejectsNull(of: lowest, in: statement) else { return nil }
      }
      tree.branches[position].conditions.append(condition)
      tree.branches[position].isRequired = true
    }
    // The nodes above a required node are required, too.
    for node in tree.branches where node.isRequired {
      for above in tree.path(to: node.id) {
        if let position = tree.branches.firstIndex(where: { $0.id == above }) {
          tree.branches[position].isRequired = true
        }
      }
    }
    return tree
  }
}
