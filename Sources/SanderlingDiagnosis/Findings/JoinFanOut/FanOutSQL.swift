import SanderlingSQL

/// Writes the statements that read a join without its fan-out.
struct FanOutSQL {
  let statement: MovableStatement
  let tree: JoinTree
  let core: SQLSelectCore
  /// Conditions that leave only some rows of the root. A proof uses them if the whole statement takes too long.
  var restriction: [String] = []

  // MARK: Parts

  /// The text of a part of the statement. Each column names its table, and some ranges are replaced.
  func text(_ range: Range<Int>, replacing replacements: [(Range<Int>, String)] = []) -> String {
    var rewriter = SQLRewriter(statement.text)
    for (range, sql) in replacements { rewriter.replace(range, with: sql) }
    for (offset, meaning) in statement.shape.resolved.references where range.contains(offset) {
      guard case .column(let source, _) = meaning, let name = statement.shape.resolved.sources[source]?.name,
        let end = unqualifiedEnd(at: offset)
      else { continue }
      let column = statement.text[offset..<end]
      rewriter.replace(offset..<end, with: "\(Self.name(name)).\(column)")
    }
    return rewriter.rewritten(range)
  }

  /// The end of the column's name that begins at an offset; nil if a table's name and a dot come first.
  private func unqualifiedEnd(at offset: Int) -> Int? {
    let length = statement.text.bytes.count
    var tokens = SQLTokenizer(SQLText(statement.text[offset..<min(length, offset + 1_000)])).makeIterator()
    guard let name = tokens.next() else { return nil }
    var next = tokens.next()
    while next?.isTrivia ?? false { next = tokens.next() }
    if next?.kind == .symbol(.dot) { return nil }
    return offset + name.range.upperBound
  }

  /// A name, in quotes if SQL needs them.
  static func name(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { $0.isNameByte } && !(name.utf8.first?.isDigit ?? true)
    return isPlain && SQLKeyword.keyword(name) == nil ? name : name.quotedIdentifier
  }

  private func source(_ node: JoinTree.Node) -> String { statement.text[node.syntax.range] }

  /// A condition in a form that can be joined to others by AND.
  func condition(_ expression: SQLExpression) -> String { expression.conjunct(text(expression.range)) }

  private func all(_ conditions: [String]) -> String { conditions.joined(separator: " AND ") }

  /// The expressions of GROUP BY.
  var groupKeys: [String] { core.groupBy.map { text($0.range) } }

  // MARK: The root

  /// FROM and the conditions of WHERE, for the root and some nodes of its branches. Required branches that are left out
  /// become conditions.
  func from(with ids: Set<Int> = []) -> (from: String, conditions: [String]) {
    var placed: Set<Int> = []
    var left = tree.filters
    var from = ""
    for node in tree.core + tree.branches.filter({ ids.contains($0.id) }) {
      placed.insert(node.id)
      var on = node.conditions
      let isLeft = !node.isRequired
      if !from.isEmpty, !isLeft {
        let own = left.filter { condition in
          let read = statement.sources(in: condition.range).intersection(tree.coreIDs)
          return read.contains(node.id) && read.count > 1 && read.isSubset(of: placed) && !isAboutOuterJoin(read)
        }
        on += own
        left.removeAll { condition in own.contains { $0.range == condition.range } }
      }
      if from.isEmpty {
        from = source(node)
      } else {
        from += isLeft ? " LEFT JOIN \(source(node))" : " JOIN \(source(node))"
        if !on.isEmpty { from += " ON \(all(on.map(condition)))" }
      }
    }
    let inner = ids.sorted().flatMap { existence(below: $0, without: ids) }
    return (from, left.map(condition) + restriction + existence(below: nil, without: ids) + inner)
  }

  /// Whether conditions concern the columns of an outer join: these must stay in WHERE.
  private func isAboutOuterJoin(_ ids: Set<Int>) -> Bool {
    tree.core.contains { ids.contains($0.id) && $0.syntax.join.kind == .left }
  }

  /// A condition with EXISTS for each required branch below a node, if the branch is left out.
  private func existence(below parent: Int?, without ids: Set<Int>) -> [String] {
    tree.branches.filter { $0.parent == parent && $0.isRequired && !ids.contains($0.id) }.map { node in
      let required = tree.subtree(of: node.id).filter(\.isRequired)
      let (from, conditions) = branch(required)
      return "EXISTS (SELECT 1 FROM \(from)\(conditions.isEmpty ? "" : " WHERE \(all(conditions))"))"
    }
  }

  // MARK: Branches

  /// FROM and WHERE of connected nodes. The conditions of the first node become the conditions of WHERE.
  func branch(_ nodes: [JoinTree.Node]) -> (from: String, conditions: [String]) {
    guard let first = nodes.first else { return ("", []) }
    var from = source(first)
    for node in nodes.dropFirst() {
      from += node.isRequired ? " JOIN \(source(node))" : " LEFT JOIN \(source(node))"
      if !node.conditions.isEmpty { from += " ON \(all(node.conditions.map(condition)))" }
    }
    return (from, first.conditions.map(condition))
  }

  private func nodes(_ ids: Set<Int>) -> [JoinTree.Node] { tree.branches.filter { ids.contains($0.id) } }

  /// The call of the aggregate in a query of only its own rows.
  func call(_ aggregate: FanOutAggregate) -> String {
    // Each row has its own key, so counting different keys needs no DISTINCT.
    aggregate.countsKey && (aggregate.nodes.count <= 1) ? "COUNT(*)" : text(aggregate.range)
  }

  /// A subquery that computes an aggregate for one row of the root; nil if an aggregate of the root's columns has no
  /// such form. Another call over the same rows can replace the aggregate's own call.
  func subquery(_ aggregate: FanOutAggregate, call other: String? = nil) -> String? {
    if aggregate.nodes.isEmpty {
      guard ["min", "max", "sum"].contains(aggregate.function), aggregate.call.filter == nil,
        let argument = aggregate.call.arguments.first
      else { return nil }
      return "(\(text(argument.range)))"
    }
    let nodes = nodes(aggregate.nodes)
    let (from, conditions) = branch(nodes)
    let inner = nodes.flatMap { existence(below: $0.id, without: aggregate.nodes) }
    if let first = nodes.first, !first.isRequired, !aggregate.skipsMissing {
      // A row of the root without a match counts as one row of NULLs.
      let rest = from.dropFirst(source(first).count)
      return
        "(SELECT \(other ?? text(aggregate.range)) FROM (SELECT 1) LEFT JOIN \(source(first)) ON \(all(conditions))\(rest))"
    }
    let all = all(conditions + inner)
    return "(SELECT \(other ?? call(aggregate)) FROM \(from)\(all.isEmpty ? "" : " WHERE \(all)"))"
  }

  /// An aggregate over a group's rows of the root, of the subquery's value for each row; nil if the values of several
  /// rows can't be combined. `isAlone` says that the subquery finds rows for only one row of a group.
  func regrouped(_ aggregate: FanOutAggregate, isOfOneRoot: Bool, isAlone: Bool) -> String? {
    if aggregate.nodes.isEmpty { return text(aggregate.range) }
    if isAlone, !["sum", "count", "total"].contains(aggregate.function) || aggregate.call.isDistinct {
      return subquery(aggregate).map { "MAX(\($0))" }
    }
    guard !aggregate.call.isDistinct || aggregate.countsKey && isOfOneRoot, let inner = subquery(aggregate) else {
      return ["min", "max"].contains(aggregate.function)
        ? subquery(aggregate).map { "\(aggregate.function.uppercased())(\($0))" } : nil
    }
    switch aggregate.function {
    case "sum", "count": return "SUM(\(inner))"
    case "total", "min", "max": return "\(aggregate.function.uppercased())(\(inner))"
    case "avg":
      let argument = aggregate.call.arguments.map { text($0.range) }.joined()
      let filter = aggregate.call.filter.map { " FILTER (WHERE \(text($0.range)))" } ?? ""
      guard let sum = subquery(aggregate, call: "SUM(\(argument))\(filter)"),
        let count = subquery(aggregate, call: "COUNT(\(argument))\(filter)")
      else { return nil }
      return "(SUM(\(sum)) * 1.0 / SUM(\(count)))"
    default: return nil
    }
  }

  /// GROUP BY in its original form and HAVING, each with a space before it.
  func grouping(replacing replacements: [(Range<Int>, String)]) -> String {
    let keys = core.groupByRange.map { " " + text($0) } ?? ""
    return keys + (core.having.map { " HAVING " + text($0.range, replacing: replacements) } ?? "")
  }

  // MARK: Statements

  /// The rowid of the root; nil for a table without a rowid.
  var rootKey: String? {
    guard let root = tree.core.first, !root.table.isWithoutRowID,
      let name = statement.shape.resolved.sources[root.id]?.name
    else { return nil }
    return "\(Self.name(name)).rowid"
  }

  /// The original statement with the restriction and without LIMIT.
  var original: String {
    var rewriter = SQLRewriter(statement.text)
    if let condition = core.condition {
      let all = (["(\(statement.text[condition.range]))"] + restriction).joined(separator: " AND ")
      rewriter.replace(condition.range, with: all)
    } else if let from = core.from, !restriction.isEmpty {
      rewriter.insert(" WHERE \(restriction.joined(separator: " AND "))", at: from.range.upperBound)
    }
    if let range = statement.select.limitRange { rewriter.replace(range, with: "") }
    return rewriter.rewritten()
  }

  /// The result columns with replacements for aggregates. The columns keep their names.
  func columns(replacing replacements: [(Range<Int>, String)]) -> String {
    core.columns.map { column in
      let sql = text(column.range, replacing: replacements)
      guard case .expression(let expression, nil) = column.kind,
        statement.shape.resolved.meaning(of: expression) == nil || sql.hasPrefix("(")
      else { return sql }
      return sql == statement.text[column.range]
        ? sql : "\(sql) AS \(Self.name(statement.text[expression.range]))"
    }.joined(separator: ", ")
  }

  /// ORDER BY and LIMIT with a space before each.
  func tail(replacing replacements: [(Range<Int>, String)]) -> String {
    var tail = ""
    if let range = statement.select.orderByRange { tail += " " + text(range, replacing: replacements) }
    if restriction.isEmpty, let range = statement.select.limitRange { tail += " " + text(range) }
    return tail
  }

  /// The condition of HAVING as a condition on rows.
  func having(replacing replacements: [(Range<Int>, String)]) -> [String] {
    guard let having = core.having else { return [] }
    var replacements = replacements
    for (offset, meaning) in statement.shape.resolved.references where having.range.contains(offset) {
      guard case .result(_, let index) = meaning, let result = statement.core?.resolved.results[safe: index],
        let expression = result.expression, let end = unqualifiedEnd(at: offset)
      else { continue }
      replacements.append((offset..<end, "(\(text(expression.range, replacing: replacements)))"))
    }
    return ["(\(text(having.range, replacing: replacements)))"]
  }

  func select(_ columns: String, from: String, where conditions: [String], tail: String = "") -> String {
    let filter = conditions.isEmpty ? "" : " WHERE \(all(conditions))"
    return "\(statement.with)SELECT \(columns) FROM \(from)\(filter)\(tail)"
  }
}
