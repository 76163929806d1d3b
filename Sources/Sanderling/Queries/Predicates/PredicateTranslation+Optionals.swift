import Foundation

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let wrapped = try translation.operand(wrapped)
    if case .constant(nil) = wrapped { return .constant(nil) }
    let result = try translation.binding(variable, to: wrapped.unwrapped).operand(transform)
    guard let (isNil, isPart) = wrapped.absence else { return result }
    switch result {
    case .row(var row):
      row.isOptional = true
      return .row(row)
    case .rows, .range, .each, .list: return result
    case .constant(is Bool), .truth:
      let truth = try result.truth()
      func guarded(_ term: Term) -> Term {
        term.fails(without: isPart) ? term : PredicateTruth.constant(true).isTrue == term ? !isNil : !isNil && term
      }
      return .truth(
        PredicateTruth(
          isTrue: guarded(truth.isTrue), isNil: truth.isNil.map { isNil || $0 } ?? isNil, isKnown: false
        ) { guarded(truth.isFalse) })
    case .constant, .value:
      var value = try result.value()
      if !value.term.isNull(without: isPart) { value.term = .function(.when, [!isNil, value.term]) }
      value.mayBeNil = true
      return .value(value)
    }
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let (first, second) = try (translation.operand(lhs), translation.operand(rhs))
    if case .constant(let value) = first { return value == nil ? second : first }
    if Output.self == Bool.self { return .truth(try first.truth().replacingNil(by: second.truth())) }
    let (value, other) = try (first.value(like: second), second.value(like: first))
    guard value.mayBeNil else { return .value(value) }
    try value.requireForm(of: other)
    var result = value
    result.term = .coalesce(value.term, other.term)
    result.mayBeNil = other.mayBeNil
    result.mayBeNaN = value.mayBeNaN || other.mayBeNaN
    return .value(result)
  }
}

/// Foundation throws an error for nil. In SQL, neither the condition nor its negation holds for the row.
extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let wrapped = try translation.operand(inner)
    if case .constant(nil) = wrapped { throw PredicateObstacle("it unwraps nil by !") }
    return wrapped.unwrapped
  }
}

extension PredicateOperand {
  /// The operand where it isn't nil.
  fileprivate var unwrapped: PredicateOperand {
    switch self {
    case .value(var value):
      value.mayBeNil = false
      return .value(value)
    case .row(var row):
      row.isOptional = false
      return .row(row)
    case .truth(let truth):
      return .truth(PredicateTruth(isTrue: truth.isTrue, isKnown: truth.isKnown) { truth.isFalse })
    default: return self
    }
  }

  /// The condition that the operand is nil, and whether a term is a part of the operand and so NULL with it; nil if the
  /// operand is never nil.
  fileprivate var absence: (isNil: Term, isPart: (Term) -> Bool)? {
    switch self {
    case .value(let value) where value.mayBeNil: return (.unary(.isNull, value.term), { $0 == value.term })
    case .row(let row) where row.isOptional:
      return (
        row.isMissing,
        { term in
          guard case .column(let column) = term else { return false }
          return column.scope.level == row.scope.level && column.scope.path.starts(with: row.scope.path)
        }
      )
    case .truth(let truth): return truth.isNil.map { ($0, { _ in false }) }
    default: return nil
    }
  }
}

extension Term {
  /// Whether the term is NULL where the parts of an operand are.
  fileprivate func isNull(without isPart: (Term) -> Bool) -> Bool {
    if isPart(self) { return true }
    switch self {
    case .binary(let op, let lhs, let rhs):
      if [.is, .isNot, .and, .or].contains(op) { return false }
      return lhs.isNull(without: isPart) || rhs.isNull(without: isPart)
    case .unary(.not, let operand), .unary(.negate, let operand), .prefix(let operand, _), .collate(let operand, _):
      return operand.isNull(without: isPart)
    case .function(let function, let operands):
      if [.coalesce, .when, .matches, .relevance, .day].contains(function) { return false }
      return operands.contains { $0.isNull(without: isPart) }
    default: return false
    }
  }

  /// Whether the condition doesn't hold where the parts of an operand are NULL.
  fileprivate func fails(without isPart: (Term) -> Bool) -> Bool {
    if isNull(without: isPart) { return true }
    return switch self {
    case .binary(.and, let lhs, let rhs): lhs.fails(without: isPart) || rhs.fails(without: isPart)
    case .binary(.or, let lhs, let rhs): lhs.fails(without: isPart) && rhs.fails(without: isPart)
    case .unary(.isNotNull, let operand), .membership(let operand, _): operand.isNull(without: isPart)
    case .literal(.integer(0)): true
    case .aggregate(let aggregate) where aggregate.function == .exists && aggregate.rows.association.recursion == nil:
      aggregate.rows.association.firstColumns.contains { pair in
        let owner = aggregate.rows.association.origin
        return isPart(.column(ColumnTerm(scope: aggregate.rows.origin, owner: owner, index: pair.origin)))
      }
    default: false
    }
  }
}
