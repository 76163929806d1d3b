import SanderlingSQL

extension SQLParser {
  /// The precedence of operators, the loosest first.
  enum Precedence: Int, Comparable {
    case or = 1
    case and, not, equality, comparison, bits, sum, product, concatenation, collation

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    var next: Self { Self(rawValue: rawValue + 1) ?? .collation }
  }

  func node(
    _ kind: SQLExpression.Kind, from start: Int, over children: [SQLExpression] = [], and depth: Int = 0
  ) throws(SQLParseError) -> SQLExpression {
    let depth = 1 + children.reduce(depth) { max($0, $1.depth) }
    guard depth <= Self.depthLimit else { throw error("too many levels of nesting") }
    return SQLExpression(kind: kind, range: range(from: start), depth: depth)
  }

  /// Reads an expression of operators with at least the given precedence.
  mutating func expression(_ least: Precedence = .or) throws(SQLParseError) -> SQLExpression {
    try enter()
    defer { level -= 1 }
    let start = start
    var left = try operand()
    while let next = try operation(on: left, from: start, least: least) {
      left = next
    }
    deepest = max(deepest, left.depth)
    return left
  }

  mutating func expressions() throws(SQLParseError) -> [SQLExpression] {
    var result = [try expression()]
    while skipSymbol(.comma) { result.append(try expression()) }
    return result
  }

  /// Reads the next operator and its right side, and returns them with the left side; nil if no operator has a
  /// sufficient precedence.
  private mutating func operation(
    on left: SQLExpression, from start: Int, least: Precedence
  ) throws(SQLParseError) -> SQLExpression? {
    guard let token = token() else { return nil }
    if case .symbol(let symbol) = token.kind {
      guard let (binary, precedence) = Self.operators[symbol], precedence >= least else { return nil }
      index += 1
      let right = try expression(precedence.next)
      return try node(.binary(binary, left, right), from: start, over: [left, right])
    }
    switch token.keyword {
    case "OR" where least <= .or: return try list(of: "OR", .and, from: left, start: start)
    case "AND" where least <= .and: return try list(of: "AND", .not, from: left, start: start)
    case "COLLATE" where least <= .collation:
      index += 1
      let collation = try name()
      return try node(.collate(left, collation), from: start, over: [left])
    case let keyword? where least <= .equality: return try predicate(keyword, on: left, from: start)
    default: return nil
    }
  }

  private static let operators: [SQLSymbol: (SQLBinaryOperator, Precedence)] = [
    .equal: (.equal, .equality), .doubleEqual: (.equal, .equality), .notEqual: (.notEqual, .equality),
    .lessOrGreater: (.notEqual, .equality), .less: (.less, .comparison), .lessOrEqual: (.lessOrEqual, .comparison),
    .greater: (.greater, .comparison), .greaterOrEqual: (.greaterOrEqual, .comparison), .ampersand: (.bitAnd, .bits),
    .bar: (.bitOr, .bits), .shiftLeft: (.shiftLeft, .bits), .shiftRight: (.shiftRight, .bits), .plus: (.add, .sum),
    .minus: (.subtract, .sum), .star: (.multiply, .product), .slash: (.divide, .product),
    .percent: (.remainder, .product), .concatenation: (.concatenate, .concatenation),
    .arrow: (.extractJSON, .concatenation), .doubleArrow: (.extractSQL, .concatenation),
  ]

  private mutating func list(
    of keyword: String, _ precedence: Precedence, from left: SQLExpression, start: Int
  ) throws(SQLParseError) -> SQLExpression {
    var terms = [left]
    while skipKeyword(keyword) { terms.append(try expression(precedence)) }
    return try node(keyword == "OR" ? .or(terms) : .and(terms), from: start, over: terms)
  }

  /// Reads IS, IN, BETWEEN, LIKE and similar operators.
  private mutating func predicate(
    _ keyword: String, on left: SQLExpression, from start: Int
  ) throws(SQLParseError) -> SQLExpression? {
    let first = index
    let isNegated = skipKeyword("NOT")
    switch token()?.keyword {
    case "IS" where !isNegated:
      index += 1
      return try identity(left, from: start)
    case "ISNULL" where !isNegated:
      index += 1
      return try node(.isNull(left, isNegated: false), from: start, over: [left])
    case "NOTNULL" where !isNegated, "NULL" where isNegated:
      index += 1
      return try node(.isNull(left, isNegated: true), from: start, over: [left])
    case "BETWEEN":
      index += 1
      return try between(left, isNegated: isNegated, from: start)
    case "IN":
      index += 1
      return try membership(of: left, isNegated: isNegated, from: start)
    case "LIKE", "GLOB", "MATCH", "REGEXP":
      return try pattern(left, isNegated: isNegated, from: start)
    default:
      index = first
      return nil
    }
  }

  private mutating func between(
    _ left: SQLExpression, isNegated: Bool, from start: Int
  ) throws(SQLParseError) -> SQLExpression {
    let low = try expression(.equality)
    try expectKeyword("AND")
    let high = try expression(.comparison)
    return try node(
      .between(left, low: low, high: high, isNegated: isNegated), from: start, over: [left, low, high])
  }

  private mutating func pattern(
    _ left: SQLExpression, isNegated: Bool, from start: Int
  ) throws(SQLParseError) -> SQLExpression {
    let name = token()?.keyword ?? ""
    index += 1
    let pattern = try expression(.comparison)
    let escape = skipKeyword("ESCAPE") ? try expression(.bits) : nil
    let whole = SQLPattern(name: name, value: left, pattern: pattern, escape: escape, isNegated: isNegated)
    return try node(
      .pattern(whole), from: start, over: [left, pattern] + (escape.map { [$0] } ?? []))
  }

  private mutating func identity(_ left: SQLExpression, from start: Int) throws(SQLParseError) -> SQLExpression {
    var isNegated = skipKeyword("NOT")
    if skipKeywords("DISTINCT", "FROM") { isNegated.toggle() }
    let right = try expression(.comparison)
    if case .literal(.null) = right.unwrapped.kind {
      return try node(.isNull(left, isNegated: isNegated), from: start, over: [left, right])
    }
    let identity = isNegated ? SQLBinaryOperator.notEqualOrOneNull : .equalOrBothNull
    return try node(.binary(identity, left, right), from: start, over: [left, right])
  }

  private mutating func membership(
    of left: SQLExpression, isNegated: Bool, from start: Int
  ) throws(SQLParseError) -> SQLExpression {
    if skipSymbol(.leftParenthesis) {
      if startsSelect() { return try membershipInSelect(left, isNegated: isNegated, from: start) }
      let list = isSymbol(.rightParenthesis) ? [] : try expressions()
      try expectSymbol(.rightParenthesis)
      return try node(.membership(left, .list(list), isNegated: isNegated), from: start, over: [left] + list)
    }
    var table = try name()
    if skipSymbol(.dot) { table = try name() }
    var arguments: [SQLExpression] = []
    if skipSymbol(.leftParenthesis) {
      if !isSymbol(.rightParenthesis) { arguments = try expressions() }
      try expectSymbol(.rightParenthesis)
    }
    return try node(
      .membership(left, .table(table, arguments: arguments), isNegated: isNegated), from: start,
      over: [left] + arguments)
  }

  private mutating func membershipInSelect(
    _ left: SQLExpression, isNegated: Bool, from start: Int
  ) throws(SQLParseError) -> SQLExpression {
    let select = try select()
    try expectSymbol(.rightParenthesis)
    return try node(
      .membership(left, .subquery(select), isNegated: isNegated), from: start, over: [left], and: select.depth)
  }
}
