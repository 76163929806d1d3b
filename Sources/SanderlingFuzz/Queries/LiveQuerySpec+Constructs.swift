import Sanderling

extension LiveQuerySpec {
  /// The elements that the query contains.
  var constructs: Set<Construct> {
    switch form {
    case .raw: return [.rawQuery]
    case .key: return [.recordByKey]
    case .rows, .count, .value: break
    }
    var found = statement.constructs
    switch reading {
    case .stored: break
    case .typed(let output): found.insert(output is any FuzzRecord.Type ? .records : .projection)
    case .prefetched(let prefetch):
      found.insert(.prefetch)
      if prefetch.shape.isNested { found.insert(.nestedPrefetch) }
      if prefetch.parts.contains(where: { $0.limit != nil }) { found.insert(.limitedPrefetch) }
    }
    if record.table.isView { found.insert(.view) }
    switch form {
    case .rows:
      found.insert(.rows)
      if window <= 5 { found.insert(.smallWindow) }
    case .count: found.insert(.countOfRows)
    case .value where !(statement.isGrouped && statement.groups.isEmpty): found.insert(.firstRow)
    case .value, .key, .raw: break
    }
    return found
  }
}

extension LiveQuerySpec {
  /// Whether the query reads relevance, or orders rows by it.
  var readsRelevance: Bool {
    (statement.columns + statement.orderings.map(\.term)).contains(where: \.readsRelevance)
  }
}

extension SelectStatement {
  fileprivate var constructs: Set<Construct> {
    var collector = ConstructCollector()
    if case .raw = source { collector.found.insert(.rawSource) }
    if let condition { collector.visit(condition.asCondition, in: .condition) }
    for column in columns { collector.visit(column, in: .output) }
    for group in groups { collector.visit(group, in: .output) }
    if groups.contains(where: \.isFold) { collector.found.insert(.groupedByFold) }
    collector.visit(orderings)
    if let groupCondition {
      collector.found.insert(.having)
      collector.visit(groupCondition, in: .output)
    }
    if let limit { collector.found.insert(limit == 0 ? .emptyLimit : .limit) }
    if offset > 0 { collector.found.insert(.offset) }
    if isDistinct { collector.found.insert(.distinct) }
    if isGrouped { collector.visitSummaries(columns, isGrouped: !groups.isEmpty) }
    return collector.found
  }
}

/// Finds the constructs in terms.
private struct ConstructCollector {
  enum Part {
    case condition, ordering, output
  }

  var found: Set<Construct> = []
  /// The number of aggregates around the term.
  private var depth = 0

  mutating func visit(_ orderings: [Ordering]) {
    if orderings.isEmpty { found.insert(.unordered) }
    if orderings.count > 1 { found.insert(.severalKeys) }
    for ordering in orderings {
      if ordering.isDescending { found.insert(.descending) }
      if ordering.nulls == .first { found.insert(.nullsFirst) }
      if ordering.nulls == .last { found.insert(.nullsLast) }
      if ordering.term.isFold {
        found.insert(.orderedByFold)
      } else if case .function(.relevance, _) = ordering.term {
        found.insert(.orderedByRelevance)
      } else if case .column(let column) = ordering.term {
        if column.definition.type == .text { found.insert(.orderedByText) }
      } else {
        found.insert(.orderedByExpression)
      }
      if ordering.term.containsAggregate { found.insert(.orderedByAggregate) }
      visit(ordering.term, in: .ordering)
    }
  }

  mutating func visitSummaries(_ columns: [Term], isGrouped: Bool) {
    for column in columns { visitSummary(column, isGrouped) }
  }

  private mutating func visitSummary(_ term: Term, _ isGrouped: Bool) {
    if case .summary(let function, _) = term {
      switch function {
      case .count, .countDistinct, .exists: found.insert(isGrouped ? .groupedCount : .summaryCount)
      case .sum: found.insert(isGrouped ? .groupedSum : .summarySum)
      case .minimum: found.insert(isGrouped ? .groupedOther : .summaryMinimum)
      case .maximum: found.insert(isGrouped ? .groupedOther : .summaryMaximum)
      case .average: found.insert(isGrouped ? .groupedOther : .summaryAverage)
      case .joined: break
      }
    }
    for operand in term.operands { visitSummary(operand, isGrouped) }
  }

  mutating func visit(_ term: Term, in part: Part) {
    visitFold(term)
    switch term {
    case .column(let column): visit(column.scope, in: part)
    case .unary(let op, _): visit(op)
    case .binary(let op, let lhs, let rhs): visit(op, lhs, rhs)
    case .membership(_, let members): found.insert(members.values.count > 512 ? .largeMembership : .membership)
    case .subquery: found.insert(.subquery)
    case .prefix: found.insert(.prefix)
    case .collate: if !term.isFold { found.insert(.collate) }
    case .function(let function, let arguments): visit(function, arguments)
    case .raw: found.insert(.rawCondition)
    case .aggregate(let aggregate): return visit(aggregate, in: part)
    case .constant, .literal, .invalid, .summary: break
    }
    for operand in term.operands { visit(operand, in: part) }
  }

  private mutating func visitFold(_ term: Term) {
    switch term {
    case .binary(let op, let lhs, let rhs) where op.isComparison && (lhs.isFold || rhs.isFold):
      found.insert(.foldComparison)
    case .membership(let operand, _) where operand.isFold: found.insert(.foldMembership)
    case .prefix(let operand, _) where operand.isFold: found.insert(.foldPrefix)
    case .function(.position, let operands) where operands[0].isFold: found.insert(.foldContains)
    case _ where term.isFold:
      if depth > 0 { found.insert(.foldInAggregate) }
      if case .collate(.function(_, let operands), _) = term, case .column(let column)? = operands.first,
        !column.scope.path.isEmpty
      {
        found.insert(.foldOfParent)
      }
    default: break
    }
  }

  private mutating func visit(_ scope: _Scope, in part: Part) {
    if scope.level < depth { found.insert(.outerRow) }
    guard !scope.path.isEmpty else { return }
    if scope.level > 0 {
      found.insert(.aggregateOfParents)
    } else {
      switch part {
      case .condition: found.insert(.parentInCondition)
      case .ordering: found.insert(.orderedByParent)
      case .output: found.insert(.parentInOutput)
      }
    }
    if scope.path.count > 1 { found.insert(.grandparent) }
    if scope.path.contains(where: { $0.condition != nil }) { found.insert(.filteredParent) }
    if scope.path.contains(where: { $0.columns.count > 1 }) { found.insert(.compositeParent) }
  }

  private mutating func visit(_ op: UnaryOperator) {
    switch op {
    case .not: found.insert(.not)
    case .negate: found.insert(.negate)
    case .isNull: found.insert(.isNull)
    case .isNotNull: found.insert(.isNotNull)
    }
  }

  private mutating func visit(_ op: BinaryOperator, _ lhs: Term, _ rhs: Term) {
    switch op {
    case .equal: found.insert(.equal)
    case .notEqual: found.insert(.notEqual)
    case .less: found.insert(.less)
    case .lessOrEqual: found.insert(.lessOrEqual)
    case .greater: found.insert(.greater)
    case .greaterOrEqual: found.insert(.greaterOrEqual)
    case .is: found.insert(.is)
    case .isNot: found.insert(.isNot)
    case .and: found.insert(.and)
    case .or: found.insert(.or)
    case .add: found.insert(.add)
    case .subtract: found.insert(.subtract)
    case .multiply: found.insert(.multiply)
    case .divide: found.insert(.divide)
    case .remainder: found.insert(.remainder)
    case .concatenate: found.insert(.concatenate)
    }
    if op.isComparison { visitComparison(op, lhs, rhs) }
  }

  private mutating func visitComparison(_ op: BinaryOperator, _ lhs: Term, _ rhs: Term) {
    if op == .equal, case .column = lhs, rhs == .literal(.integer(1)) { found.insert(.truthColumn) }
    if lhs == .constant(.null) || rhs == .constant(.null) { found.insert(.nullComparison) }
    guard case .column(let column) = lhs else { return }
    if case .column = rhs { found.insert(.columnComparison) }
    if column.definition.type == .text {
      found.insert(column.definition.collation == .nocase ? .nocaseComparison : .textComparison)
    }
  }

  private mutating func visit(_ function: Function, _ arguments: [Term]) {
    switch function {
    case .absolute: found.insert(.absolute)
    case .coalesce: found.insert(.coalesce)
    case .position: found.insert(.contains)
    case .length: found.insert(.length)
    case .lowercased: found.insert(.lowercased)
    case .uppercased: found.insert(.uppercased)
    case .round: found.insert(.round)
    case .when: found.insert(.conditionalSummary)
    case .day: found.insert(.day)
    case .matches: visitSearch(arguments)
    case .folded, .relevance, .jsonPart, .jsonContains: break
    }
  }

  private mutating func visitSearch(_ arguments: [Term]) {
    guard case .literal(.text(let name)) = arguments[0], case .column(let column)? = arguments.last else { return }
    switch SearchKind(rawValue: name) {
    case .words: found.insert(.wordsFound)
    case .substrings: found.insert(.substringsFound)
    case .prefix: found.insert(.prefixFound)
    case nil: break
    }
    if arguments.count > 3 { found.insert(.foundTogether) }
    if depth > 0 { found.insert(.foundInAggregate) }
    if !column.scope.path.isEmpty { found.insert(.foundInParent) }
  }

  private mutating func visit(_ aggregate: AggregateTerm, in part: Part) {
    switch aggregate.function {
    case .count: found.insert(aggregate.rows.condition == nil ? .count : .filteredCount)
    case .countDistinct: found.insert(.countDistinct)
    case .exists: found.insert(.exists)
    case .sum: found.insert(.sum)
    case .minimum: found.insert(.minimum)
    case .maximum: found.insert(.maximum)
    case .average: found.insert(.average)
    case .joined: found.insert(.joined)
    }
    switch part {
    case .condition where depth == 0: found.insert(.aggregateInCondition)
    case .output where depth == 0: found.insert(.aggregateInOutput)
    default: break
    }
    let rows = aggregate.rows
    if depth > 0 { found.insert(.nestedAggregate) }
    if rows.association.recursion != nil { found.insert(.recursive) }
    if !rows.association.way.isEmpty { found.insert(.through) }
    if !rows.origin.path.isEmpty { found.insert(.aggregateOverPath) }
    depth += 1
    if let argument = aggregate.argument { visit(argument, in: part) }
    if let condition = rows.condition { visit(condition, in: part) }
    depth -= 1
  }
}

extension Term {
  /// Whether the term is the fold of a column.
  var isFold: Bool {
    if case .collate(.function(.folded, _), .binary) = self { true } else { false }
  }

  /// Whether the term is, or contains, the relevance of a search, which only an index knows.
  var readsRelevance: Bool {
    if case .function(.relevance, _) = self { return true }
    return operands.contains(where: \.readsRelevance)
  }
}
