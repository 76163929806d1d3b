/// The arithmetic of SQLite.
///
/// See [Operators](https://www.sqlite.org/lang_expr.html#operators_and_parse_affecting_attributes).
extension BinaryOperator {
  /// The result of an arithmetic operator. NULL if an operand is NULL, and for a division by zero.
  ///
  /// - Precondition: The operator is one of `+ - * / %`.
  func calculate(_ lhs: StorageValue, _ rhs: StorageValue) throws -> StorageValue {
    if case .integer(let left) = try lhs.asOperand(), case .integer(let right) = try rhs.asOperand() {
      switch calculate(left, right) {
      case .result(let result): return .integer(result)
      case .divisionByZero: return .null
      case .overflow: break
      }
    }
    if lhs.isNull || rhs.isNull { return .null }
    return try calculateReal(lhs, rhs)
  }

  private enum IntegerResult {
    case result(Int64)
    case divisionByZero
    /// The calculation is repeated with reals.
    case overflow
  }

  private func calculate(_ lhs: Int64, _ rhs: Int64) -> IntegerResult {
    let (result, overflow): (Int64, Bool)
    switch self {
    case .add: (result, overflow) = lhs.addingReportingOverflow(rhs)
    case .subtract: (result, overflow) = lhs.subtractingReportingOverflow(rhs)
    case .multiply: (result, overflow) = lhs.multipliedReportingOverflow(by: rhs)
    case .divide where rhs != 0: (result, overflow) = lhs.dividedReportingOverflow(by: rhs)
    case .remainder where rhs != 0: return .result(Self.remainder(lhs, rhs))
    case .divide, .remainder: return .divisionByZero
    default: preconditionFailure("\(rawValue) is no arithmetic operator")
    }
    return overflow ? .overflow : .result(result)
  }

  private func calculateReal(_ lhs: StorageValue, _ rhs: StorageValue) throws -> StorageValue {
    let result: Double
    switch self {
    case .add: result = try lhs.asReal() + rhs.asReal()
    case .subtract: result = try lhs.asReal() - rhs.asReal()
    case .multiply: result = try lhs.asReal() * rhs.asReal()
    case .divide:
      let divisor = try rhs.asReal()
      if divisor == 0 { return .null }
      result = try lhs.asReal() / divisor
    case .remainder:
      // SQLite takes the remainder of integers even for real operands, and returns a real then.
      let divisor = try rhs.asInteger()
      if divisor == 0 { return .null }
      result = Double(Self.remainder(try lhs.asInteger(), divisor))
    default: preconditionFailure("\(rawValue) is no arithmetic operator")
    }
    // SQLite has no NaN: infinity minus infinity is NULL.
    return result.isNaN ? .null : .real(result)
  }

  /// The remainder. Swift traps for the remainder of the least integer and -1, which is 0.
  private static func remainder(_ lhs: Int64, _ rhs: Int64) -> Int64 {
    rhs == -1 ? 0 : lhs % rhs
  }
}
