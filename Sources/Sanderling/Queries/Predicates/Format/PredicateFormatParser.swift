/// Reads a predicate format, and translates it to SQL on the way.
///
/// Conditions and values are both operands, so that parentheses may contain either.
struct PredicateFormatParser {
  private let format: String
  private let tokens: [FormatToken]
  private var index = 0
  private let arguments: [Any?]
  private var argumentIndex = 0
  var variables: [String: PredicateOperand]
  let root: PredicateRow
  private var depth = 0

  /// Nested parentheses and negations take the parser's stack.
  private static let maximumDepth = 50

  /// Returns the condition of a format; nil if it is always true.
  static func term<Owner: StoredRecord>(
    of format: String, _ arguments: [Any?], _ variables: [String: Any?], for owner: Owner.Type
  ) throws -> Term? {
    var parser = PredicateFormatParser(
      format: format, tokens: try FormatLexer.tokens(of: format), arguments: arguments,
      variables: variables.mapValues { .constant(flattened($0)) },
      root: PredicateRow(scope: .root, type: RecordType(owner)))
    let truth = try Nesting.$depth.withValue(0) { try parser.truth { try $0.disjunction() } }
    if parser.token.kind != .end { throw parser.error("a comparison, AND, OR or the end is expected here") }
    if parser.argumentIndex < arguments.count {
      throw parser.error("there are \(arguments.count) arguments, and the format uses \(parser.argumentIndex)")
    }
    if truth.constant == true { return nil }
    let term = truth.isTrue.asCondition.limitedInDepth
    if case .invalid(let reason) = term { throw PredicateFormatError(reason, in: format, at: 0) }
    return term
  }

  private init(
    format: String, tokens: [FormatToken], arguments: [Any?], variables: [String: PredicateOperand], root: PredicateRow
  ) {
    self.format = format
    self.tokens = tokens
    self.arguments = arguments
    self.variables = variables
    self.root = root
  }

  // MARK: Conditions

  mutating func disjunction() throws -> PredicateOperand {
    try joined(.or, "||") { try $0.joined(.and, "&&") { try $0.negation() } }
  }

  private mutating func joined(
    _ op: BinaryOperator, _ sign: String, _ part: (inout Self) throws -> PredicateOperand
  ) throws -> PredicateOperand {
    let start = token.position
    let first = try part(&self)
    var truths: [PredicateTruth] = []
    while take(op.rawValue) || take(sign: sign) {
      if truths.isEmpty { truths = [try checked(at: start) { try condition(first) }] }
      truths.append(try truth(part))
    }
    return truths.isEmpty ? first : .truth(.joined(op, truths))
  }

  private mutating func negation() throws -> PredicateOperand {
    guard take("NOT") || take(sign: "!") else { return try comparison() }
    return try nested { parser in .truth(!(try parser.truth { try $0.negation() })) }
  }

  /// Reads a part that must be a condition.
  mutating func truth(_ part: (inout Self) throws -> PredicateOperand) throws -> PredicateTruth {
    let start = token.position
    let operand = try part(&self)
    return try checked(at: start) { try condition(operand) }
  }

  private func condition(_ operand: PredicateOperand) throws -> PredicateTruth {
    if case .truth(let truth) = operand { return truth }
    throw PredicateObstacle("\(operand.name) is no condition: compare it with a value")
  }

  private mutating func comparison() throws -> PredicateOperand {
    if take("TRUEPREDICATE") { return .truth(.constant(true)) }
    if take("FALSEPREDICATE") { return .truth(.constant(false)) }
    let quantifier = FormatQuantifier.allCases.first { take($0.rawValue) }
    let start = token.position
    let left = try sum()
    let place = token.position
    guard let comparison = try comparisonSign() else {
      if let quantifier { throw error("a comparison must follow \(quantifier.rawValue) and its operand") }
      return left
    }
    let right = try sum()
    return .truth(
      try checked(at: place) {
        if let quantifier { return try quantifier.apply(to: left, right, comparison.compare) }
        if case .each = left {
          throw error("write ANY, ALL or NONE before a property of several rows", at: start)
        }
        if case .each = right, case .among = comparison {
          return try FormatQuantifier.any.apply(to: right, left) { try PredicateTruth.compare(.equal, $1, $0) }
        }
        return try comparison.compare(left, right)
      })
  }

  private mutating func comparisonSign() throws -> FormatComparison? {
    let signs: [String: BinaryOperator] = [
      "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
      ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
    ]
    if case .sign(let sign) = token.kind, let op = signs[sign] {
      advance()
      return .sign(op, try textOptions())
    }
    if take("IN") { return .among(try textOptions()) }
    if take("BETWEEN") { return .between }
    if take("MATCHES") {
      index -= 1
      throw error(
        "MATCHES can't be translated: SQLite has no regular expressions. Use LIKE, or filter the rows in Swift")
    }
    for search in FormatSearch.allCases where take(search.rawValue) { return .search(search, try textOptions()) }
    return nil
  }

  /// Reads the letters in `[cd]`.
  private mutating func textOptions() throws -> FormatTextOptions {
    guard take(sign: "[") else { return .exact }
    guard case .word(let letters) = token.kind, let options = FormatTextOptions(rawValue: letters.lowercased()) else {
      throw error("the options are [c] without case, [cd] without case and diacritics, or [n] for bytes")
    }
    advance()
    try expect("]")
    return options
  }

  // MARK: Tokens

  var token: FormatToken { tokens[index] }

  mutating func advance() {
    if index < tokens.count - 1 { index += 1 }
  }

  /// Skips a keyword, in any case.
  mutating func take(_ keyword: String) -> Bool {
    guard case .word(let word) = token.kind, word.uppercased() == keyword else { return false }
    advance()
    return true
  }

  mutating func take(sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws {
    guard take(sign: sign) else { throw error("\(sign) is expected here") }
  }

  mutating func nextArgument() throws -> Any? {
    guard arguments.indices.contains(argumentIndex) else {
      throw error("there are \(arguments.count) arguments, and the format needs more")
    }
    argumentIndex += 1
    return flattened(arguments[argumentIndex - 1])
  }

  /// Reads a part that may contain itself.
  mutating func nested<Result>(_ body: (inout Self) throws -> Result) throws -> Result {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw error("more than \(Self.maximumDepth) parts are nested") }
    return try body(&self)
  }

  func error(_ reason: String, at position: Int? = nil) -> PredicateFormatError {
    PredicateFormatError(reason, in: format, at: position ?? token.position)
  }

  /// Runs the translation of a part, and adds its place to an error.
  func checked<Result>(at position: Int, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let obstacle as PredicateObstacle {
      throw PredicateFormatError(obstacle.reason, in: format, at: position)
    } catch let error as ValueError {
      throw PredicateFormatError(error.message, in: format, at: position)
    }
  }
}
