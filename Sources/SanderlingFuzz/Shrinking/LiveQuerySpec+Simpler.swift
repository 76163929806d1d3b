import Sanderling

extension LiveQuerySpec {
  /// Versions of the query with a part left out, the greatest parts first.
  var simpler: [LiveQuerySpec] {
    var result: [LiveQuerySpec] = []
    func add(_ change: (inout LiveQuerySpec) -> Void) {
      var other = self
      change(&other)
      result.append(other)
    }
    if case .key = form { return [] }
    if case .raw = form { return window > 1 ? [] : [] }
    if statement.condition != nil { add { $0.statement.condition = nil } }
    if let condition = statement.condition {
      for term in condition.simplerConditions { add { $0.statement.condition = term } }
    }
    for index in statement.orderings.indices { add { $0.statement.orderings.remove(at: index) } }
    for (index, ordering) in statement.orderings.enumerated() {
      if ordering.isDescending || ordering.nulls != nil {
        add { $0.statement.orderings[index] = Ordering(term: ordering.term) }
      }
      for term in ordering.term.simplerValues {
        add {
          $0.statement.orderings[index] = Ordering(
            term: term, isDescending: ordering.isDescending, nulls: ordering.nulls)
        }
      }
    }
    if statement.offset > 0 { add { $0.statement.offset = 0 } }
    if statement.limit != nil { add { ($0.statement.limit, $0.statement.offset) = (nil, 0) } }
    if statement.groupCondition != nil { add { $0.statement.groupCondition = nil } }
    if case .prefetched(let prefetch) = reading {
      for part in prefetch.simpler { add { $0.reading = .prefetched(part) } }
    }
    if case .stored = reading {
      addColumns(add)
    } else if statement.columns.count == record.table.columns.count {
      add { $0.reading = .stored }
    }
    return result
  }

  private func addColumns(_ add: ((inout LiveQuerySpec) -> Void) -> Void) {
    for index in statement.columns.indices where statement.columns.count > 1 {
      add { $0.statement.columns.remove(at: index) }
    }
    for (index, column) in statement.columns.enumerated() {
      for term in column.simplerValues { add { $0.statement.columns[index] = term } }
    }
  }
}

extension PrefetchSpec {
  fileprivate var simpler: [PrefetchSpec] {
    parts.indices.flatMap { index -> [PrefetchSpec] in
      var results: [PrefetchSpec] = []
      func add(_ change: (inout Part) -> Void) {
        var other = self
        change(&other.parts[index])
        results.append(other)
      }
      if let condition = parts[index].condition {
        add { $0.condition = nil }
        for term in condition.simplerConditions { add { $0.condition = term } }
      }
      if !parts[index].orderings.isEmpty { add { $0.orderings = [] } }
      if parts[index].limit != nil { add { $0.limit = nil } }
      return results
    }
  }
}

extension Term {
  /// Terms that can replace a condition.
  fileprivate var simplerConditions: [Term] {
    switch self {
    case .binary(.and, let lhs, let rhs), .binary(.or, let lhs, let rhs):
      return [lhs, rhs] + lhs.simplerConditions.map { with([$0, rhs]) } + rhs.simplerConditions.map { with([lhs, $0]) }
    case .unary(.not, let operand): return [operand] + operand.simplerConditions.map { with([$0]) }
    case .membership(let operand, let members) where members.values.count > 1:
      let half = members.values.count / 2
      return [
        .membership(operand, Members(members.values.prefix(half))),
        .membership(operand, Members(members.values.dropFirst(half))),
      ]
    case .binary(let op, let lhs, let rhs) where op.isComparison:
      return lhs.simplerValues.map { .binary(op, $0, rhs) } + rhs.simplerValues.map { .binary(op, lhs, $0) }
    default: return simplerValues
    }
  }

  /// Terms that can replace a value.
  fileprivate var simplerValues: [Term] {
    switch self {
    case .column, .constant, .literal, .invalid, .raw, .subquery, .prefix, .membership, .aggregate: []
    case .summary: []
    default: operands.filter { if case .constant = $0 { false } else if case .literal = $0 { false } else { true } }
    }
  }

  private func with(_ operands: [Term]) -> Term {
    switch self {
    case .binary(let op, _, _): .binary(op, operands[0], operands[1])
    case .unary(let op, _): .unary(op, operands[0])
    default: self
    }
  }
}
