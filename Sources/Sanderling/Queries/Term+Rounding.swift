extension Term {
  /// Whether the term adds doubles, so that two plans of SQLite may give two values: see ``SummationBound``.
  var addsDoubles: Bool {
    switch self {
    case .summary(.average, _): true
    case .summary(.sum, let argument?) where !argument.isOfIntegers: true
    case .aggregate(let aggregate): aggregate.addsDoubles
    case .subquery(let operand, let subquery):
      operand.addsDoubles || subquery.statement.terms.contains(where: \.addsDoubles)
    default: operands.contains(where: \.addsDoubles)
    }
  }

  /// Whether all values of the term are certainly integers or NULL.
  fileprivate var isOfIntegers: Bool {
    switch self {
    case .column(let column): column.definition.type == .integer
    case .constant(let value), .literal(let value):
      switch value {
      case .integer, .null: true
      default: false
      }
    case .aggregate(let aggregate): aggregate.isOfIntegers
    case .binary(let op, let lhs, let rhs):
      switch op {
      // SQLite calculates with reals where the result has more than 64 bits.
      case .concatenate, .add, .subtract, .multiply, .divide: false
      case .remainder: lhs.isOfIntegers && rhs.isOfIntegers
      default: true
      }
    case .unary(.negate, _): false
    case .unary, .function(.length, _), .function(.position, _), .function(.day, _): true
    case .membership, .prefix, .subquery: true
    case .function(.when, let operands): operands.last?.isOfIntegers ?? false
    case .function(.coalesce, let operands), .function(.absolute, let operands):
      operands.allSatisfy(\.isOfIntegers)
    default: false
    }
  }
}

extension AggregateTerm {
  fileprivate var addsDoubles: Bool {
    if function == .average || function == .sum && !isOfIntegers { return true }
    return [argument, rows.fullCondition, rows.association.recursion?.step].contains { $0?.addsDoubles ?? false }
  }

  fileprivate var isOfIntegers: Bool {
    switch function {
    case .count, .countDistinct, .exists: true
    case .sum, .minimum, .maximum: argument?.isOfIntegers ?? true
    case .average, .joined: false
    }
  }
}
