/// Rewrites of a statement that read its join without the fan-out.
struct FanOutRewrite {
  let statement: MovableStatement
  let tree: JoinTree
  private(set) var sql: FanOutSQL
  let aggregates: [FanOutAggregate]
  let shape: SelectShape
  private let leafGroup: FanOutLeafGroup?

  enum Form {
    /// There is one group for each row of the root.
    case grouped
    /// A group may contain several rows of the root.
    case regrouped
    /// There is one row, with aggregates over all rows.
    case whole
    /// The statement reads DISTINCT rows of the root.
    case distinct
  }

  let form: Form

  /// Reads the join of a statement; nil if it has no fan-out.
  /// - Parameter assumesKeys: Whether a primary key counts as a key although SQLite allows NULL in it.
  init?(_ statement: MovableStatement, in context: DetectorContext, assumesKeys: Bool = false) {
    guard let core = statement.core, !core.shape.hasWindowFunctions,
      let (form, tree) = Self.formAndTree(statement, in: context, assumesKeys: assumesKeys),
      let aggregates = FanOutAggregate.all(of: core.shape, in: tree, statement)
    else { return nil }
    (self.statement, self.tree, self.aggregates, self.form) = (statement, tree, aggregates, form)
    shape = core.shape
    sql = FanOutSQL(statement: statement, tree: tree, core: core.syntax)
    leafGroup = FanOutLeafGroup(sql, aggregates, context.schema)
    guard readsRootOnly() else { return nil }
  }

  /// Makes a rewrite without candidates, for the report on a join that has none.
  init?(_ statement: MovableStatement, _ tree: JoinTree, _ form: Form) {
    guard let core = statement.core else { return nil }
    (self.statement, self.tree, self.form, aggregates, shape) = (statement, tree, form, [], core.shape)
    sql = FanOutSQL(statement: statement, tree: tree, core: core.syntax)
    leafGroup = nil
  }

  /// The kind of a statement with a join, and the tree of the join. The root is the table whose rows are grouped or
  /// made distinct.
  static func formAndTree(
    _ statement: MovableStatement, in context: DetectorContext, assumesKeys: Bool = false
  ) -> (Form, JoinTree)? {
    guard let core = statement.core, let reader = JoinTreeReader(statement, schema: context.schema) else { return nil }
    if let (form, root) = formAndRoot(statement, core.syntax, core.shape, context.schema, assumesKeys: assumesKeys) {
      return reader.tree(root: root).map { (form, $0) }
    }
    guard let range = core.syntax.groupByRange else { return nil }
    let grouped = statement.sources(in: range)
    return core.shape.sources.lazy.compactMap { reader.tree(root: $0.id) }
      .first { !grouped.isEmpty && grouped.isSubset(of: $0.coreIDs) }.map { (.regrouped, $0) }
  }

  private static func formAndRoot(
    _ statement: MovableStatement, _ syntax: SQLSelectCore, _ shape: SelectShape, _ schema: DatabaseSchema,
    assumesKeys: Bool
  ) -> (Form, Int)? {
    let first = shape.sources.first?.id
    if !syntax.groupBy.isEmpty {
      let columns = shape.groupBy.compactMap { order in order.key.flatMap { $0.isColumn ? $0 : nil } }
      let root = shape.sources.first { source in
        guard let table = source.table.flatMap(schema.table) else { return false }
        let own = Set(columns.filter { $0.source == source.id }.flatMap(\.columns))
        return table.hasKey(among: own) || assumesKeys && table.hasPrimaryKey(among: own)
      }
      return root.map { (.grouped, $0.id) }
    }
    if !shape.aggregates.isEmpty {
      guard syntax.having == nil, !syntax.isDistinct, let first else { return nil }
      let read = shape.aggregates.reduce(into: Set<Int>()) { $0.formUnion($1.sources) }
      return (.whole, read.count == 1 ? read.first ?? first : first)
    }
    guard syntax.isDistinct, let range = syntax.columns.first?.range else { return nil }
    if case .all(let table?)? = syntax.columns.first?.kind {
      return shape.sources.first { $0.name.asciiLowercased == table.key }.map { (.distinct, $0.id) }
    }
    return statement.sources(in: range).first.map { (.distinct, $0) }
  }

  /// Whether the statement names only columns of the root outside of aggregates.
  private func readsRootOnly() -> Bool {
    let roots = tree.coreIDs
    let outside = statement.shape.resolved.references.filter { offset, meaning in
      guard case .column(let source, _) = meaning, !roots.contains(source) else { return false }
      let places = [
        sql.core.columnsRange, sql.core.groupByRange, sql.core.having?.range, statement.select.orderByRange,
      ]
      return places.contains { $0?.contains(offset) ?? false }
        && !aggregates.contains { $0.range.contains(offset) }
    }
    guard outside.isEmpty else { return false }
    return sql.core.columns.allSatisfy { column in
      guard case .all(let table) = column.kind else { return true }
      guard let table else { return false }
      return tree.core.contains { statement.shape.resolved.sources[$0.id]?.name.asciiLowercased == table.key }
    }
  }

  /// The rewrite for some rows of the root only.
  func restricted(to rows: [Int64]) -> FanOutRewrite? {
    guard let key = sql.rootKey, !rows.isEmpty else { return nil }
    var rewrite = self
    rewrite.sql.restriction = ["\(key) IN (\(rows.map(String.init).joined(separator: ", ")))"]
    return rewrite
  }

  /// Whether the join repeats rows that an aggregate counts or that DISTINCT removes.
  var repeatsRows: Bool {
    if form == .distinct { return true }
    if countsJoinedRows { return false }
    let branches = Set(tree.branches.map(\.id))
    return tree.siblings.count > 1 || aggregates.contains { $0.nodes != branches || $0.call.isDistinct }
  }

  /// The aggregates that count a row several times because other branches repeat it.
  var multiplied: [FanOutAggregate] {
    let branches = Set(tree.branches.map(\.id))
    return aggregates.filter { !$0.isImmune && $0.nodes != branches }
  }

  /// Whether the statement counts the rows of a join by a key of one of its tables. Many authors mean that.
  private var countsJoinedRows: Bool {
    tree.siblings.count == 1 && aggregates.count == 1 && multiplied.first?.function == "count"
  }

  // MARK: Forms

  /// The candidates for the rewrite. The plainest comes first.
  func candidates() -> [String] {
    let first =
      switch form {
      case .grouped: [perRow(), perGroup()].compactMap { $0 }
      case .regrouped: regrouped().map { [$0] } ?? []
      case .whole: whole().map { [$0] } ?? []
      case .distinct: [distinct()]
      }
    // The first candidate is the measure for the others.
    guard form != .distinct, !first.isEmpty, sql.restriction.isEmpty, let grouped = leafGroup?.statement else {
      return first
    }
    return first + [grouped]
  }

  /// The statement with a correlated subquery in place of each aggregate.
  private func perRow() -> String? {
    var replacements: [(Range<Int>, String)] = []
    for aggregate in aggregates {
      guard let subquery = sql.subquery(aggregate) else { return nil }
      replacements.append((aggregate.range, subquery))
    }
    let (from, conditions) = sql.from()
    return sql.select(
      distinctWord + sql.columns(replacing: replacements), from: from,
      where: conditions + sql.having(replacing: replacements), tail: sql.tail(replacing: replacements))
  }

  /// The statement with a correlated subquery in place of each aggregate. Its values for the rows of a group are
  /// aggregated once more.
  private func regrouped() -> String? {
    var replacements: [(Range<Int>, String)] = []
    for aggregate in aggregates {
      guard let sql = regrouped(aggregate) else { return nil }
      replacements.append((aggregate.range, sql))
    }
    let (from, conditions) = sql.from()
    return sql.select(
      distinctWord + sql.columns(replacing: replacements), from: from, where: conditions,
      tail: sql.grouping(replacing: replacements) + sql.tail(replacing: replacements))
  }

  func regrouped(_ aggregate: FanOutAggregate) -> String? {
    sql.regrouped(
      aggregate, isOfOneRoot: aggregate.nodes.count == 1 && isOfOneRoot(aggregate.nodes),
      isAlone: isAloneInGroup(aggregate))
  }

  /// Whether a group has at most one row of the root for which the aggregate has rows. Rows with NULL in the key match
  /// nothing.
  private func isAloneInGroup(_ aggregate: FanOutAggregate) -> Bool {
    guard aggregate.isImmune || aggregate.skipsMissing, tree.core.count == 1,
      let node = aggregate.nodes.lazy.compactMap(tree.node).first(where: { $0.parent == nil })
    else { return false }
    let grouped = shape.groupBy.compactMap(\.key).filter { $0.isColumn && $0.source == tree.root }.flatMap(\.columns)
    return rootColumn(of: node).map { grouped.contains($0) && tree.core[0].table.isUnique($0) } ?? false
  }

  /// The root's column by which a node is joined; nil if the node also needs another column of the root.
  private func rootColumn(of node: JoinTree.Node) -> String? {
    guard let link = tree.link(of: node, in: statement),
      case .column(tree.root, let name)? = statement.shape.resolved.meaning(of: link.parent.unwrapped)
    else { return nil }
    return name
  }

  /// A rewrite with one grouped subquery for each branch, joined to the root. It is better if all rows of the root are
  /// read.
  private func perGroup() -> String? {
    guard let groups = FanOutGroups(sql, aggregates) else { return nil }
    let (from, conditions) = sql.from()
    return sql.select(
      distinctWord + sql.columns(replacing: groups.replacements), from: from + groups.joins,
      where: conditions + sql.having(replacing: groups.replacements), tail: sql.tail(replacing: groups.replacements))
  }

  private var distinctWord: String { sql.core.isDistinct ? "DISTINCT " : "" }

  private func whole() -> String? {
    let sets = Set(aggregates.map(\.nodes))
    let names = sql.core.columns.map(\.range)
    guard names.allSatisfy({ range in aggregates.contains { range.contains($0.range.lowerBound) } }) else { return nil }
    if sets.count == 1, let ids = sets.first {
      let (from, conditions) = sql.from(with: ids)
      let replacements = aggregates.map { ($0.range, wholeCall($0)) }
      return sql.select(
        sql.columns(replacing: replacements), from: from, where: conditions, tail: sql.tail(replacing: replacements))
    }
    let replacements = aggregates.map { ($0.range, "(\(wholeSubquery($0)))") }
    return "\(statement.with)SELECT \(sql.columns(replacing: replacements))" + sql.tail(replacing: replacements)
  }

  /// A subquery for an aggregate over all rows of the root, with only the branches that it needs.
  func wholeSubquery(_ aggregate: FanOutAggregate) -> String {
    let (from, conditions) = sql.from(with: aggregate.nodes)
    let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
    return "SELECT \(wholeCall(aggregate)) FROM \(from)\(filter)"
  }

  private func wholeCall(_ aggregate: FanOutAggregate) -> String {
    let isOwnRow = aggregate.nodes.isEmpty || (aggregate.nodes.count == 1 && isOfOneRoot(aggregate.nodes))
    guard aggregate.countsKey, isOwnRow else { return sql.text(aggregate.range) }
    // A row of the root without a match has no key of the branch, so it isn't counted.
    let isOuter = aggregate.nodes.contains { !(tree.node($0)?.isRequired ?? true) }
    return isOuter ? "COUNT(\(aggregate.call.arguments.map { sql.text($0.range) }.joined()))" : "COUNT(*)"
  }

  /// Whether each row of the nodes belongs to at most one row of the root.
  private func isOfOneRoot(_ ids: Set<Int>) -> Bool {
    guard let name = ids.first.flatMap(tree.node).flatMap(rootColumn) else { return false }
    return tree.core.count == 1 && tree.core[0].table.isUnique(name)
  }

  private func distinct() -> String {
    let (from, conditions) = sql.from()
    let rootColumns = statement.core?.resolved.results.compactMap { result -> String? in
      let meaning = result.meaning ?? result.expression.flatMap { statement.shape.resolved.meaning(of: $0.unwrapped) }
      guard case .column(tree.root, let name)? = meaning else { return nil }
      return name
    }
    let isUnique = tree.core[0].table.hasKey(among: Set(rootColumns ?? []))
    return sql.select(
      (isUnique ? "" : "DISTINCT ") + sql.columns(replacing: []), from: from, where: conditions,
      tail: sql.tail(replacing: []))
  }
}
