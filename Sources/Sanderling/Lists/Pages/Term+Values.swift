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
    case .constant: .constant(.null)
    // Another number of members makes other SQL, and no members make a constant. So all get one member.
    case .membership(let operand, _): .membership(operand.withoutValues, Members([.integer(0)]))
    case .subquery(let operand, let subquery):
      .subquery(operand.withoutValues, Subquery(statement: subquery.statement.withoutComparedValues))
    case .prefix(let operand, _): .prefix(operand.withoutValues, "a")
    case .raw(let fragments): .raw(fragments.map(\.withoutValue))
    default: mapParts(\.withoutValues)
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
