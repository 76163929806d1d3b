/// The parts of a live query that a value can change.
struct LiveUsage: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// The set of rows and their order.
  static let membership = LiveUsage(rawValue: 1)
  /// The selected values of the rows.
  static let output = LiveUsage(rawValue: 2)
}

/// The tables that a query's terms read, as a tree of associations that starts at the query's own rows.
struct DependencyTree {
  struct Node {
    let type: RecordType
    let parent: Int?
    /// How the parent's rows lead to these; nil for the query's own rows.
    let association: Association?
    /// The condition of the rows, as far as the rows' own columns decide it. The term is in the scope of these rows, at
    /// level 0.
    let filter: Term?
    /// The counted rows to which the node belongs; nil if the query reads the node's rows for another purpose.
    let counted: CountedRows?
    /// Whether the rows only lead to counted rows of another node.
    var isOnTheWay = false
    /// The columns that are read, including the columns that link the rows to rows of other nodes.
    var columns: Set<Int> = []
    /// Compared columns. The type that the database declares for such a column may change the result of a comparison.
    var convertedColumns: Set<Int> = []
    var usage: LiveUsage = []
  }

  private(set) var nodes: [Node]
  /// The counts and sums that are maintained from changes of single rows, each with the node of its innermost rows.
  private(set) var counted: [(term: Term, node: Int)] = []

  init(root: RecordType) {
    nodes = [Node(type: root, parent: nil, association: nil, filter: nil, counted: nil)]
  }

  /// Adds the columns that a term of the query reads.
  mutating func visit(_ term: Term, _ usage: LiveUsage) {
    visit(term, usage, levels: [0])
  }

  /// Adds all columns of the prefetched rows of a node, for all of its rows.
  mutating func visit(_ rows: PrefetchedRows, from origin: Int = 0) {
    let node = end(of: rows.association, from: origin, filter: nil, .output)
    for column in nodes[node].type.table.columns.indices { read(column, of: node, .output) }
    let association = rows.association
    let conditions = [association.condition, association.recursion?.step, rows.statement.condition].compactMap { $0 }
    for term in conditions + rows.statement.orderings.map(\.term) { visit(term, .output, levels: [node]) }
    for nested in rows.nested { visit(nested, from: node) }
  }

  /// - Parameter levels: The node of each level's own rows.
  private mutating func visit(_ term: Term, _ usage: LiveUsage, levels: [Int]) {
    if levels == [0], let (aggregates, rows) = term.counted {
      let node = visit(aggregates, rows, usage)
      if !counted.contains(where: { $0.term == term }) { counted.append((term, node)) }
      return
    }
    switch term {
    case .column(let column):
      let node = resolve(column.scope.path, from: levels[column.scope.level], usage)
      read(column.index, of: node, usage)
    case .aggregate(let aggregate):
      visit(aggregate, usage, levels: levels)
    case .prefix:
      visit(term.asWritten, usage, levels: levels)
    default:
      for operand in term.operands { visit(operand, usage, levels: levels) }
      noteConversions(in: term, usage, levels: levels)
    }
  }

  private mutating func noteConversions(in term: Term, _ usage: LiveUsage, levels: [Int]) {
    switch term {
    case .binary(let op, let lhs, let rhs) where op.isComparison:
      noteConversions(of: rhs, by: lhs, usage, levels: levels)
      noteConversions(of: lhs, by: rhs, usage, levels: levels)
    case .membership(let operand, let members):
      for member in members.values { noteConversions(of: .constant(member), by: operand, usage, levels: levels) }
    default: break
    }
  }

  private mutating func noteConversions(
    of other: Term, by term: Term, _ usage: LiveUsage, levels: [Int]
  ) {
    guard case .column(let column) = term.withoutCollation, other.dependsOnType(of: column) else { return }
    let node = resolve(column.scope.path, from: levels[column.scope.level], usage)
    // Selected values are compared by the database.
    if node != 0 || usage.contains(.membership) { nodes[node].convertedColumns.insert(column.index) }
  }

  private mutating func visit(_ aggregate: AggregateTerm, _ usage: LiveUsage, levels: [Int]) {
    let rows = aggregate.rows
    let origin = resolve(rows.origin.path, from: levels[rows.origin.level], usage)
    // Recursive rows are not filtered: a descendant that a filter excludes may lead to others that it includes.
    let filter = rows.association.recursion == nil ? Term.all(rows.ownConditions) : nil
    let node = end(of: rows.association, from: origin, filter: filter, usage)
    let inner = Array(levels.prefix(rows.level)) + [node]
    if let argument = aggregate.argument { visit(argument, usage, levels: inner) }
    if let condition = rows.fullCondition { visit(condition, usage, levels: inner) }
    if let step = rows.association.recursion?.step { visit(step, usage, levels: [node]) }
  }

  /// Adds the rows that nested aggregates of the query's own rows add up.
  ///
  /// - Returns: The node of the innermost rows.
  private mutating func visit(_ aggregates: [AggregateTerm], _ rows: CountedRows, _ usage: LiveUsage) -> Int {
    var levels = [0]
    for (level, aggregate) in zip(rows.levels, aggregates) {
      if levels.count > 1 { nodes[levels[levels.count - 1]].isOnTheWay = true }
      let association = aggregate.rows.association
      levels.append(child(of: levels[levels.count - 1], association, filter: level.filter, counted: rows, usage))
      if let condition = aggregate.rows.fullCondition { visit(condition, usage, levels: levels) }
    }
    if let argument = aggregates[aggregates.count - 1].argument { visit(argument, usage, levels: levels) }
    return levels[levels.count - 1]
  }

  /// Notes the compared columns of an association. If a declared type converts values, a row may lead to several rows.
  private mutating func noteConversions(
    between parent: Int, and child: Int, _ pair: Association.ColumnPair
  ) {
    let types = (
      nodes[parent].type.table.columns[pair.origin].type, nodes[child].type.table.columns[pair.destination].type
    )
    if types == (.blob, .blob) { return }
    nodes[parent].convertedColumns.insert(pair.origin)
    nodes[child].convertedColumns.insert(pair.destination)
  }

  private mutating func resolve(_ path: [Association], from start: Int, _ usage: LiveUsage) -> Int {
    path.reduce(start) { node, association in
      let child = child(of: node, association, filter: nil, counted: nil, usage)
      // An association's condition is in the scope of its destination's rows, as if these were the query's own rows.
      if let condition = association.condition { visit(condition, usage, levels: [child]) }
      return child
    }
  }

  /// The node of the rows at the end of a to-many association. The association may lead through other associations.
  private mutating func end(of association: Association, from origin: Int, filter: Term?, _ usage: LiveUsage) -> Int {
    var node = origin
    for step in association.way.dropLast() {
      node = child(of: node, step, filter: nil, counted: nil, usage)
      if let condition = step.condition { visit(condition, usage, levels: [node]) }
    }
    return child(of: node, association.way.last ?? association, filter: filter, counted: nil, usage)
  }

  private mutating func child(
    of parent: Int, _ association: Association, filter: Term?, counted: CountedRows?, _ usage: LiveUsage
  ) -> Int {
    let existing = nodes.firstIndex {
      $0.parent == parent && $0.association == association && $0.filter == filter && $0.counted == counted
    }
    let child = existing ?? nodes.count
    if existing == nil {
      nodes.append(
        Node(
          type: association.destination, parent: parent, association: association, filter: filter, counted: counted))
    }
    nodes[child].usage.formUnion(usage)
    for pair in association.columns {
      read(pair.origin, of: parent, usage)
      read(pair.destination, of: child, usage)
      noteConversions(between: parent, and: child, pair)
      if association.recursion != nil { read(pair.origin, of: child, usage) }
    }
    return child
  }

  /// Notes that a column is read. A selected column of the query's own rows is not captured: a written row of the
  /// window is always read again.
  private mutating func read(_ column: Int, of node: Int, _ usage: LiveUsage) {
    if node == 0 && !usage.contains(.membership) { return }
    nodes[node].columns.insert(column)
    nodes[node].usage.formUnion(usage)
  }
}

extension Term {
  fileprivate var withoutCollation: Term {
    if case .collate(let operand, _) = self { operand.withoutCollation } else { self }
  }

  /// Whether a comparison of the term with a column may depend on the type that the database declares for the column.
  fileprivate func dependsOnType(of column: ColumnTerm) -> Bool {
    switch self {
    case .constant(let value), .literal(let value):
      guard case .text = value else { return !value.isNative(to: column.definition.type) }
      // An unknown conversion counts as one.
      return (try? value.asNumber()) != value
    case .collate(let operand, _): return operand.dependsOnType(of: column)
    // Blobs are never converted.
    case .column(let other): return column.definition.type != .blob || other.definition.type != .blob
    default: return true
    }
  }
}

extension DependencyTree {
  /// The associations from the query's own rows to a node's rows, in this order.
  func chain(to node: Int) -> [Association] {
    var chain: [Association] = []
    var current = node
    while let parent = nodes[current].parent, let association = nodes[current].association {
      chain.insert(association, at: 0)
      current = parent
    }
    return chain
  }

  /// The tables and columns to be captured.
  var needs: [CaptureNeed] {
    var columns: [RecordType: Set<Int>] = [:]
    var converted: [RecordType: Set<Int>] = [:]
    for node in nodes {
      columns[node.type, default: []].formUnion(node.columns)
      converted[node.type, default: []].formUnion(node.convertedColumns)
    }
    return columns.map { CaptureNeed(table: $0.key, columns: $0.value, convertedColumns: converted[$0.key] ?? []) }
  }

  /// The associated rows that the query depends on.
  var dependencies: [(dependency: Dependency, usage: LiveUsage)] {
    nodes.indices.dropFirst().filter { !nodes[$0].isOnTheWay }.map { index in
      (dependency(of: index), nodes[index].usage)
    }
  }
}

extension CaptureNeed {
  /// The need with all columns that later queries probably need, since capturing more columns later takes the writer's
  /// time. Texts and blobs are added only if they are indexed, or belong to the key or a reference.
  var withUsualColumns: CaptureNeed {
    let definition = table.table
    let properties = Set(definition.references.map(\.property))
    let indexed = Set(
      definition.indexes.flatMap(\.parts).compactMap {
        if case .column(let column) = $0.term { column.index } else { nil }
      })
    let usual = definition.columns.indices.filter { index in
      let column = definition.columns[index]
      return column.type == .integer || column.type == .real || definition.key.contains(index)
        || properties.contains(column.property) || indexed.contains(index)
    }
    return CaptureNeed(table: table, columns: columns.union(usual), convertedColumns: convertedColumns)
  }
}

extension DependencyTree {
  func dependency(of index: Int) -> Dependency {
    let node = nodes[index]
    var columnsOnTheWay: [Set<Int>] = []
    var current = index
    while let parent = nodes[current].parent, nodes[parent].isOnTheWay {
      columnsOnTheWay.insert(nodes[parent].columns, at: 0)
      current = parent
    }
    return Dependency(
      chain: chain(to: index), columns: node.columns, filter: node.filter, counted: node.counted,
      columnsOnTheWay: columnsOnTheWay)
  }
}
