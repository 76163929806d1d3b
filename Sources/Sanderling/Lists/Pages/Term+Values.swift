extension SelectStatement {
  /// The statement without its compared values. Two queries of one form have the same.
  var withoutComparedValues: SelectStatement {
    var form = self
    form.condition = condition?.withoutValues
    form.groupCondition = groupCondition?.withoutValues
    if case .raw(let fragments, let type) = source { form.source = .raw(fragments.map(\.withoutValue), type) }
    return form
  }
}

extension Term {
  fileprivate var withoutValues: Term {
    switch self {
    case .column, .literal, .invalid: return self
    case .constant: return .constant(.null)
    case .unary(let op, let operand): return .unary(op, operand.withoutValues)
    case .binary(let op, let lhs, let rhs): return .binary(op, lhs.withoutValues, rhs.withoutValues)
    // Another number of members makes other SQL, and no members make a constant. So all get one member.
    case .membership(let operand, _): return .membership(operand.withoutValues, Members([.integer(0)]))
    case .subquery(let operand, let subquery):
      return .subquery(operand.withoutValues, Subquery(statement: subquery.statement.withoutComparedValues))
    case .prefix(let operand, _): return .prefix(operand.withoutValues, "a")
    case .function(let function, let arguments): return .function(function, arguments.map(\.withoutValues))
    case .collate(let operand, let collation): return .collate(operand.withoutValues, collation)
    case .aggregate(let aggregate):
      var rows = aggregate.rows
      rows.condition = rows.condition?.withoutValues
      return .aggregate(
        AggregateTerm(function: aggregate.function, argument: aggregate.argument?.withoutValues, rows: rows))
    case .summary(let function, let argument): return .summary(function, argument?.withoutValues)
    case .raw(let fragments): return .raw(fragments.map(\.withoutValue))
    }
  }
}

extension RawFragment {
  fileprivate var withoutValue: RawFragment {
    switch self {
    case .sql, .tree, .invalid: self
    case .value: .value(.null)
    case .term(let term): .term(term.withoutValues)
    case .query(let query): .query(query.withoutComparedValues)
    }
  }
}
