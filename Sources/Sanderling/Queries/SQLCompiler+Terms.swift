/// Writes terms: columns, values, operators, functions and aggregates.
extension SQLCompiler {
  package mutating func write(_ term: Term) throws {
    if let column = computed[term] {
      write(column)
      return
    }
    if writeKnown(term) { return }
    switch term {
    case .column(let column): try write(column)
    case .constant(let value): writeParameter(value)
    case .literal(let value): write(value.literal)
    case .invalid(let reason): throw StoreError.invalidQuery(reason)
    case .unary(let op, let operand): try write(op, operand)
    case .binary(let op, let lhs, let rhs):
      let isLogical = op == .and || op == .or
      try writeOperand(isLogical ? lhs.asCondition : lhs)
      write(" \(op.rawValue) ")
      try writeOperand(isLogical ? rhs.asCondition : rhs)
    case .membership(let operand, let members):
      try writeOperand(operand)
      write(members)
    case .subquery(let operand, let subquery):
      try writeOperand(operand)
      write(" IN (")
      try write(subquery.statement)
      write(")")
    case .prefix(let operand, let prefix): try write(prefix: prefix.string, of: operand)
    case .function(.when, let arguments) where arguments.count == 2:
      write("CASE WHEN ")
      try write(arguments[0].asCondition)
      write(" THEN ")
      try write(arguments[1])
      write(" END")
    case .function(.day, let arguments):
      guard let day = DayArguments(arguments) else { throw StoreError.invalidQuery(DayArguments.obstacle) }
      try write(day)
    case .function(.folded, let arguments): try writeFolded(arguments)
    case .function(.matches, let arguments): try writeMatches(MatchArguments(arguments))
    case .function(.relevance, let arguments): try writeRelevance(MatchArguments(arguments))
    case .function(.jsonPart, let arguments) where arguments.count == 2:
      try writeIfJSON(arguments[0]) { compiler in
        compiler.write("json_extract(")
        try compiler.writeList(arguments) { try $0.write($1) }
        compiler.write(")")
      }
    case .function(.jsonContains, let arguments) where arguments.count == 3:
      try writeIfJSON(arguments[0]) { compiler in
        compiler.write("EXISTS (SELECT 1 FROM json_each(")
        try compiler.writeList(arguments.dropLast()) { try $0.write($1) }
        compiler.write(") AS \"element\" WHERE \"element\".\"value\" = ")
        try compiler.write(arguments[2])
        compiler.write(")")
      }
    case .function(let function, let arguments):
      write(function.rawValue + "(")
      try writeList(arguments) { try $0.write($1) }
      write(")")
    case .collate(let operand, let collation):
      try writeOperand(operand)
      write(" COLLATE \(collation.rawValue)")
    case .aggregate(let aggregate): try write(aggregate)
    case .summary(let function, let argument): try write(function, argument)
    case .raw(let fragments): try write(fragments)
    }
  }

  /// Writes an expression that is NULL unless a text is JSON. SQLite's functions fail the whole query for one row whose
  /// text is none.
  private mutating func writeIfJSON(_ text: Term, _ body: (inout SQLCompiler) throws -> Void) throws {
    write("CASE WHEN json_valid(")
    try write(text)
    write(") THEN ")
    try body(&self)
    write(" END")
  }

  /// Writes a term, in parentheses if it needs them.
  mutating func writeOperand(_ term: Term) throws {
    let isAtom =
      switch term {
      case .function(.when, _), .function(.day, _), .function(.matches, _), .function(.jsonPart, _),
        .function(.jsonContains, _):
        false
      case .column, .constant, .literal, .invalid, .function, .aggregate, .summary: true
      default: computed[term] != nil
      }
    if !isAtom { write("(") }
    try write(term)
    if !isAtom { write(")") }
  }

  private mutating func write(_ column: ColumnTerm) throws {
    write(try name(of: column))
  }

  /// The name of a column, qualified by its table's alias.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for a column of another query's rows.
  func name(of column: ColumnTerm) throws -> String {
    try qualified(column.definition.name.quotedIdentifier, as: column)
  }

  /// A name in a column's table, qualified by the table's alias.
  func qualified(_ name: String, as column: ColumnTerm) throws -> String {
    if writesDefinition {
      guard column.scope == .root else {
        throw StoreError.invalidQuery("an index can only use columns of its own table, not associations")
      }
      return name
    }
    guard frames.indices.contains(column.scope.level),
      let alias = frames[column.scope.level].aliases[column.scope.path]
    else {
      throw StoreError.invalidQuery(
        "column \(name) of \(column.owner.type) is used outside of its query: use a field only inside the closure that receives it"
      )
    }
    let type = column.scope.path.last?.destination ?? frames[column.scope.level].type
    guard type == column.owner else {
      throw StoreError.invalidQuery(
        "column \(name) of \(column.owner.type) is used in a query of \(type.type): a query inside another query can't read the "
          + "rows of that query, use an association")
    }
    return "\(alias.quotedIdentifier).\(name)"
  }

  /// Writes the column of folded texts with a mark. The mark shows the runner of the statement whether the column may
  /// be read: see ``FoldMark``.
  private mutating func writeFolded(_ arguments: [Term]) throws {
    guard arguments.count == 1, case .column(let column) = arguments[0],
      let folded = column.owner.table.folded.first(where: { $0.text == column.index })
    else {
      throw StoreError.invalidQuery(Self.obstacle(toFolding: arguments.first))
    }
    let name = try qualified(folded.name.quotedIdentifier, as: column)
    if writesDefinition { return write(name) }
    write(FoldMark(text: try self.name(of: column), folded: name, column: folded, table: column.owner.table.name).sql)
  }

  private static func obstacle(toFolding term: Term?) -> String {
    guard case .column(let column) = term else {
      return "only columns have a folded text, not expressions of them: declare the property with @Searchable"
    }
    return
      "\(column.owner.type).\(column.definition.property) has no folded text: declare the property with @Searchable"
  }

  private mutating func write(_ op: UnaryOperator, _ operand: Term) throws {
    switch op {
    case .not:
      write("NOT ")
      try writeOperand(operand.asCondition)
    case .negate:
      write("- ")
      try writeOperand(operand)
    case .isNull, .isNotNull:
      try writeOperand(operand)
      write(" \(op.rawValue)")
    }
  }

  private mutating func write(prefix: String, of operand: Term) throws {
    let binary = operand.asBytes
    try writeOperand(binary)
    write(" >= ")
    writeParameter(.text(prefix))
    if let successor = prefix.prefixSuccessor {
      write(" AND ")
      try writeOperand(binary)
      write(" < ")
      writeParameter(.text(successor))
    }
  }

  private mutating func write(
    _ function: AggregateFunction, _ argument: Term?,
    _ writeArgument: (inout SQLCompiler, Term) throws -> Void = { try $0.write($1) }
  ) throws {
    switch function {
    case .count: write("COUNT(")
    case .countDistinct: write("COUNT(DISTINCT ")
    case .exists, .joined: preconditionFailure("EXISTS and group_concat are written around their rows")
    case .sum: write("SUM(")
    case .minimum: write("MIN(")
    case .maximum: write("MAX(")
    case .average: write("AVG(")
    }
    if let argument { try writeArgument(&self, argument) } else { write("*") }
    write(")")
  }

  /// Writes the argument of an aggregate over the rows of a level.
  ///
  /// SQL assigns an aggregate whose argument has only columns of outer rows to the outer query. A column of the
  /// aggregate's own rows keeps the aggregate here.
  private mutating func write(_ argument: Term, ofRowsAt level: Int) throws {
    var (usesOwn, usesOuter) = (false, false)
    argument.forEachScope {
      usesOwn = usesOwn || $0.level == level
      usesOuter = usesOuter || $0.level < level
    }
    guard usesOuter && !usesOwn else { return try write(argument) }
    let type = frames[level].type
    let key = Term.column(ColumnTerm(scope: _Scope(level: level), owner: type, index: type.table.key[0]))
    write("CASE WHEN ")
    try write(.binary(.is, key, key))
    write(" THEN ")
    try write(argument)
    write(" END")
  }

  /// Writes a correlated subquery, which visits only the rows of the association.
  private mutating func write(_ aggregate: AggregateTerm) throws {
    let rows = aggregate.rows
    let enclosing = frames
    defer { frames = enclosing }
    guard rows.level <= frames.count, !writesDefinition else {
      throw StoreError.invalidQuery(
        writesDefinition
          ? "an index can only use columns of its own table, not associations"
          : "an aggregate is used outside of its query: use it only inside the closure of that query")
    }
    if [aggregate.argument, rows.fullCondition].contains(where: { $0?.containsSummary == true }) {
      throw StoreError.invalidQuery(
        "an aggregate over the query's own rows stands in the closure of an association: use the association's own count, "
          + "sum, min, max or average")
    }
    if !readsByKey, aggregate.function == .exists, let pair = rows.searchedPair {
      return try writeMembership(of: rows, pair)
    }
    let alias = unusedAlias(rows.association.destination.table.name, in: frames)
    frames = Array(frames.prefix(rows.level)) + [Frame(type: rows.association.destination, aliases: [[]: alias])]

    let terms = [aggregate.argument, rows.fullCondition].compactMap { $0 }
    if case .joined(let separator) = aggregate.function {
      // The subquery determines the order, since only SQLite 3.44 and later accept an order inside group_concat.
      write("(SELECT group_concat(\"sanderling_text\", ")
      writeParameter(.text(separator.string))
      write(") FROM ")
    }
    write(aggregate.function == .exists ? "EXISTS (" : "(")
    if let recursion = rows.association.recursion { try write(recursion, of: rows) }
    planJoins(level: rows.level, terms: terms)
    write("SELECT ")
    switch aggregate.function {
    case .exists: write("1")
    case .joined:
      if let argument = aggregate.argument { try write(argument, ofRowsAt: rows.level) }
      write(" AS \"sanderling_text\"")
    default: try write(aggregate.function, aggregate.argument) { try $0.write($1, ofRowsAt: rows.level) }
    }
    try writeRows(of: rows)
    if let condition = rows.fullCondition {
      write(rows.association.recursion == nil ? " AND " : " WHERE ")
      try writeConjuncts(of: condition)
    }
    // The second key orders texts that are equal under the column's collation.
    if case .joined = aggregate.function { write(" ORDER BY \"sanderling_text\", \"sanderling_text\" COLLATE BINARY)") }
    write(")")
  }

  private mutating func write(_ fragments: [RawFragment]) throws {
    for fragment in fragments {
      switch fragment {
      case .sql(let text): write(text.string)
      case .value(let value): writeParameter(value)
      case .term(let term): try writeOperand(term)
      case .query(let query): try write(query)
      case .tree(let column): try write(column)
      case .invalid(let reason): throw StoreError.invalidQuery(reason)
      }
    }
  }
}
