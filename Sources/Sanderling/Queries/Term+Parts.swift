extension Term {
  /// The same operation with each part transformed: its operands, and the argument and condition of an aggregate. The
  /// queries inside the term stay as they are.
  package func mapParts(_ transform: (Term) -> Term) -> Term {
    switch self {
    case .column, .constant, .literal, .invalid: return self
    case .unary(let op, let operand): return .unary(op, transform(operand))
    case .binary(let op, let lhs, let rhs): return .binary(op, transform(lhs), transform(rhs))
    case .membership(let operand, let members): return .membership(transform(operand), members)
    case .subquery(let operand, let subquery): return .subquery(transform(operand), subquery)
    case .prefix(let operand, let text): return .prefix(transform(operand), text)
    case .function(let function, let arguments): return .function(function, arguments.map(transform))
    case .collate(let operand, let collation): return .collate(transform(operand), collation)
    case .aggregate(let aggregate):
      var rows = aggregate.rows
      rows.condition = rows.condition.map(transform)
      return .aggregate(
        AggregateTerm(function: aggregate.function, argument: aggregate.argument.map(transform), rows: rows))
    case .summary(let function, let argument): return .summary(function, argument.map(transform))
    case .raw(let fragments):
      return .raw(fragments.map { if case .term(let term) = $0 { .term(transform(term)) } else { $0 } })
    }
  }
}
