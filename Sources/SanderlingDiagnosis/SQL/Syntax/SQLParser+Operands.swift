extension SQLParser {
  /// Reads an expression without a binary operator, perhaps with a prefix operator.
  mutating func operand() throws(SQLParseError) -> SQLExpression {
    guard let token = token() else { throw error("expected an expression") }
    let start = token.range.lowerBound
    switch token.kind {
    case .integer: return try literal(.integer)
    case .real: return try literal(.real)
    case .string: return try literal(.string)
    case .blob: return try literal(.blob)
    case .parameter:
      let number = try parameterNumber(token)
      index += 1
      return try node(.parameter(number: number), from: start)
    case .symbol(.minus): return try prefixed(by: .minus)
    case .symbol(.plus): return try prefixed(by: .plus)
    case .symbol(.tilde): return try prefixed(by: .invert)
    case .symbol(.leftParenthesis): return try parentheses()
    case .word, .doubleQuoted, .quotedName: return try named(token)
    case .symbol, .illegal, .whitespace, .comment: throw error("expected an expression")
    }
  }

  private mutating func literal(_ literal: SQLLiteral) throws(SQLParseError) -> SQLExpression {
    let start = start
    index += 1
    return try node(.literal(literal), from: start)
  }

  private mutating func prefixed(by sign: SQLUnaryOperator) throws(SQLParseError) -> SQLExpression {
    try enter()
    defer { level -= 1 }
    let start = start
    index += 1
    let operand = try operand()
    return try node(.unary(sign, operand), from: start, over: [operand])
  }

  private mutating func parentheses() throws(SQLParseError) -> SQLExpression {
    let start = start
    index += 1
    if startsSelect() { return try subquery(from: start) }
    let list = try expressions()
    try expectSymbol(.rightParenthesis)
    return try node(list.count == 1 ? .parentheses(list[0]) : .row(list), from: start, over: list)
  }

  private mutating func subquery(from start: Int) throws(SQLParseError) -> SQLExpression {
    let select = try select()
    try expectSymbol(.rightParenthesis)
    return try node(.subquery(select), from: start, and: select.depth)
  }

  /// Reads an expression that begins with a word or a name.
  private mutating func named(_ token: Token) throws(SQLParseError) -> SQLExpression {
    switch token.keyword {
    case "NULL": return try literal(.null)
    case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP": return try literal(.currentTime)
    case "CASE": return try choice()
    case "CAST" where isSymbol(.leftParenthesis, at: 1): return try cast()
    case "RAISE" where isSymbol(.leftParenthesis, at: 1): throw error("RAISE belongs into a trigger")
    case "EXISTS": return try existence()
    case "NOT": return try negation()
    default: break
    }
    guard isName() else { throw error("expected an expression") }
    return isSymbol(.leftParenthesis, at: 1) ? try call() : try reference()
  }

  // The functions below are small, because each one in the recursion uses stack.

  private mutating func existence() throws(SQLParseError) -> SQLExpression {
    let start = start
    index += 1
    try expectSymbol(.leftParenthesis)
    let select = try select()
    try expectSymbol(.rightParenthesis)
    return try node(.exists(select), from: start, and: select.depth)
  }

  private mutating func negation() throws(SQLParseError) -> SQLExpression {
    let start = start
    index += 1
    let operand = try expression(.equality)
    return try node(.unary(.not, operand), from: start, over: [operand])
  }

  /// Reads the name of a column, or TRUE or FALSE.
  private mutating func reference() throws(SQLParseError) -> SQLExpression {
    let start = start
    if let token = token(), token.kind == .word, token.range.count < 6, !isSymbol(.dot, at: 1) {
      let word = text[token.range].asciiLowercased
      if word == "true" || word == "false" { return try literal(.boolean(word == "true")) }
    }
    var names = [try name()]
    while names.count < 3, skipSymbol(.dot) { names.append(try name()) }
    let reference = SQLColumnReference(
      schema: names.count == 3 ? names[0] : nil, table: names.count > 1 ? names[names.count - 2] : nil,
      name: names[names.count - 1])
    return try node(.column(reference), from: start)
  }

  private mutating func choice() throws(SQLParseError) -> SQLExpression {
    let start = start
    index += 1
    let base = isKeyword("WHEN") ? nil : try expression()
    var branches: [(when: SQLExpression, then: SQLExpression)] = []
    while skipKeyword("WHEN") {
      let when = try expression()
      try expectKeyword("THEN")
      branches.append((when, try expression()))
    }
    let otherwise = skipKeyword("ELSE") ? try expression() : nil
    try expectKeyword("END")
    guard !branches.isEmpty else { throw error("expected WHEN") }
    let choice = SQLCase(base: base, branches: branches, otherwise: otherwise)
    let parts = branches.flatMap { [$0.when, $0.then] } + [base, otherwise].compactMap { $0 }
    return try node(.choice(choice), from: start, over: parts)
  }

  private mutating func cast() throws(SQLParseError) -> SQLExpression {
    let start = start
    index += 2
    let value = try expression()
    try expectKeyword("AS")
    let typeStart = self.start
    while isName() { index += 1 }
    let typeEnd = index
    if skipSymbol(.leftParenthesis) {
      while let token = token(), token.kind != .symbol(.rightParenthesis) {
        switch token.kind {
        case .integer, .real, .word, .symbol(.comma), .symbol(.minus), .symbol(.plus): index += 1
        default: throw error("expected a type")
        }
      }
      try expectSymbol(.rightParenthesis)
    }
    let type = typeEnd > 0 ? text[range(from: typeStart)] : ""
    try expectSymbol(.rightParenthesis)
    return try node(.cast(value, type: type), from: start, over: [value])
  }

  private mutating func call() throws(SQLParseError) -> SQLExpression {
    let start = start
    var call = SQLCall(name: try name())
    try expectSymbol(.leftParenthesis)
    if skipSymbol(.star) {
      call.hasStar = true
    } else if !isSymbol(.rightParenthesis) {
      call.isDistinct = skipKeyword("DISTINCT")
      if !call.isDistinct { skipKeyword("ALL") }
      call.arguments = try expressions()
      if isKeyword("ORDER") { call.orderBy = try ordering() }
    }
    try expectSymbol(.rightParenthesis)
    if isKeyword("FILTER"), isSymbol(.leftParenthesis, at: 1) {
      index += 2
      try expectKeyword("WHERE")
      call.filter = try expression()
      try expectSymbol(.rightParenthesis)
    }
    if isKeyword("OVER"), isSymbol(.leftParenthesis, at: 1) || isName(at: 1) {
      index += 1
      if isSymbol(.leftParenthesis) {
        call.window = try window()
      } else {
        call.window = SQLWindow(base: try name())
      }
    }
    let parts =
      call.arguments + call.orderBy.map(\.expression) + (call.filter.map { [$0] } ?? [])
      + (call.window?.children ?? [])
    return try node(.call(call), from: start, over: parts)
  }

  /// Reads a window's definition in parentheses.
  mutating func window() throws(SQLParseError) -> SQLWindow {
    var window = SQLWindow()
    try expectSymbol(.leftParenthesis)
    let isBase = isName() && !["PARTITION", "ORDER", "RANGE", "ROWS", "GROUPS"].contains(token()?.keyword ?? "")
    if isBase { window.base = try name() }
    if skipKeywords("PARTITION", "BY") { window.partitionBy = try expressions() }
    if isKeyword("ORDER") { window.orderBy = try ordering() }
    if skipKeyword("RANGE") || skipKeyword("ROWS") || skipKeyword("GROUPS") {
      if skipKeyword("BETWEEN") {
        if let bound = try frameBound() { window.bounds.append(bound) }
        try expectKeyword("AND")
      }
      if let bound = try frameBound() { window.bounds.append(bound) }
      if skipKeyword("EXCLUDE") {
        guard
          skipKeywords("NO", "OTHERS") || skipKeywords("CURRENT", "ROW") || skipKeyword("GROUP") || skipKeyword("TIES")
        else { throw error("expected rows to exclude") }
      }
    }
    try expectSymbol(.rightParenthesis)
    return window
  }

  private mutating func frameBound() throws(SQLParseError) -> SQLExpression? {
    if skipKeywords("CURRENT", "ROW") || skipKeywords("UNBOUNDED", "PRECEDING")
      || skipKeywords("UNBOUNDED", "FOLLOWING")
    {
      return nil
    }
    let bound = try expression(.not)
    guard skipKeyword("PRECEDING") || skipKeyword("FOLLOWING") else { throw error("expected PRECEDING or FOLLOWING") }
    return bound
  }
}
