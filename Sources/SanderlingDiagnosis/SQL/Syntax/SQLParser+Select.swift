extension SQLParser {
  func startsSelect() -> Bool {
    isKeyword("SELECT") || isKeyword("VALUES") || (isKeyword("WITH") && (isName(at: 1)))
  }

  /// Reads a SELECT with all its clauses.
  mutating func select() throws(SQLParseError) -> SQLSelect {
    try enter()
    let outerDeepest = deepest
    deepest = 0
    defer { level -= 1 }
    let start = start
    let with = isKeyword("WITH") ? try with() : nil
    var select = SQLSelect(with: with, cores: [try core()], operators: [], range: start..<start, depth: 0)
    while let keyword = token()?.keyword, ["UNION", "INTERSECT", "EXCEPT"].contains(keyword) {
      index += 1
      select.operators.append(keyword == "UNION" && skipKeyword("ALL") ? "UNION ALL" : keyword)
      select.cores.append(try core())
    }
    let orderStart = self.start
    if isKeyword("ORDER") {
      select.orderBy = try ordering()
      select.orderByRange = range(from: orderStart)
    }
    let limitStart = self.start
    (select.limit, select.offset) = try limit()
    if select.limit != nil { select.limitRange = range(from: limitStart) }
    select.range = range(from: start)
    select.depth = deepest + 1
    guard select.depth <= Self.depthLimit else { throw error("too many levels of nesting") }
    deepest = max(outerDeepest, select.depth)
    return select
  }

  mutating func with() throws(SQLParseError) -> SQLWith {
    try expectKeyword("WITH")
    var with = SQLWith(isRecursive: skipKeyword("RECURSIVE"), tables: [])
    repeat {
      let name = try name()
      var columns: [SQLName] = []
      if isSymbol(.leftParenthesis) { columns = try names() }
      try expectKeyword("AS")
      if isKeyword("NOT") { index += 1 }
      skipKeyword("MATERIALIZED")
      try expectSymbol(.leftParenthesis)
      let select = try select()
      try expectSymbol(.rightParenthesis)
      with.tables.append(SQLCommonTable(name: name, columns: columns, select: select))
    } while skipSymbol(.comma)
    return with
  }

  /// Reads names in parentheses.
  mutating func names() throws(SQLParseError) -> [SQLName] {
    try expectSymbol(.leftParenthesis)
    var names = [try name()]
    while skipSymbol(.comma) { names.append(try name()) }
    try expectSymbol(.rightParenthesis)
    return names
  }

  private mutating func core() throws(SQLParseError) -> SQLSelectCore {
    let start = start
    let id = newCore()
    if skipKeyword("VALUES") {
      var core = SQLSelectCore(id: id, columnsRange: start..<start, range: start..<start)
      repeat {
        try expectSymbol(.leftParenthesis)
        core.rows.append(try expressions())
        try expectSymbol(.rightParenthesis)
      } while skipSymbol(.comma)
      core.range = range(from: start)
      core.columnsRange = core.range
      return core
    }
    try expectKeyword("SELECT")
    let isDistinct = skipKeyword("DISTINCT")
    if !isDistinct { skipKeyword("ALL") }
    let columnsStart = self.start
    var core = SQLSelectCore(id: id, isDistinct: isDistinct, columnsRange: start..<start, range: start..<start)
    core.columns = try resultColumns()
    core.columnsRange = range(from: columnsStart)
    if skipKeyword("FROM") { core.from = try from() }
    if skipKeyword("WHERE") { core.condition = try expression() }
    let groupStart = self.start
    if skipKeywords("GROUP", "BY") {
      core.groupBy = try expressions()
      core.groupByRange = range(from: groupStart)
    }
    if skipKeyword("HAVING") { core.having = try expression() }
    if isKeyword("WINDOW"), isName(at: 1), isKeyword("AS", at: 2) {
      index += 1
      repeat {
        let name = try name()
        try expectKeyword("AS")
        core.windows.append((name, try window()))
      } while skipSymbol(.comma)
    }
    core.range = range(from: start)
    return core
  }

  mutating func resultColumns() throws(SQLParseError) -> [SQLResultColumn] {
    var columns: [SQLResultColumn] = []
    repeat {
      let start = start
      if skipSymbol(.star) {
        columns.append(SQLResultColumn(kind: .all(of: nil), range: range(from: start)))
      } else if isName(), isSymbol(.dot, at: 1), isSymbol(.star, at: 2) {
        let table = try name()
        index += 2
        columns.append(SQLResultColumn(kind: .all(of: table), range: range(from: start)))
      } else {
        let expression = try expression()
        let alias = try alias()
        columns.append(SQLResultColumn(kind: .expression(expression, alias: alias), range: range(from: start)))
      }
    } while skipSymbol(.comma)
    return columns
  }

  mutating func ordering() throws(SQLParseError) -> [SQLOrderingTerm] {
    try expectKeyword("ORDER")
    try expectKeyword("BY")
    var terms = [try orderingTerm()]
    while skipSymbol(.comma) { terms.append(try orderingTerm()) }
    return terms
  }

  mutating func orderingTerm() throws(SQLParseError) -> SQLOrderingTerm {
    let start = start
    let expression = try expression()
    let isDescending = skipKeyword("DESC")
    if !isDescending { skipKeyword("ASC") }
    var nullsFirst: Bool?
    if skipKeywords("NULLS", "FIRST") { nullsFirst = true }
    if skipKeywords("NULLS", "LAST") { nullsFirst = false }
    return SQLOrderingTerm(
      expression: expression, isDescending: isDescending, nullsFirst: nullsFirst, range: range(from: start))
  }

  /// Reads LIMIT in both spellings: `LIMIT count OFFSET skipped` and `LIMIT skipped, count`.
  mutating func limit() throws(SQLParseError) -> (limit: SQLExpression?, offset: SQLExpression?) {
    guard skipKeyword("LIMIT") else { return (nil, nil) }
    let first = try expression()
    if skipKeyword("OFFSET") { return (first, try expression()) }
    if skipSymbol(.comma) { return (try expression(), first) }
    return (first, nil)
  }
}
