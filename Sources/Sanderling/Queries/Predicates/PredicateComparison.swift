extension PredicateTruth {
  /// Compares two operands by one of SQL's six comparisons, with Swift's meaning of nil and NaN.
  static func compare(_ op: BinaryOperator, _ lhs: PredicateOperand, _ rhs: PredicateOperand) throws -> PredicateTruth {
    if lhs.isNaN || rhs.isNaN { return .constant(op == .notEqual) }
    switch (lhs, rhs) {
    case (.row(let row), let other), (let other, .row(let row)):
      guard op == .equal || op == .notEqual else {
        throw PredicateObstacle("records have no order: compare properties")
      }
      let isEqual = try row.equals(other)
      return op == .equal ? isEqual : !isEqual
    case (.constant, .value), (.constant, .truth): return try compare(op.mirrored, rhs, lhs)
    case (.truth(let truth), .constant(let value as Bool)) where op == .equal || op == .notEqual:
      let isEqual = truth.equals(value)
      return op == .equal ? isEqual : !isEqual
    case (_, .constant(nil)), (.constant(nil), _):
      guard op == .equal || op == .notEqual else { return .constant(false) }
      let other = if case .constant(nil) = lhs { rhs } else { lhs }
      let isNil =
        if case .constant(let value) = other { PredicateTruth.constant(value == nil) } else {
          PredicateTruth.known(.unary(.isNull, try other.value().term))
        }
      return op == .equal ? isNil : !isNil
    default: return try compare(op, lhs.value(like: rhs), rhs.value(like: lhs))
    }
  }

  private static func compare(
    _ op: BinaryOperator, _ lhs: PredicateValue, _ rhs: PredicateValue
  ) throws -> PredicateTruth {
    try lhs.requireForm(of: rhs)
    let mayBeNaN = lhs.mayBeNaN || rhs.mayBeNaN
    let mayBeNil = lhs.mayBeNil || rhs.mayBeNil
    switch op {
    case .equal where mayBeNil:
      if lhs.mayBeNil && rhs.mayBeNil { return .known(.binary(.is, lhs.term, rhs.term)) }
      return PredicateTruth(isTrue: .binary(.equal, lhs.term, rhs.term), isKnown: false) {
        .binary(.isNot, lhs.term, rhs.term)
      }
    case .notEqual where mayBeNil || mayBeNaN:
      return !(try compare(.equal, lhs, rhs))
    case .equal, .notEqual:
      return .known(.binary(op, lhs.term, rhs.term), if: !mayBeNaN)
    default:
      try lhs.requireOrder()
      return .known(.binary(op, lhs.term, rhs.term), if: !mayBeNil && !mayBeNaN)
    }
  }

  /// Whether an operand is one of several.
  static func isAmong(_ element: PredicateOperand, _ others: [PredicateOperand]) throws -> PredicateTruth {
    guard case .value(let value) = element else {
      return try joined(.or, others.map { try compare(.equal, element, $0) })
    }
    var stored: [StorageValue] = []
    var truth = PredicateTruth.constant(false)
    for other in others where !other.isNaN {
      switch try (other, other.value(like: element).term) {
      case (.constant(nil), _): truth = .known(.unary(.isNull, value.term))
      case (.constant, .constant(let value)), (.constant, .literal(let value)): stored.append(value)
      default: truth = try truth || compare(.equal, element, other)
      }
    }
    return .known(.membership(value.term, Members(stored)), if: !value.mayBeNil) || truth
  }

  /// Whether a value lies between two bounds.
  static func isBetween(
    _ element: PredicateOperand, _ lower: PredicateOperand?, _ upper: PredicateOperand?, isClosed: Bool = true
  ) throws -> PredicateTruth {
    let isAbove = try lower.map { try compare(.greaterOrEqual, element, $0) } ?? .constant(true)
    let isBelow = try upper.map { try compare(isClosed ? .lessOrEqual : .less, element, $0) } ?? .constant(true)
    return isAbove && isBelow
  }

  /// Whether one text contains another, as typed queries decide it.
  static func contains(_ text: PredicateOperand, _ part: PredicateOperand) throws -> PredicateTruth {
    try search(text, part) { text, part in
      if case .constant(.text(let part)) = part { return Field<String>(text, as: String.self).contains(part).term }
      return .binary(.greater, .function(.position, [text.lowercased, part.lowercased]), .literal(.integer(0)))
    }
  }

  /// Whether one text begins with another, as typed queries decide it.
  static func hasPrefix(_ text: PredicateOperand, _ prefix: PredicateOperand) throws -> PredicateTruth {
    try search(text, prefix) { text, prefix in
      if case .constant(.text(let prefix)) = prefix {
        return Field<String>(text, as: String.self).hasPrefix(prefix).term
      }
      return .binary(.equal, .function(.position, [text.lowercased, prefix.lowercased]), .literal(.integer(1)))
    }
  }

  /// A condition on two texts.
  static func search(
    _ text: PredicateOperand, _ part: PredicateOperand, _ condition: (Term, Term) throws -> Term
  ) throws -> PredicateTruth {
    let (text, part) = try (text.value(like: part), part.value(like: text))
    guard text.isText, part.isText else {
      let other = text.isText ? part : text
      throw PredicateObstacle("\(other.name) is a \(other.type): only texts are searched")
    }
    return .known(try condition(text.term, part.term), if: !text.mayBeNil && !part.mayBeNil)
  }
}

extension PredicateOperand {
  /// Calculates with two numbers.
  static func calculate(
    _ op: BinaryOperator, _ lhs: PredicateOperand, _ rhs: PredicateOperand
  ) throws -> PredicateOperand {
    if lhs.isNaN || rhs.isNaN { return .constant(Double.nan) }
    let (left, right) = try (lhs.value(like: rhs), rhs.value(like: lhs))
    guard left.isNumeric, right.isNumeric else {
      throw PredicateObstacle(
        "SQL can't calculate with \(left.isNumeric ? right.name : left.name), a \(left.isNumeric ? right.type : left.type)"
      )
    }
    // A calculation with a real has a real result. Infinities have none, and neither has a division by 0.
    let isReal = left.coding.columnType == .real || right.coding.columnType == .real
    let divides = (op == .divide || op == .remainder) && (right.term.constant ?? .integer(0)) == .integer(0)
    return .value(
      PredicateValue(
        Term.binary(op, left.term, right.term).limitedInDepth,
        as: isReal && left.coding.columnType != .real ? right.coding : left.coding,
        mayBeNil: left.mayBeNil || right.mayBeNil, mayBeNaN: isReal || divides))
  }
}

extension Term {
  /// The text in lower case if it is compared without case; otherwise the text itself.
  var lowercased: Term {
    if case .collate(let text, .nocase) = self { .function(.lowercased, [text]) } else { self }
  }
}

extension PredicateRow {
  /// Whether the row is a record, by their keys; or whether it is missing, for nil.
  fileprivate func equals(_ other: PredicateOperand) throws -> PredicateTruth {
    switch other {
    case .constant(nil): return .known(isMissing)
    case .constant(let record as any StoredRecord) where RecordType(Swift.type(of: record)) == type:
      return try type.table.key.reduce(.constant(true)) { truth, index in
        try truth && isEqual(keyColumn(index), .constant(record._storageValue(at: index)))
      }
    case .row(let row) where row.type == type:
      return type.table.key.reduce(.constant(true)) { truth, index in
        truth && isEqual(keyColumn(index), row.keyColumn(index).term)
      }
    default:
      throw PredicateObstacle(
        "it compares a \(type.type) with \(other.name): pass a \(type.type), or compare the properties of its key")
    }
  }

  private func isEqual(_ column: PredicateValue, _ other: Term) -> PredicateTruth {
    PredicateTruth(isTrue: .binary(.equal, column.term, other), isKnown: false) { .binary(.isNot, column.term, other) }
  }

  /// A column of the key. The row that refers to this one has the same value, so that no join is needed.
  private func keyColumn(_ index: Int) -> PredicateValue {
    guard let last = scope.path.last, last.condition == nil,
      let pair = last.columns.first(where: { $0.destination == index })
    else { return column(at: index) }
    let origin = _Scope(level: scope.level, path: scope.path.dropLast())
    return PredicateRow(scope: origin, type: last.origin, isOptional: isOptional).column(at: pair.origin)
  }
}

extension BinaryOperator {
  /// The comparison with its sides exchanged.
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
