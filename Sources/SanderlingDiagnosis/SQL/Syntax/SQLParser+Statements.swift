extension SQLParser {
  mutating func statement() throws(SQLParseError) -> SQLStatement.Kind {
    let start = start
    let first = index
    let with = isKeyword("WITH") ? try with() : nil
    switch token()?.keyword {
    case "SELECT", "VALUES":
      // The text is read again as a whole, so that the WITH clause is part of the SELECT.
      resetNumbers()
      index = first
      return .select(try select())
    case "INSERT", "REPLACE": return .insert(try insert(with, from: start))
    case "UPDATE": return .update(try update(with, from: start))
    case "DELETE": return .delete(try delete(with, from: start))
    default: throw error("expected SELECT, INSERT, UPDATE or DELETE")
    }
  }

  private mutating func insert(_ with: SQLWith?, from start: Int) throws(SQLParseError) -> SQLInsert {
    if !skipKeyword("REPLACE") {
      try expectKeyword("INSERT")
      try conflictPolicy()
    }
    try expectKeyword("INTO")
    let target = try target()
    let columns = isSymbol(.leftParenthesis) ? try names() : []
    var insert = SQLInsert(
      with: with, target: target, columns: columns, upserts: [], returning: [], range: start..<start)
    if !skipKeywords("DEFAULT", "VALUES") {
      insert.select = try select()
    }
    while skipKeywords("ON", "CONFLICT") { insert.upserts.append(try upsert()) }
    insert.returning = try returning()
    insert.range = range(from: start)
    return insert
  }

  private mutating func upsert() throws(SQLParseError) -> SQLUpsert {
    var upsert = SQLUpsert()
    if skipSymbol(.leftParenthesis) {
      repeat { upsert.target.append(try orderingTerm()) } while skipSymbol(.comma)
      try expectSymbol(.rightParenthesis)
      if skipKeyword("WHERE") { upsert.targetCondition = try expression() }
    }
    try expectKeyword("DO")
    if skipKeyword("NOTHING") { return upsert }
    try expectKeyword("UPDATE")
    upsert.assignments = try assignments()
    if skipKeyword("WHERE") { upsert.condition = try expression() }
    return upsert
  }

  private mutating func update(_ with: SQLWith?, from start: Int) throws(SQLParseError) -> SQLUpdate {
    try expectKeyword("UPDATE")
    try conflictPolicy()
    let id = newCore()
    let target = try target()
    let assignments = try assignments()
    let from = skipKeyword("FROM") ? try from() : nil
    let condition = skipKeyword("WHERE") ? try expression() : nil
    // SQLite expects RETURNING before ORDER BY.
    let returning = try returning()
    let orderBy = isKeyword("ORDER") ? try ordering() : []
    let (limit, offset) = try limit()
    return SQLUpdate(
      id: id, with: with, target: target, assignments: assignments, from: from, condition: condition,
      returning: returning, orderBy: orderBy, limit: limit, offset: offset, range: range(from: start))
  }

  private mutating func delete(_ with: SQLWith?, from start: Int) throws(SQLParseError) -> SQLDelete {
    try expectKeyword("DELETE")
    try expectKeyword("FROM")
    let id = newCore()
    let target = try target()
    let condition = skipKeyword("WHERE") ? try expression() : nil
    let returning = try returning()
    let orderBy = isKeyword("ORDER") ? try ordering() : []
    let (limit, offset) = try limit()
    return SQLDelete(
      id: id, with: with, target: target, condition: condition, returning: returning, orderBy: orderBy, limit: limit,
      offset: offset, range: range(from: start))
  }

  private mutating func conflictPolicy() throws(SQLParseError) {
    guard skipKeyword("OR") else { return }
    guard let keyword = token()?.keyword, ["ROLLBACK", "ABORT", "FAIL", "IGNORE", "REPLACE"].contains(keyword) else {
      throw error("expected ROLLBACK, ABORT, FAIL, IGNORE or REPLACE")
    }
    index += 1
  }

  /// Reads the written table.
  private mutating func target() throws(SQLParseError) -> SQLSource {
    let start = start
    var name = try name()
    var schema: SQLName?
    if skipSymbol(.dot) { (schema, name) = (name, try self.name()) }
    var target = SQLSource(
      id: newSource(), kind: .table(schema: schema, name), range: start..<start, joinRange: start..<start)
    if skipKeyword("AS") { target.alias = try self.name() }
    try readIndexedBy(into: &target)
    target.range = range(from: start)
    target.joinRange = target.range
    return target
  }

  private mutating func assignments() throws(SQLParseError) -> [SQLAssignment] {
    try expectKeyword("SET")
    var assignments: [SQLAssignment] = []
    repeat {
      let start = start
      let columns = isSymbol(.leftParenthesis) ? try names() : [try name()]
      try expectSymbol(.equal)
      let value = try expression()
      assignments.append(SQLAssignment(columns: columns, value: value, range: range(from: start)))
    } while skipSymbol(.comma)
    return assignments
  }

  private mutating func returning() throws(SQLParseError) -> [SQLResultColumn] {
    skipKeyword("RETURNING") ? try resultColumns() : []
  }
}
