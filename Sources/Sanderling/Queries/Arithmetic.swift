/// SQLite calculates with 64-bit integers and doubles. An integer result that doesn't fit becomes a real in SQLite, and so
/// an error when it is read as an integer; a division by zero is NULL, and so is anything calculated with NULL.
extension Field where Value: ArithmeticColumnValue {
  /// The sum.
  public static func + (lhs: Field, rhs: Field) -> Field { calculation(.add, lhs.term, rhs.term, lhs) }
  /// The sum.
  public static func + (lhs: Field, rhs: Value) -> Field { calculation(.add, lhs.term, lhs.constant(rhs), lhs) }
  /// The difference.
  public static func - (lhs: Field, rhs: Field) -> Field { calculation(.subtract, lhs.term, rhs.term, lhs) }
  /// The difference.
  public static func - (lhs: Field, rhs: Value) -> Field { calculation(.subtract, lhs.term, lhs.constant(rhs), lhs) }
  /// The difference.
  public static func - (lhs: Value, rhs: Field) -> Field { calculation(.subtract, rhs.constant(lhs), rhs.term, rhs) }
  /// The product.
  public static func * (lhs: Field, rhs: Field) -> Field { calculation(.multiply, lhs.term, rhs.term, lhs) }
  /// The product.
  public static func * (lhs: Field, rhs: Value) -> Field { calculation(.multiply, lhs.term, lhs.constant(rhs), lhs) }

  /// The quotient; NULL where the divisor is 0. Integers are divided without a remainder.
  public static func / (lhs: Field, rhs: Field) -> Field<Value.Quotient> { quotient(.divide, lhs.term, rhs.term) }
  /// The quotient; NULL where the divisor is 0. Integers are divided without a remainder.
  public static func / (lhs: Field, rhs: Value) -> Field<Value.Quotient> {
    quotient(.divide, lhs.term, lhs.constant(rhs))
  }

  /// The remainder of the division of integers, with the sign of the dividend. SQLite cuts reals to integers first.
  public static func % (lhs: Field, rhs: Field) -> Field<Value.Quotient> { quotient(.remainder, lhs.term, rhs.term) }

  /// The remainder of the division of integers, with the sign of the dividend. SQLite cuts reals to integers first.
  public static func % (lhs: Field, rhs: Value) -> Field<Value.Quotient> {
    quotient(.remainder, lhs.term, lhs.constant(rhs))
  }

  /// The value with the other sign.
  public static prefix func - (operand: Field) -> Field {
    Field(.unary(.negate, operand.term), coding: operand.coding)
  }

  /// The value without its sign.
  public var magnitude: Field {
    Field(.function(.absolute, [term]), coding: coding)
  }

  private static func calculation(_ op: BinaryOperator, _ lhs: Term, _ rhs: Term, _ model: Field) -> Field {
    Field(.binary(op, lhs, rhs), coding: model.coding)
  }

  private static func quotient(_ op: BinaryOperator, _ lhs: Term, _ rhs: Term) -> Field<Value.Quotient> {
    Field<Value.Quotient>(.binary(op, lhs, rhs), as: Value.Quotient.self)
  }
}

extension Field where Value: NumericColumnValue & BinaryFloatingPoint {
  /// The value rounded to a number of decimal places, halves away from zero.
  public func rounded(toPlaces places: Int = 0) -> Field {
    Field(.function(.round, [term, .literal(.integer(Int64(places)))]), coding: coding)
  }
}

/// The value, or another where it is NULL.
public func ?? <Value>(field: Field<Value?>, defaultValue: Value) -> Field<Value> {
  // The default is stored as the field's own coding stores it.
  let defaultTerm = field.constant(defaultValue)
  return Field(.coalesce(field.term, defaultTerm), coding: field.coding.unwrapped(as: Value.self))
}

/// The value, or another where it is NULL.
public func ?? <Value>(field: Field<Value?>, defaultValue: Field<Value>) -> Field<Value> {
  Field(.coalesce(field.term, defaultValue.term), coding: defaultValue.coding)
}

extension Term {
  /// The first of the terms that is not NULL. `a ?? b ?? c` is one call: SQLite's parser takes few calls inside of calls.
  fileprivate static func coalesce(_ first: Term, _ second: Term) -> Term {
    guard case .function(.coalesce, let others) = second, others.count < Function.maximumArgumentCount else {
      return .function(.coalesce, [first, second])
    }
    // A sum that is 0 without rows stays whole: live results know it by its form.
    switch others[0] {
    case .aggregate, .summary: return .function(.coalesce, [first, second])
    default: return .function(.coalesce, [first] + others)
    }
  }
}
