/// Conditions in disjunctive normal form, as far as rows can be looked up by them.
///
/// Every row for which a condition is true satisfies one of its branches. The reverse doesn't hold, since some
/// conditions can't be looked up and are left out.
extension Term {
  /// The most branches of a condition. With more, a part of the condition is left out.
  static let maximumBranchCount = 32
  /// The most members of a list. Longer lists are left out.
  static let maximumMemberCount = 100_000

  /// The branches of the term as a WHERE clause; empty when no row can satisfy it.
  var routeBranches: [RouteBranch] { asCondition.branches(isNegated: false) }

  /// - Parameter isNegated: Whether the branches are those of rows for which the condition is false.
  private func branches(isNegated: Bool) -> [RouteBranch] {
    switch self {
    case .unary(.not, let operand):
      return operand.asCondition.branches(isNegated: !isNegated)
    case .binary(.and, let lhs, let rhs), .binary(.or, let lhs, let rhs):
      let left = lhs.asCondition.branches(isNegated: isNegated)
      let right = rhs.asCondition.branches(isNegated: isNegated)
      // By De Morgan's laws, which also hold with three truth values.
      return isConjunction(isNegated: isNegated) ? Self.conjunction(left, right) : Self.disjunction(left, right)
    case .binary(let op, let lhs, let rhs) where op.isComparison:
      return Self.comparison(isNegated ? op.opposite : op, lhs, rhs)
    case .unary(.isNull, let operand) where !isNegated, .unary(.isNotNull, let operand) where isNegated:
      return Self.comparison(.is, operand, .constant(.null))
    case .membership(let operand, let members) where !isNegated:
      return operand.branches(among: members)
    case .prefix:
      return asWritten.branches(isNegated: isNegated)
    case .collate(let operand, _):
      // A collated column is true when it is not 0. Only a bare column is compared with 1.
      if case .column = operand { return [.always] }
      return operand.branches(isNegated: isNegated)
    case .constant, .literal:
      guard let value = constantValue, let truth = try? value.asReal() else { return [.always] }
      return value.isNull || (truth != 0) == isNegated ? [] : [.always]
    default:
      return [.always]
    }
  }

  private func isConjunction(isNegated: Bool) -> Bool {
    if case .binary(.and, _, _) = self { !isNegated } else { isNegated }
  }

  private static func conjunction(_ lhs: [RouteBranch], _ rhs: [RouteBranch]) -> [RouteBranch] {
    guard lhs.count * rhs.count <= maximumBranchCount else {
      return specificity(of: lhs) >= specificity(of: rhs) ? lhs : rhs
    }
    return lhs.flatMap { left in rhs.compactMap { left.conjoined(with: $0) } }
  }

  /// The selectivity of the branches: first the equalities of the branch with the fewest, then its ranges, then the
  /// number of branches.
  private static func specificity(of branches: [RouteBranch]) -> (Int, Int, Int) {
    let least = branches.map { ($0.equalities.count, $0.ranges.count) }.min { $0 < $1 }
    return (least?.0 ?? .max, least?.1 ?? .max, -branches.count)
  }

  private static func disjunction(_ lhs: [RouteBranch], _ rhs: [RouteBranch]) -> [RouteBranch] {
    var result = lhs
    for branch in rhs {
      let union = result.indices.lazy.compactMap { index in
        result[index].united(with: branch).map { (index, $0) }
      }.first
      if let (index, union) = union { result[index] = union } else { result.append(branch) }
    }
    let isUsable = result.count <= maximumBranchCount && !result.contains(where: \.isAlways)
    return isUsable ? result : [.always]
  }

  // MARK: Comparisons

  private static func comparison(_ op: BinaryOperator, _ lhs: Term, _ rhs: Term) -> [RouteBranch] {
    let rule = ComparisonRule(lhs, rhs)
    if let column = RouteColumn(lhs, collation: rule.collation), let constant = rhs.constantValue {
      return comparison(op, column, constant, rule)
    }
    if let column = RouteColumn(rhs, collation: rule.collation), let constant = lhs.constantValue {
      return comparison(op.mirrored, column, constant, rule)
    }
    return [.always]
  }

  private static func comparison(
    _ op: BinaryOperator, _ column: RouteColumn, _ constant: StorageValue, _ rule: ComparisonRule
  ) -> [RouteBranch] {
    // Only IS and IS NOT can be true for NULL.
    if constant.isNull, op != .is, op != .isNot { return [] }
    guard let value = try? rule.converted(constant) else { return [.always] }
    if op == .equal || op == .is {
      return [RouteBranch(column, keys: [SQLiteComparison.equalityKey(value, collation: column.collation)])]
    }
    return [RouteRange(op, value).map { RouteBranch(column, in: $0) } ?? .always]
  }

  private func branches(among members: Members) -> [RouteBranch] {
    let rule = ComparisonRule(memberOf: self)
    guard members.values.count <= Self.maximumMemberCount, let column = RouteColumn(self, collation: rule.collation)
    else { return members.values.isEmpty ? [] : [.always] }
    var keys: Set<StorageValue> = []
    for member in members.values where !member.isNull {
      guard let value = try? rule.converted(member) else { return [.always] }
      keys.insert(SQLiteComparison.equalityKey(value, collation: rule.collation))
    }
    return keys.isEmpty ? [] : [RouteBranch(column, keys: keys)]
  }

  /// The value of a constant term, in any notation; nil for other terms, and for values that can't be stored.
  private var constantValue: StorageValue? {
    switch self {
    case .constant, .literal: try? PreparedTerm(self).value(in: NoColumns())
    case .unary(.negate, let operand) where operand.constantValue != nil:
      try? PreparedTerm(self).value(in: NoColumns())
    case .collate(let operand, _): operand.constantValue
    default: nil
    }
  }
}

/// The context of terms without columns.
private struct NoColumns: EvaluationContext {
  func value(of column: ColumnTerm) throws -> StorageValue {
    throw EvaluationError.needsDatabase("a constant has no columns")
  }
}

extension BinaryOperator {
  /// The comparison that is true where this one is false.
  fileprivate var opposite: BinaryOperator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .less: .greaterOrEqual
    case .lessOrEqual: .greater
    case .greater: .lessOrEqual
    case .greaterOrEqual: .less
    case .is: .isNot
    case .isNot: .is
    default: preconditionFailure("\(rawValue) is no comparison")
    }
  }

  /// The equivalent comparison with exchanged sides.
  fileprivate var mirrored: BinaryOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}
