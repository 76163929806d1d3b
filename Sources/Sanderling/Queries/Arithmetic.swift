/// Arithmetic in SQL, with SQLite's 64-bit integers and doubles.
///
/// An integer result that doesn't fit becomes a real in SQLite, and reading it as an integer fails. A division by zero
/// is NULL, as is any calculation with NULL.
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

  /// The quotient; NULL if the divisor is 0. The division of integers drops the remainder.
  public static func / (lhs: Field, rhs: Field) -> Field<Value.Quotient> { quotient(.divide, lhs.term, rhs.term) }
  /// The quotient; NULL if the divisor is 0. The division of integers drops the remainder.
  public static func / (lhs: Field, rhs: Value) -> Field<Value.Quotient> {
    quotient(.divide, lhs.term, lhs.constant(rhs))
  }

  /// The remainder of the division of integers, with the sign of the dividend. SQLite first truncates reals to
  /// integers.
  public static func % (lhs: Field, rhs: Field) -> Field<Value.Quotient> { quotient(.remainder, lhs.term, rhs.term) }

  /// The remainder of the division of integers, with the sign of the dividend. SQLite first truncates reals to
  /// integers.
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

/// The value, or a default if the value is NULL.
public func ?? <Value>(field: Field<Value?>, defaultValue: Value) -> Field<Value> {
  // The field's coding also encodes the default.
  let defaultTerm = field.constant(defaultValue)
  return Field(.coalesce(field.term, defaultTerm), coding: field.coding.unwrapped(as: Value.self))
}

/// The value, or a default if the value is NULL.
public func ?? <Value>(field: Field<Value?>, defaultValue: Field<Value>) -> Field<Value> {
  Field(.coalesce(field.term, defaultValue.term), coding: defaultValue.coding)
}

extension Term {
  /// The first of two terms that isn't NULL. `a ?? b ?? c` becomes a single call, because SQLite's parser limits the
  /// nesting of calls.
  static func coalesce(_ first: Term, _ second: Term) -> Term {
    guard case .function(.coalesce, let others) = second, others.count < Function.maximumArgumentCount else {
      return .function(.coalesce, [first, second])
    }
    // A sum that is 0 without rows keeps its own call, since live results recognize it by that form.
    switch others[0] {
    case .aggregate, .summary: return .function(.coalesce, [first, second])
    default: return .function(.coalesce, [first] + others)
    }
  }
}
