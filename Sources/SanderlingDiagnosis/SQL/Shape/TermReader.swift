/// Splits conditions into the terms that restrict each source of a core.
struct TermReader {
  let keys: KeyReader
  let core: ResolvedCore
  /// The terms by source.
  private(set) var terms: [Int: [TermShape]] = [:]
  private(set) var alternatives: [Int: [AlternativesShape]] = [:]
  private(set) var residues: [Range<Int>] = []
  /// The clause of the conditions being read.
  private var clause = TermShape.Clause.condition

  init(keys: KeyReader, core: ResolvedCore) {
    self.keys = keys
    self.core = core
  }

  private var resolved: ResolvedStatement { keys.resolved }

  /// Reads conditions that must all hold.
  mutating func read(_ condition: SQLExpression, of clause: TermShape.Clause) {
    self.clause = clause
    for conjunct in condition.conjuncts {
      let found = terms(of: conjunct)
      for term in found { terms[term.source, default: []].append(term.shape) }
      if case .or = conjunct.kind {
        readAlternatives(conjunct)
      } else if found.isEmpty {
        residues.append(conjunct.range)
      }
    }
  }

  /// Reads `source.name = other.name` of USING or NATURAL.
  mutating func readEquality(of name: String, left: Int, right: Int, range: Range<Int>) {
    clause = .join(source: right)
    guard let one = key(of: name, in: left, range: range), let other = key(of: name, in: right, range: range) else {
      return
    }
    for (key, joined) in [(one, other), (other, one)] {
      terms[key.source, default: []].append(
        TermShape(
          kind: .equality, key: key, columns: key.columns, value: .sources([joined.source]),
          collation: one.collation, clause: clause, joinedTo: joined, range: range))
    }
  }

  private func key(of name: String, in source: Int, range: Range<Int>) -> KeyShape? {
    resolved.sources[source]?.column(named: name).flatMap { keys.column($0, of: source, in: core, range: range) }
  }

  // MARK: OR

  private mutating func readAlternatives(_ condition: SQLExpression) {
    // SQLite also considers an OR inside a branch of an OR.
    let branches = condition.sides(atMost: Self.maximumBranches) ?? condition.disjuncts.map(\.conjuncts)
    let read = branches.map { branch in branch.flatMap { terms(of: $0) } }
    let sources = keys.dependencies(of: condition, in: core).sources
    for source in sources {
      let ofSource = read.map { branch in branch.filter { $0.source == source }.map(\.shape) }
      alternatives[source, default: []].append(
        AlternativesShape(
          branches: ofSource, isOfOneSource: sources.count == 1, clause: clause, range: condition.range))
      // SQLite treats several equalities of one column as IN.
      let equalities = ofSource.compactMap { branch in
        branch.count == 1 && branch[0].kind == .equality && branch[0].key?.isColumn == true ? branch[0] : nil
      }
      if equalities.count == branches.count, var term = equalities.first,
        Set(equalities.map { $0.key?.sql }).count == 1, Set(equalities.map(\.collation)).count == 1
      {
        term.kind = .membership(count: branches.count)
        term.value = .list(isLiteral: equalities.allSatisfy(\.hasLiteral))
        term.parameters = equalities.flatMap(\.parameters)
        term.range = condition.range
        term.indexCondition = indexCondition(condition)
        terms[source, default: []].append(term)
      }
    }
  }

  private static let maximumBranches = 8

  // MARK: One condition

  private func terms(of condition: SQLExpression) -> [(source: Int, shape: TermShape)] {
    let condition = condition.unwrapped
    var found: [(Int, TermShape)] = []
    switch condition.kind {
    case .binary(let comparison, let left, let right):
      if let kinds = Self.kinds(of: comparison) { found = comparisons(condition, left, right, kinds) }
      if comparison == .equalOrBothNull { for index in found.indices { found[index].1.isNullRejecting = false } }
    case .isNull(let value, let isNegated):
      found = single(condition, value, isNegated ? .isNotNull : .isNull)
    case .between(let value, let low, let high, false):
      found = compared(
        condition, value, [low, high], .range(lower: true, upper: true), collation: collation(of: value, low))
      // The bounds can be columns as well: `low <= value AND value <= high`.
      found += compared(
        condition, low, [value], .range(lower: false, upper: true), collation: collation(of: value, low))
      found += compared(
        condition, high, [value], .range(lower: true, upper: false), collation: collation(of: value, high))
    case .membership(let value, let members, false): found = membership(condition, value, members)
    case .pattern(let pattern) where !pattern.isNegated: found = matches(condition, pattern)
    case .or: return []
    case .unary(.not, let inner): found = truth(inner.unwrapped, isNegated: true, whole: condition)
    default: found = truth(condition, isNegated: false)
    }
    return found.isEmpty ? others(condition) : found
  }

  /// Returns the kinds of term for the left and the right side of a comparison; nil for other operators.
  private static func kinds(of comparison: SQLBinaryOperator) -> (left: TermShape.Kind, right: TermShape.Kind)? {
    let (above, below) = (
      TermShape.Kind.range(lower: true, upper: false), TermShape.Kind.range(lower: false, upper: true)
    )
    switch comparison {
    case .equal, .equalOrBothNull: return (.equality, .equality)
    case .less, .lessOrEqual: return (below, above)
    case .greater, .greaterOrEqual: return (above, below)
    case .notEqual, .notEqualOrOneNull: return (.other, .other)
    default: return nil
    }
  }

  private func comparisons(
    _ condition: SQLExpression, _ left: SQLExpression, _ right: SQLExpression,
    _ kinds: (left: TermShape.Kind, right: TermShape.Kind)
  ) -> [(Int, TermShape)] {
    if case .row(let lefts) = left.unwrapped.kind, case .row(let rights) = right.unwrapped.kind {
      return zip(lefts, rights).enumerated().flatMap { position, pair in
        (compared(condition, pair.0, [pair.1], kinds.left, collation: collation(of: pair.0, pair.1))
          + compared(condition, pair.1, [pair.0], kinds.right, collation: collation(of: pair.0, pair.1)))
          .map { source, term in
            var term = term
            term.rowPosition = position
            return (source, term)
          }
      }
    }
    let shared = collation(of: left, right)
    return compared(condition, left, [right], kinds.left, collation: shared)
      + compared(condition, right, [left], kinds.right, collation: shared)
  }

  private func membership(
    _ condition: SQLExpression, _ value: SQLExpression, _ members: SQLMembership
  ) -> [(Int, TermShape)] {
    let values = if case .row(let row) = value.unwrapped.kind { row } else { [value] }
    return values.enumerated().flatMap { position, value -> [(Int, TermShape)] in
      guard let key = keys.key(value, in: core) else { return [] }
      var term = TermShape(
        kind: .membership(count: nil), key: key, columns: key.columns, value: .expression, collation: key.collation,
        clause: clause, range: condition.range)
      if values.count > 1 { term.rowPosition = position }
      switch members {
      case .list(let list):
        term.kind = .membership(count: list.count)
        let reads = list.map { keys.dependencies(of: $0, in: core) }
        guard !reads.contains(where: { $0.sources.contains(key.source) }) else { return [] }
        term.parameters = reads.flatMap(\.parameters)
        let sources = reads.reduce(into: Set<Int>()) { $0.formUnion($1.sources) }
        let isLiteral = list.allSatisfy { Self.isLiteral($0) }
        term.value = sources.isEmpty ? .list(isLiteral: isLiteral) : .sources(sources)
        if isLiteral { term.indexCondition = indexCondition(condition) }
      case .subquery(let select): term.value = self.value(of: select)
      case .table: break
      }
      return [(key.source, term)]
    }
  }

  private func matches(_ condition: SQLExpression, _ pattern: SQLPattern) -> [(Int, TermShape)] {
    var prefix: String?
    if case .literal(.string) = pattern.pattern.unwrapped.kind {
      let sql = resolved.statement.sql(pattern.pattern.unwrapped.range)
      let wildcards: Set<Character> = pattern.name == "GLOB" ? ["*", "?", "["] : ["%", "_"]
      prefix = String(sql.dropFirst().dropLast().prefix { !wildcards.contains($0) })
    }
    return compared(
      condition, pattern.value, [pattern.pattern], .pattern(name: pattern.name, prefix: prefix),
      collation: keys.key(pattern.value, in: core)?.collation ?? "BINARY")
  }

  private func single(
    _ condition: SQLExpression, _ value: SQLExpression, _ kind: TermShape.Kind
  ) -> [(Int, TermShape)] {
    guard let key = keys.key(value, in: core) else { return [] }
    let term = TermShape(
      kind: kind, key: key, columns: key.columns, value: .none, collation: key.collation, clause: clause,
      indexCondition: indexCondition(condition), range: condition.range)
    return [(key.source, term)]
  }

  private func truth(
    _ value: SQLExpression, isNegated: Bool, whole: SQLExpression? = nil
  ) -> [(source: Int, shape: TermShape)] {
    guard case .column = value.kind else { return [] }
    return single(whole ?? value, value, .truth(isNegated: isNegated))
  }

  /// Returns a term for a side of a comparison, if the side is a key and the other side doesn't depend on the same
  /// source.
  private func compared(
    _ condition: SQLExpression, _ side: SQLExpression, _ others: [SQLExpression], _ kind: TermShape.Kind,
    collation: String
  ) -> [(Int, TermShape)] {
    guard let key = keys.key(side, in: core) else { return [] }
    let reads = others.map { keys.dependencies(of: $0, in: core) }
    let sources = reads.reduce(into: Set<Int>()) { $0.formUnion($1.sources) }
    var term = TermShape(
      kind: kind, key: key, columns: key.columns, value: .expression, parameters: reads.flatMap(\.parameters),
      collation: collation, clause: clause, range: condition.range)
    // Two columns of the same row can only be compared row by row.
    guard !sources.contains(key.source) else { return [] }
    if !sources.isEmpty {
      term.value = .sources(sources)
      if others.count == 1 { term.joinedTo = keys.key(others[0], in: core) }
    } else if let select = others.lazy.compactMap({ $0.unwrapped.subquery }).first {
      term.value = value(of: select)
    } else {
      let outer = reads.reduce(into: Set<Int>()) { $0.formUnion($1.outerSources) }
      if !outer.isEmpty {
        term.value = .outer(outer)
      } else if others.count == 1 {
        term.value = constant(others[0])
      }
    }
    if others.allSatisfy({ Self.isLiteral($0) }) { term.indexCondition = indexCondition(condition) }
    return [(key.source, term)]
  }

  /// Returns a condition that no index serves, for each source that it reads.
  private func others(_ condition: SQLExpression) -> [(source: Int, shape: TermShape)] {
    let reads = keys.dependencies(of: condition, in: core)
    guard reads.sources.count == 1, let source = reads.sources.first else { return [] }
    let isAround = !reads.subqueries.isEmpty
    let columns = isAround ? keys.columns(of: source, within: condition.range) : keys.columns(of: source, in: condition)
    var term = TermShape(
      kind: .other, key: nil, columns: columns, value: columns.count > 1 ? .sameSource : .expression,
      parameters: reads.parameters, collation: "BINARY", clause: clause, indexCondition: indexCondition(condition),
      range: condition.range)
    if let select = reads.subqueries.first { term.value = value(of: select) }
    return [(source, term)]
  }

  // MARK: Values

  private func value(of select: SQLSelect) -> TermShape.Value {
    let cores = select.cores.compactMap { resolved.core($0.id) }
    return .subquery(core: select.cores[0].id, isCorrelated: cores.contains { !$0.outerSources.isEmpty })
  }

  private func constant(_ expression: SQLExpression) -> TermShape.Value {
    switch expression.unwrapped.kind {
    case .literal(let literal): .literal(literal, sql: resolved.statement.sql(expression.unwrapped.range))
    case .parameter(let number): .parameter(number)
    case .unary(.minus, let inner):
      if case .literal(let literal) = inner.unwrapped.kind {
        .literal(literal, sql: resolved.statement.sql(expression.unwrapped.range))
      } else {
        .expression
      }
    case .column where resolved.meaning(of: expression.unwrapped) == .string:
      .literal(.string, sql: resolved.statement.sql(expression.unwrapped.range))
    default: .expression
    }
  }

  private static func isLiteral(_ expression: SQLExpression) -> Bool {
    switch expression.unwrapped.kind {
    case .literal(let literal): literal != .currentTime
    case .unary(.minus, let inner), .unary(.plus, let inner): isLiteral(inner)
    default: false
    }
  }

  /// Returns the collation of a comparison: an explicit one, first of the left side, otherwise that of a column.
  private func collation(of left: SQLExpression, _ right: SQLExpression) -> String {
    named(left) ?? named(right) ?? keys.collation(ofColumnIn: left) ?? keys.collation(ofColumnIn: right) ?? "BINARY"
  }

  private func named(_ expression: SQLExpression) -> String? {
    guard case .collate(_, let name) = expression.unwrapped.kind else { return nil }
    return name.text
  }

  /// Returns a condition in the spelling of a partial index, if it depends on one source's columns and literals only.
  private func indexCondition(_ condition: SQLExpression) -> String? {
    keys.conditionSQL(condition, in: core)
  }
}

extension TermShape {
  fileprivate var hasLiteral: Bool {
    if case .literal = value { true } else { false }
  }
}
