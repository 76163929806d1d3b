import Foundation

/// The translation of a Foundation predicate to SQL.
///
/// Foundation evaluates all parts without a row. Each other part is an expression of a type below.
struct PredicateTranslation {
  private var variables: [PredicateExpressions.VariableID: PredicateOperand] = [:]
  private var bindings = PredicateBindings()

  /// Returns the condition of a predicate, with its input as the row of a query; nil if it is always true.
  static func term<Owner: StoredRecord>(of predicate: Predicate<Owner>) -> Term? {
    do {
      let row = PredicateRow(scope: .root, type: RecordType(Owner.self))
      let translation = PredicateTranslation().binding(predicate.variable, to: .row(row))
      let truth = try Nesting.$depth.withValue(0) { try translation.truth(predicate.expression) }
      return truth.constant == true ? nil : truth.isTrue.asCondition.limitedInDepth
    } catch let obstacle as PredicateObstacle {
      return .invalid("the predicate can't be translated to SQL: \(obstacle.reason)")
    } catch {
      return .invalid(error)
    }
  }

  /// The same translation with a variable's value.
  func binding<Output>(
    _ variable: PredicateExpressions.Variable<Output>, to operand: PredicateOperand
  ) -> PredicateTranslation {
    var result = self
    result.variables[variable.key] = operand
    if case .constant(let value) = operand, let value = value as? Output { result.bindings[variable] = value }
    return result
  }

  fileprivate func operand<Output>(
    of variable: PredicateExpressions.Variable<Output>
  ) throws -> PredicateOperand {
    guard let operand = variables[variable.key] else {
      throw PredicateObstacle("it uses a variable outside of the closure that receives it")
    }
    return operand
  }

  /// The value of an expression that uses no row; nil for other expressions.
  func constant<Expression: PredicateExpression>(_ expression: Expression) -> Expression.Output? {
    try? expression.evaluate(bindings)
  }

  func operand(_ expression: some PredicateExpression) throws -> PredicateOperand {
    if let value = constant(expression) { return .constant(flattened(value)) }
    guard let expression = expression as? any TranslatableExpression else {
      throw PredicateObstacle(
        "it uses \(Self.name(of: expression)), which has no equivalent: fetch the rows, and filter them in Swift")
    }
    return try expression.translated(by: self)
  }

  func truth(_ expression: some PredicateExpression) throws -> PredicateTruth {
    try operand(expression).truth()
  }

  /// The name of an expression in Swift.
  private static func name(of expression: some PredicateExpression) -> String {
    let type = String(describing: Swift.type(of: expression)).prefix { $0 != "<" }
    let names = [
      "SequenceMaximum": "max()", "SequenceMinimum": "min()", "ConditionalCast": "as?", "ForceCast": "as!",
      "TypeCheck": "is", "StringContainsRegex": "contains(_:) with a regular expression",
      "CollectionIndexSubscript": "a subscript", "CollectionRangeSubscript": "a subscript",
      "DictionaryKeySubscript": "a subscript", "DictionaryKeyDefaultValueSubscript": "a subscript",
      "StringLocalizedCompare": "localizedCompare(_:)", "StringCaseInsensitiveCompare": "caseInsensitiveCompare(_:)",
    ]
    return names[String(type)] ?? String(type)
  }
}

/// An expression of Foundation that has an equivalent in SQL.
protocol TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand
}

extension PredicateExpressions.Variable: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    try translation.operand(of: self)
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    switch (try translation.operand(root), kind) {
    case (.rows(let rows), .collectionCount?): return .value(rows.count)
    case (.rows(let rows), .collectionIsEmpty?): return .truth(!rows.contains(.constant(true)))
    case (.row(let row), _): return try row.operand(at: keyPath)
    case (.value(let value), .collectionIsEmpty?) where value.isText:
      return .truth(try PredicateTruth.compare(.equal, .value(value), .constant("")))
    case (.value(let value), .collectionCount?) where value.isText:
      return .value(PredicateValue(.function(.length, [value.term]), as: Int.self, mayBeNil: value.mayBeNil))
    case (.value(let value), _):
      if let raw = value.rawValue(at: keyPath) { return .value(raw) }
      throw PredicateObstacle(
        "\(value.name) is one value in SQL, and \(keyPath.name) is a part of it: compare the whole value")
    case (let root, _): throw PredicateObstacle("SQL can't read \(keyPath.name) of \(root.name)")
    }
  }
}

extension PredicateValue {
  /// The raw value of an enumeration; nil for other key paths. A key path of a protocol's property can't be compared
  /// with one of a type's, so all cases are tried.
  fileprivate func rawValue(at keyPath: AnyKeyPath) -> PredicateValue? {
    func rawValue<Value: RawRepresentable & CaseIterable>(of type: Value.Type) -> PredicateValue? {
      guard let path = keyPath as? KeyPath<Value, Value.RawValue>,
        let raw = Value.RawValue.self as? any ColumnValue.Type
      else { return nil }
      let result = PredicateValue(term, as: raw, mayBeNil: mayBeNil)
      let isRawValue = type.allCases.allSatisfy {
        (try? result.constant($0[keyPath: path]).term) == (try? result.constant($0.rawValue).term)
      }
      return isRawValue ? result : nil
    }
    return (coding as? any (RawRepresentable & CaseIterable).Type).flatMap { rawValue(of: $0) }
  }

  /// The folded texts of a column.
  func folded() throws -> PredicateValue {
    guard isText, case .column(let column) = term,
      column.owner.table.folded.contains(where: { $0.text == column.index })
    else {
      throw PredicateObstacle(
        "\(name) has no text without case and diacritics: declare the property with @Searchable")
    }
    return PredicateValue(
      Field<String>(term, as: String.self).folded.term, as: FoldedCoding.self, mayBeNil: mayBeNil)
  }
}

// MARK: - Logic

extension PredicateExpressions.Conjunction: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(try translation.truth(lhs) && translation.truth(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(try translation.truth(lhs) || translation.truth(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(!(try translation.truth(wrapped)))
  }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let test = try translation.truth(test)
    let (first, second) = try (translation.operand(trueBranch), translation.operand(falseBranch))
    if let value = test.constant { return value ? first : second }
    if Output.self == Bool.self { return .truth(.choose(test, try first.truth(), try second.truth())) }
    let (one, other) = try (first.value(like: second), second.value(like: first))
    try one.requireForm(of: other)
    var result = one
    result.term = .function(
      .coalesce, [.function(.when, [test.isTrue, one.term]), .function(.when, [test.isFalse, other.term])])
    result.mayBeNil = one.mayBeNil || other.mayBeNil
    result.mayBeNaN = one.mayBeNaN || other.mayBeNaN
    return .value(result)
  }
}

// MARK: - Comparisons

extension PredicateExpressions.Equal: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(try .compare(.equal, translation.operand(lhs), translation.operand(rhs)))
  }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .truth(try .compare(.notEqual, translation.operand(lhs), translation.operand(rhs)))
  }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let op: BinaryOperator? =
      switch self.op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: nil
      }
    guard let op else { throw PredicateObstacle("it compares by an unknown operator") }
    return .truth(try .compare(op, translation.operand(lhs), translation.operand(rhs)))
  }
}

extension PredicateExpressions.Range: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .range(from: try translation.operand(lower), to: try translation.operand(upper), isClosed: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    .range(from: try translation.operand(lower), to: try translation.operand(upper), isClosed: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let element = try translation.operand(element)
    let bounds = (translation.constant(range) as? any BoundedRange)?.operand
    guard case .range(let lower, let upper, let isClosed) = try bounds ?? translation.operand(range) else {
      throw PredicateObstacle("it uses a range of an unknown type: use ... or ..<")
    }
    return .truth(try .isBetween(element, lower, upper, isClosed: isClosed))
  }
}

private protocol BoundedRange {
  var operand: PredicateOperand { get }
}

extension Range: BoundedRange {
  fileprivate var operand: PredicateOperand {
    .range(from: .constant(lowerBound), to: .constant(upperBound), isClosed: false)
  }
}

extension ClosedRange: BoundedRange {
  fileprivate var operand: PredicateOperand {
    .range(from: .constant(lowerBound), to: .constant(upperBound), isClosed: true)
  }
}

extension PartialRangeFrom: BoundedRange {
  fileprivate var operand: PredicateOperand { .range(from: .constant(lowerBound), to: nil, isClosed: false) }
}

extension PartialRangeUpTo: BoundedRange {
  fileprivate var operand: PredicateOperand { .range(from: nil, to: .constant(upperBound), isClosed: false) }
}

extension PartialRangeThrough: BoundedRange {
  fileprivate var operand: PredicateOperand { .range(from: nil, to: .constant(upperBound), isClosed: true) }
}

// MARK: - Arithmetic

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    let op: BinaryOperator? =
      switch self.op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: nil
      }
    guard let op else { throw PredicateObstacle("it calculates by an unknown operator") }
    return try .calculate(op, translation.operand(lhs), translation.operand(rhs))
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    try .calculate(.divide, translation.operand(lhs), translation.operand(rhs))
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    try .calculate(.divide, translation.operand(lhs), translation.operand(rhs))
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    try .calculate(.remainder, translation.operand(lhs), translation.operand(rhs))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func translated(by translation: PredicateTranslation) throws -> PredicateOperand {
    var value = try translation.operand(wrapped).value()
    guard value.isNumeric else { throw PredicateObstacle("SQL can't negate \(value.name), a \(value.type)") }
    value.term = .unary(.negate, value.term)
    return .value(value)
  }
}
