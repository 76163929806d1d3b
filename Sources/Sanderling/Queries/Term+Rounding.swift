extension Term {
  /// Whether the order in which SQLite visits rows may decide the value, so that two plans may give two values.
  ///
  /// Sums of doubles round: see ``SummationBound``. A minimum or maximum is any of the texts that its collation takes for
  /// equal.
  var dependsOnVisits: Bool {
    switch self {
    case .summary(.average, _): true
    case .summary(.minimum, let argument?), .summary(.maximum, let argument?):
      argument.dependsOnVisits || argument.mayTie
    case .summary(.sum, let argument?) where !argument.isOfIntegers: true
    case .aggregate(let aggregate): aggregate.dependsOnVisits
    case .subquery(let operand, let subquery):
      operand.dependsOnVisits || subquery.statement.terms.contains(where: \.dependsOnVisits)
    default: operands.contains(where: \.dependsOnVisits)
    }
  }

  /// Whether a collation takes different texts of the term for equal.
  fileprivate var mayTie: Bool { comparisonCollation ?? .binary != .binary }

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
  fileprivate var dependsOnVisits: Bool {
    switch function {
    case .average: return true
    case .sum where !isOfIntegers: return true
    case .minimum where argument?.mayTie == true, .maximum where argument?.mayTie == true: return true
    default: break
    }
    return [argument, rows.fullCondition, rows.association.recursion?.step].contains { $0?.dependsOnVisits ?? false }
  }

  fileprivate var isOfIntegers: Bool {
    switch function {
    case .count, .countDistinct, .exists: true
    case .sum, .minimum, .maximum: argument?.isOfIntegers ?? true
    case .average, .joined: false
    }
  }
}
