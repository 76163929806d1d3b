/// A translated part of a predicate: of a Foundation `Predicate`, or of a predicate format.
indirect enum PredicateOperand {
  /// A value of the program, without `Optional` around it.
  case constant(Any?)
  case value(PredicateValue)
  case truth(PredicateTruth)
  case row(PredicateRow)
  case rows(AssociatedRows)
  /// A value in each of several rows, such as `tasks.title` in a format.
  case each(AssociatedRows, PredicateOperand)
  case list([PredicateOperand])
  case range(from: PredicateOperand?, to: PredicateOperand?, isClosed: Bool)
}

/// A part of a predicate that has no equivalent in SQL.
struct PredicateObstacle: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// A term with the form of its values.
struct PredicateValue {
  var term: Term
  let form: ColumnForm
  var mayBeNil = false
  /// Whether the value is NULL where Swift has NaN. NaN differs from every value, and isn't nil.
  var mayBeNaN = false

  init(_ term: Term, as coding: any ColumnCoding.Type, mayBeNil: Bool = false, mayBeNaN: Bool = false) {
    self.term = term
    form = ColumnForm(coding)
    self.mayBeNil = mayBeNil
    self.mayBeNaN = mayBeNaN
  }

  var coding: any ColumnCoding.Type { form.coding }

  /// The type of the values in Swift.
  var type: Any.Type {
    func valueType<Coding: ColumnCoding>(of coding: Coding.Type) -> Any.Type { Coding.Value.self }
    return valueType(of: coding)
  }

  var isText: Bool { coding is any ColumnCoding<String>.Type }
  var isNumeric: Bool { type is any NumericColumnValue.Type }

  /// The name of the value in an error.
  var name: String {
    if case .column(let column) = term { return "\(column.owner.type).\(column.definition.property)" }
    return "a calculated \(type)"
  }

  /// Throws unless the order of the values in SQL is the order in Swift.
  func requireOrder() throws {
    guard type is any SortableColumnValue.Type else {
      throw PredicateObstacle(
        "\(name) is a \(type), and its stored form doesn't sort by value: store a number or a text that does")
    }
  }

  /// Throws unless the values of both have one stored form.
  func requireForm(of other: PredicateValue) throws {
    let areNumbers = isNumeric && other.isNumeric
    guard form == other.form || areNumbers || isText && other.isText else {
      throw PredicateObstacle(
        "it compares \(name) with \(other.name), whose values are stored in another form: compare each with a value, or store both "
          + "in one form")
    }
  }
}

/// The rows of a record in the scope of a predicate.
struct PredicateRow {
  let scope: _Scope
  let type: RecordType
  /// Whether the row may not exist.
  var isOptional = false

  /// The value of a column.
  func column(at index: Int) -> PredicateValue {
    let column = type.table.columns[index]
    return PredicateValue(
      .column(ColumnTerm(scope: scope, owner: type, index: index)), as: column.form.coding,
      mayBeNil: column.acceptsNull || isOptional)
  }

  var isMissing: Term { .unary(.isNull, column(at: type.table.key[0]).term) }
}

extension AssociatedRows {
  var row: PredicateRow { PredicateRow(scope: scope, type: association.destination) }

  /// Runs a closure on the rows, at a level that no enclosing closure uses.
  func entering<Result>(_ body: (AssociatedRows) throws -> Result) rethrows -> Result {
    let rows = level > Nesting.depth ? self : moved(to: Nesting.depth + 1)
    return try Nesting.$depth.withValue(rows.level) { try body(rows) }
  }

  /// The rows that also satisfy a condition, which is in their own scope.
  func filtered(by truth: Term) -> AssociatedRows {
    if truth == .literal(.integer(1)) { return self }
    var result = self
    result.condition = condition.map { $0 && truth.asCondition } ?? truth.asCondition
    return result
  }

  func aggregate(_ function: AggregateFunction, of argument: Term? = nil) -> Term {
    .aggregate(AggregateTerm(function: function, argument: argument, rows: self))
  }

  var count: PredicateValue { PredicateValue(aggregate(.count), as: Int.self) }

  /// Whether any of the rows satisfies a condition in their own scope.
  func contains(_ condition: PredicateTruth) -> PredicateTruth {
    condition.constant == false
      ? .constant(false) : .known(filtered(by: condition.isTrue).aggregate(.exists))
  }

  /// Whether no row violates a condition in their own scope.
  func allSatisfy(_ condition: PredicateTruth) -> PredicateTruth {
    !contains(!condition)
  }
}

extension PredicateOperand {
  /// The name of the operand in an error.
  var name: String {
    switch self {
    case .constant(nil): "nil"
    case .constant(let value?): "a \(Swift.type(of: value))"
    case .value(let value): value.name
    case .truth: "a condition"
    case .row(let row): "a \(row.type.type)"
    case .rows(let rows), .each(let rows, _): "rows of \(rows.association.destination.type)"
    case .list: "a list"
    case .range: "a range"
    }
  }

  /// The operand as a condition.
  func truth() throws -> PredicateTruth {
    switch self {
    case .constant(let value as Bool): return .constant(value)
    case .truth(let truth): return truth
    case .value(let value) where value.coding is any ColumnCoding<Bool>.Type:
      return PredicateTruth(
        isTrue: value.term, isNil: value.mayBeNil ? .unary(.isNull, value.term) : nil, isKnown: !value.mayBeNil
      ) { !value.term }
    default: throw PredicateObstacle("\(name) is no condition: compare it with a value")
    }
  }

  /// The operand as a value. A constant gets the stored form of the value that it is compared with.
  func value(like other: PredicateOperand? = nil) throws -> PredicateValue {
    switch self {
    case .value(let value): return value
    case .truth(let truth): return truth.value
    case .constant(let constant):
      let model: PredicateValue? =
        switch other {
        case .value(let value)?: value
        case .truth(let truth)?: truth.value
        default: nil
        }
      guard let constant else {
        return PredicateValue(.literal(.null), as: model?.coding ?? Int.self, mayBeNil: true)
      }
      if let model { return try model.constant(constant) }
      return try PredicateValue.constant(constant)
    default: throw PredicateObstacle("\(name) is no value that can be compared or calculated with")
    }
  }
}
