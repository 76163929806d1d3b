extension SQLParser {
  /// Reads the sources after FROM.
  mutating func from() throws(SQLParseError) -> SQLFrom {
    let start = start
    var sources = try sourceOrJoin()
    while let (joinStart, operation) = try joinOperator() {
      var joined = try sourceOrJoin()
      var join = operation
      if skipKeyword("ON") {
        join.on = try expression()
      } else if skipKeyword("USING") {
        join.using = try names()
      }
      if joined.count > 1, join.kind != .inner, join.kind != .cross {
        throw error("outer joins of a join in parentheses are not supported")
      }
      // The operator of a join with parentheses on its right side is stored with the first source in them.
      joined[0].join = join
      joined[0].joinRange = range(from: joinStart)
      sources += joined
      guard sources.count <= Self.sourceLimit else { throw error("more than \(Self.sourceLimit) tables in a join") }
    }
    return SQLFrom(sources: sources, range: range(from: start))
  }

  /// Reads the sources at one position: a single one, or those of a join in parentheses.
  private mutating func sourceOrJoin() throws(SQLParseError) -> [SQLSource] {
    let start = start
    guard isSymbol(.leftParenthesis) else { return [try namedSource()] }
    index += 1
    if startsSelect() {
      let select = try select()
      try expectSymbol(.rightParenthesis)
      var source = SQLSource(id: newSource(), kind: .subquery(select), range: start..<start, joinRange: start..<start)
      source.alias = try alias()
      source.range = range(from: start)
      source.joinRange = source.range
      return [source]
    }
    try enter()
    defer { level -= 1 }
    let inner = try from()
    try expectSymbol(.rightParenthesis)
    if inner.sources.count > 1,
      inner.sources.dropFirst().contains(where: { $0.join.kind != .inner && $0.join.kind != .cross })
    {
      // A list of sources can't represent the nesting of outer joins.
      throw error("outer joins in parentheses are not supported")
    }
    guard isKeyword("AS") || (isName() && !isJoinWord()) else { return inner.sources }
    guard inner.sources.count == 1 else { throw error("an alias of a join is not supported") }
    var source = inner.sources[0]
    source.alias = try alias() ?? source.alias
    return [source]
  }

  private func isJoinWord() -> Bool {
    ["CROSS", "FULL", "INNER", "LEFT", "NATURAL", "OUTER", "RIGHT", "WINDOW"].contains(token()?.keyword ?? "")
  }

  private mutating func namedSource() throws(SQLParseError) -> SQLSource {
    let start = start
    var name = try name()
    var schema: SQLName?
    if skipSymbol(.dot) { (schema, name) = (name, try self.name()) }
    var kind = SQLSource.Kind.table(schema: schema, name)
    if skipSymbol(.leftParenthesis) {
      let arguments = isSymbol(.rightParenthesis) ? [] : try expressions()
      try expectSymbol(.rightParenthesis)
      kind = .function(name, arguments: arguments)
    }
    var source = SQLSource(id: newSource(), kind: kind, range: start..<start, joinRange: start..<start)
    source.alias = try alias()
    try readIndexedBy(into: &source)
    source.range = range(from: start)
    source.joinRange = source.range
    return source
  }

  mutating func readIndexedBy(into source: inout SQLSource) throws(SQLParseError) {
    if skipKeywords("INDEXED", "BY") {
      source.indexedBy = try name()
    } else if skipKeywords("NOT", "INDEXED") {
      source.isNotIndexed = true
    }
  }

  private mutating func joinOperator() throws(SQLParseError) -> (start: Int, SQLJoin)? {
    let start = start
    if skipSymbol(.comma) { return (start, SQLJoin()) }
    var join = SQLJoin()
    var words: Set<String> = []
    while let keyword = token()?.keyword, words.count < 4,
      ["NATURAL", "LEFT", "RIGHT", "FULL", "OUTER", "INNER", "CROSS"].contains(keyword)
    {
      words.insert(keyword)
      index += 1
    }
    guard skipKeyword("JOIN") else {
      if words.isEmpty { return nil }
      throw error("expected JOIN")
    }
    join.isNatural = words.contains("NATURAL")
    if words.contains("CROSS") { join.kind = .cross }
    if words.contains("LEFT") { join.kind = .left }
    if words.contains("RIGHT") { join.kind = .right }
    if words.contains("FULL") || words.isSuperset(of: ["LEFT", "RIGHT"]) { join.kind = .full }
    return (start, join)
  }
}
