/// Reads values: numbers, texts, arguments, lists, calculations and key paths.
extension PredicateFormatParser {
  mutating func sum() throws -> PredicateOperand {
    try calculation(["+": .add, "-": .subtract]) { parser in
      try parser.calculation(["*": .multiply, "/": .divide]) { try $0.factor() }
    }
  }

  private mutating func calculation(
    _ signs: [String: BinaryOperator], _ part: (inout Self) throws -> PredicateOperand
  ) throws -> PredicateOperand {
    var result = try part(&self)
    while case .sign(let sign) = token.kind, let op = signs[sign] {
      let position = token.position
      advance()
      let other = try part(&self)
      result = try checked(at: position) { try PredicateOperand.calculate(op, result, other) }
    }
    return result
  }

  private mutating func factor() throws -> PredicateOperand {
    let start = token
    switch start.kind {
    case .sign("-"):
      advance()
      let operand = try nested { try $0.factor() }
      return try checked(at: start.position) { try operand.negated() }
    case .sign("("):
      advance()
      let result = try nested { try $0.disjunction() }
      try expect(")")
      return result
    case .sign("{"):
      advance()
      return .list(try list())
    case .integer(let value): return constant(value)
    case .real(let value): return constant(value)
    case .text(let text): return constant(text)
    case .argument("K"): return try path(from: root)
    case .argument("@"):
      let value = try nextArgument()
      return constant(value)
    case .argument(let letter):
      let value = try nextArgument()
      guard value is any Numeric else {
        throw error("the argument of %\(letter) is no number: pass one, or write %@")
      }
      return constant(value)
    case .variable(let name):
      guard let variable = variables[name] else {
        throw error("there is no variable $\(name): pass its value in variables")
      }
      advance()
      guard case .row(let row) = variable, take(sign: ".") else { return variable }
      return try path(from: row)
    case .word(let word): return try value(of: word)
    case .name: return try path(from: root)
    case .end: throw error("a value is missing here")
    case .sign(let sign): throw error("a value is expected here, not \(sign)")
    }
  }

  private mutating func constant(_ value: Any?) -> PredicateOperand {
    advance()
    return .constant(value)
  }

  private mutating func value(of word: String) throws -> PredicateOperand {
    switch word.uppercased() {
    case "TRUE", "YES": return constant(true)
    case "FALSE", "NO": return constant(false)
    case "NULL", "NIL": return constant(nil)
    case "SELF":
      advance()
      return take(sign: ".") ? try path(from: root) : .row(root)
    case "SUBQUERY": return try subquery()
    case let keyword where Self.keywords.contains(keyword):
      throw error("a value is expected here, not \(keyword): write #\(word) for a property of this name")
    default: return try path(from: root)
    }
  }

  private static let keywords: Set = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH",
    "ENDSWITH", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private mutating func list() throws -> [PredicateOperand] {
    var elements: [PredicateOperand] = []
    if take(sign: "}") { return [] }
    repeat { elements.append(try nested { try $0.sum() }) } while take(sign: ",")
    try expect("}")
    return elements
  }

  /// Reads `SUBQUERY(tasks, $task, $task.isCompleted == YES)`.
  private mutating func subquery() throws -> PredicateOperand {
    advance()
    try expect("(")
    let place = token.position
    guard case .rows(let rows) = try sum() else {
      throw error("SUBQUERY needs a to-many association", at: place)
    }
    try expect(",")
    guard case .variable(let name) = token.kind else { throw error("SUBQUERY needs a variable, such as $task") }
    advance()
    try expect(",")
    let outer = variables[name]
    let result = try rows.entering { rows in
      variables[name] = .row(rows.row)
      return rows.filtered(by: try nested { parser in try parser.truth { try $0.disjunction() } }.isTrue)
    }
    variables[name] = outer
    try expect(")")
    return try suffix(of: .rows(result))
  }

  // MARK: Key paths

  /// Reads a key path from a row. Its first name is the token.
  private mutating func path(from row: PredicateRow) throws -> PredicateOperand {
    try suffix(of: component(of: .row(row)))
  }

  /// Reads the rest of a key path.
  private mutating func suffix(of operand: PredicateOperand) throws -> PredicateOperand {
    var operand = operand
    while true {
      if take(sign: ".") {
        operand = try component(of: operand)
      } else if token.kind == .sign("[") {
        guard case .rows(let rows) = operand else { return operand }
        advance()
        guard take("SIZE") else { throw error("associated rows have no order, only [SIZE]: use SUBQUERY or ANY") }
        try expect("]")
        operand = .value(rows.count)
      } else {
        return operand
      }
    }
  }

  /// Reads one name of a key path, or several in the argument of %K.
  private mutating func component(of operand: PredicateOperand) throws -> PredicateOperand {
    let place = token
    switch place.kind {
    case .word(let name), .name(let name):
      advance()
      if token.kind == .sign("(") {
        throw error(
          "the function \(name) isn't supported: calculate in Swift, and pass the result by %@", at: place.position)
      }
      guard let function = FormatAggregate(rawValue: name.lowercased()), case .rows(let rows) = operand else {
        return try checked(at: place.position) { try operand.property(named: name) }
      }
      try expect(".")
      let argumentPlace = token.position
      return try rows.entering { rows in
        let argument = try path(from: rows.row)
        return try checked(at: argumentPlace) { .value(try function.value(of: argument, over: rows)) }
      }
    case .argument("K"):
      guard let names = try nextArgument() as? String else {
        throw error("the argument of %K is no text: pass the name of a property")
      }
      advance()
      return try checked(at: place.position) {
        try names.split(separator: ".", omittingEmptySubsequences: false).reduce(operand) {
          try $0.property(named: String($1))
        }
      }
    default: throw error("the name of a property is expected here")
    }
  }
}

/// The aggregates of a key path: `tasks.@sum.size`.
private enum FormatAggregate: String {
  case sum = "@sum"
  case minimum = "@min"
  case maximum = "@max"
  case average = "@avg"

  func value(of argument: PredicateOperand, over rows: AssociatedRows) throws -> PredicateValue {
    let argument = try argument.value()
    switch self {
    case .sum, .average:
      guard argument.isNumeric else {
        throw PredicateObstacle("\(rawValue) needs a number, and \(argument.name) is a \(argument.type)")
      }
      if self == .average {
        return PredicateValue(rows.aggregate(.average, of: argument.term), as: Double.self, mayBeNil: true)
      }
      let zero = Term.literal(argument.coding.columnType == .integer ? .integer(0) : .real(0))
      return PredicateValue(.function(.coalesce, [rows.aggregate(.sum, of: argument.term), zero]), as: argument.coding)
    case .minimum, .maximum:
      try argument.requireOrder()
      let function = self == .minimum ? AggregateFunction.minimum : .maximum
      return PredicateValue(rows.aggregate(function, of: argument.term), as: argument.coding, mayBeNil: true)
    }
  }
}

extension PredicateOperand {
  /// The operand for a name after this one in a key path.
  fileprivate func property(named name: String) throws -> PredicateOperand {
    switch self {
    case .row(let row):
      if row.scope.path.count >= 60 {
        throw PredicateObstacle("a key path follows 60 associations at most: SQLite joins 64 tables")
      }
      if let operand = row.operand(named: name) { return operand }
      throw PredicateObstacle(
        "\(row.type.type) has no property \"\(name)\": it has \(row.type.type.predicateNames.joined(separator: ", "))")
    case .rows(let rows):
      if name.lowercased() == "@count" { return .value(rows.count) }
      if name.hasPrefix("@") {
        throw PredicateObstacle("\(name) isn't supported: use @count, @sum, @min, @max or @avg")
      }
      if rows.level > 10 { throw PredicateObstacle("to-many associations nest 10 deep at most") }
      return try rows.entering { .each($0, try PredicateOperand.row($0.row).property(named: name)) }
    case .each(let rows, let inner):
      return try rows.entering { .each($0, try inner.property(named: name)) }
    case .value(let value) where value.isText && name == "length":
      return .value(PredicateValue(.function(.length, [value.term]), as: Int.self, mayBeNil: value.mayBeNil))
    default: throw PredicateObstacle("\(self.name) has no property \"\(name)\"")
    }
  }

  fileprivate func negated() throws -> PredicateOperand {
    switch self {
    case .constant(let integer as Int64) where integer != .min: return .constant(-integer)
    case .constant(let real as Double): return .constant(-real)
    default:
      var value = try value()
      guard value.isNumeric else { throw PredicateObstacle("\(value.name) is no number") }
      value.term = .unary(.negate, value.term)
      return .value(value)
    }
  }
}
