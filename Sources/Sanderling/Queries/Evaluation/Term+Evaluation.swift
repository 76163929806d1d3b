typealias Evaluation = @Sendable (any EvaluationContext) throws -> StorageValue

/// Prepares terms as closures. Each case here corresponds to a case of ``SQLCompiler``, and computes the result of its
/// SQL.
extension Term {
  /// Returns the term as a closure.
  ///
  /// - Parameter isDecision: Whether a WHERE clause asks only if the term is true. SQLite then skips the right side of
  ///   AND and OR if the left side decides. For a value, SQLite computes both sides, and fails if either fails.
  func prepared(isDecision: Bool = false) throws -> Evaluation {
    switch self {
    case .column(let column):
      return { try $0.value(of: column) }
    case .constant(let value):
      if case .real(let real) = value, real.isNaN { throw StoreError.invalidQuery(ValueError.notANumber.message) }
      return { _ in value }
    case .literal(let value):
      let value = try value.readBack()
      return { _ in value }
    case .invalid(let reason):
      throw StoreError.invalidQuery(reason)
    case .unary(let op, let operand):
      return try op.prepared(operand, isDecision)
    case .binary(let op, let lhs, let rhs):
      return try op.prepared(lhs, rhs, isDecision)
    case .membership(let operand, let members):
      return try operand.preparedMembership(members)
    case .prefix:
      return try asWritten.prepared()
    case .function(let function, let arguments):
      return try function.prepared(arguments)
    case .collate(let operand, _):
      return try operand.prepared()
    case .aggregate(let aggregate):
      return { try $0.value(of: aggregate) }
    case .subquery, .summary, .raw:
      throw EvaluationError.needsDatabase(evaluationObstacle ?? "only SQLite can evaluate it")
    }
  }

  private func preparedMembership(_ members: Members) throws -> Evaluation {
    // SQLite's parser drops the left side of an empty list, and so its errors.
    if members.values.isEmpty { return { _ in .integer(0) } }
    let operand = try prepared()
    let set = MemberSet(members, rule: ComparisonRule(memberOf: self))
    return { try StorageValue(truth: set.contains(operand($0))) }
  }
}

extension UnaryOperator {
  fileprivate func prepared(_ operand: Term, _ isDecision: Bool) throws -> Evaluation {
    switch self {
    case .not:
      let condition = try operand.asCondition.prepared(isDecision: isDecision)
      return { try StorageValue(truth: condition($0).truth().map(!)) }
    case .negate:
      // A minus before a literal is part of the number. Any other minus is a subtraction from 0, whose result for 0.0
      // is 0.0.
      if case .literal(.real(let real)) = operand, real.sign == .plus {
        return try Term.literal(.real(-real)).prepared()
      }
      let operand = try operand.prepared()
      return { try BinaryOperator.subtract.calculate(.integer(0), operand($0)) }
    case .isNull:
      let operand = try operand.prepared()
      return { try StorageValue(truth: operand($0).isNull) }
    case .isNotNull:
      let operand = try operand.prepared()
      return { try StorageValue(truth: !operand($0).isNull) }
    }
  }
}

extension BinaryOperator {
  fileprivate func prepared(_ lhs: Term, _ rhs: Term, _ isDecision: Bool) throws -> Evaluation {
    let isLogical = self == .and || self == .or
    let isTruthTest = (self == .is || self == .isNot) && rhs.isTruthValue
    let decides = isDecision && (isLogical || isTruthTest)
    let left = try (isLogical ? lhs.asCondition : lhs).prepared(isDecision: decides)
    let right = try (isLogical ? rhs.asCondition : rhs).prepared(isDecision: decides)
    switch self {
    case .and where lhs.isWrittenAsFalse || rhs.isWrittenAsFalse:
      // SQLite's parser drops both sides, and so their errors.
      return { _ in .integer(0) }
    case .and, .or:
      return preparedLogic(left, right, computesBoth: !isDecision && rhs.canOverflow)
    case .is where isTruthTest, .isNot where isTruthTest:
      return preparedTruthTest(left)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .is, .isNot:
      let rule = ComparisonRule(lhs, rhs)
      return { try StorageValue(truth: rule.holds(self, left($0), right($0))) }
    case .add, .subtract, .multiply, .divide, .remainder:
      return { try self.calculate(left($0), right($0)) }
    case .concatenate:
      return { try left($0).concatenated(with: right($0)) }
    }
  }

  /// AND and OR in three-valued logic. The right side is skipped if the left side decides, unless it must be computed
  /// because it may fail.
  private func preparedLogic(
    _ lhs: @escaping Evaluation, _ rhs: @escaping Evaluation, computesBoth: Bool
  ) -> Evaluation {
    let deciding = self == .or
    return { context in
      let left = try lhs(context).truth()
      if left == deciding {
        if computesBoth { _ = try rhs(context) }
        return StorageValue(truth: deciding)
      }
      let right = try rhs(context).truth()
      if right == deciding { return StorageValue(truth: deciding) }
      return StorageValue(truth: left == nil ? nil : right)
    }
  }

  /// `x IS FALSE`, which tests the truth of x and is no comparison.
  private func preparedTruthTest(_ operand: @escaping Evaluation) -> Evaluation {
    let isNegated = self == .isNot
    return { try StorageValue(truth: (operand($0).truth() == false) != isNegated) }
  }
}

extension Term {
  /// Whether the term can fail with SQLite's only run-time error: see ``EvaluationError/integerOverflow``.
  fileprivate var canOverflow: Bool {
    if case .function(.absolute, _) = self { return true }
    return operands.contains(where: \.canOverflow)
  }

  /// Whether SQLite's parser replaces the term by the keyword FALSE: `x IN ()`.
  fileprivate var isTruthValue: Bool {
    switch self {
    case .membership(_, let members): members.values.isEmpty
    case .collate(let operand, _): operand.isTruthValue
    default: false
    }
  }
}

extension Function {
  fileprivate func prepared(_ arguments: [Term]) throws -> Evaluation {
    if let obstacle = obstacle(toTaking: arguments.count) { throw EvaluationError.needsDatabase(obstacle) }
    if self == .when {
      let condition = try arguments[0].asCondition.prepared(isDecision: true)
      let value = try arguments[1].prepared()
      return { try condition($0).truth() == true ? value($0) : .null }
    }
    if self == .day {
      guard let day = DayArguments(arguments) else { throw EvaluationError.needsDatabase(DayArguments.obstacle) }
      let instant = try day.instant.prepared()
      return { try day.offsets.day(of: instant($0), as: day.form).map { .integer($0) } ?? .null }
    }
    if self == .matches { return try MatchArguments(arguments).prepared() }
    let arguments = try arguments.map { try $0.prepared() }
    guard self == .coalesce else {
      return { context in try self.call(arguments.map { try $0(context) }) }
    }
    return { context in
      for argument in arguments {
        let value = try argument(context)
        if !value.isNull { return value }
      }
      return .null
    }
  }
}

extension StorageValue {
  /// The value that SQLite reads if this value is written as a literal. SQLite may read a real with another last bit
  /// than Swift.
  fileprivate func readBack() throws -> StorageValue {
    guard case .real(let real) = self else { return self }
    if real.isNaN { throw StoreError.invalidQuery(ValueError.notANumber.message) }
    if real == 0 || real.isInfinite { return self }
    let text = Array(String(real.magnitude).utf8)
    let magnitude = try text.withUnsafeBytes { try SQLiteConversions.real(ofText: $0) }
    return .real(real < 0 ? -magnitude : magnitude)
  }
}
