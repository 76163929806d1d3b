/// Writes searches: an index finds candidates, and a function of the library decides about each of them.
extension SQLCompiler {
  mutating func writeMatches(_ arguments: MatchArguments) throws {
    if writesDefinition {
      throw StoreError.invalidQuery("an index can't contain a search: declare the text with @Searchable")
    }
    let search = arguments.search
    if search.matchesAll {
      return try writeList(arguments.columns, separator: " OR ") { compiler, column in
        try compiler.write(Term.unary(.isNotNull, .column(column)))
      }
    }
    if search.kind == .prefix {
      return try writeList(arguments.columns, separator: " OR ") { compiler, column in
        try compiler.writePrefixMatch(arguments, column)
      }
    }
    if !readsByKey, let expression = search.fullTextExpression {
      try writeCandidates(arguments, expression)
      write(" AND ")
    }
    try writeDecision(arguments, arguments.columns)
  }

  /// Writes the condition for candidates: rows whose documents an index finds, and rows that aren't indexed yet.
  ///
  /// If the column comes from a LEFT JOIN, a condition follows that is true for all candidates. It shows SQLite that
  /// the join finds a row, so that the plan can begin with the index.
  private mutating func writeCandidates(_ arguments: MatchArguments, _ expression: String) throws {
    guard let index = arguments.columns[0].owner.table.searchIndex else { return }
    let document = try qualified(index.document.quotedIdentifier, as: arguments.columns[0])
    let tables = index.fullTextTables(arguments.columns, arguments.search.kind)
    write("\(document) IN (")
    for table in tables {
      let name = table.name.quotedIdentifier
      write("SELECT rowid FROM \(name) WHERE \(name) MATCH ")
      writeParameter(.text(table.limited(expression, to: arguments.columns)))
      write(" UNION ALL ")
    }
    write("\(index.waitingSQL))")
    if !arguments.columns[0].scope.path.isEmpty { write(" AND \(document) >= \(Int64.min)") }
  }

  /// Writes a range of the folded texts. NULL is in no range, and makes the second condition false.
  private mutating func writePrefixMatch(_ arguments: MatchArguments, _ column: ColumnTerm) throws {
    let text = Term.column(column)
    let prefix = ExactText(String(decoding: arguments.search.needle, as: UTF8.self))
    try write(.prefix(.collate(.function(.folded, [text]), .binary), prefix))
    write(" AND ")
    if arguments.search.mayEndAnywhere {
      try write(Term.unary(.isNotNull, text))
    } else {
      try writeDecision(arguments, [column])
    }
  }

  /// Writes the function that decides whether texts match.
  private mutating func writeDecision(_ arguments: MatchArguments, _ columns: [ColumnTerm]) throws {
    write("\(MatchFunction.name)(\(arguments.search.kind.rawValue.quotedLiteral), ")
    writeParameter(.text(arguments.input))
    for column in columns {
      write(", ")
      try write(Term.column(column))
    }
    write(")")
  }

  /// Writes a value for each found document, which depends on all documents, and 0 for other rows.
  mutating func writeRelevance(_ arguments: MatchArguments) throws {
    guard let expression = arguments.search.fullTextExpression,
      let index = arguments.columns[0].owner.table.searchIndex,
      let table = index.fullTextTables(arguments.columns, .words).first
    else { return write("0.0") }
    let document = try qualified(index.document.quotedIdentifier, as: arguments.columns[0])
    let name = table.name.quotedIdentifier
    let weights = table.texts.map { text in
      let position = arguments.columns.firstIndex { $0.index == text.index }
      return StorageValue.real(position.map { arguments.weights[$0] } ?? 0).literal
    }
    // The limit keeps SQLite from querying the index for each row. The result is read once, then looked up.
    write(
      "coalesce((SELECT \"relevance\" FROM (SELECT rowid AS \"document\", -bm25(\(name), \(weights.joined(separator: ", "))) "
    )
    write("AS \"relevance\" FROM \(name) WHERE \(name) MATCH ")
    writeParameter(.text(table.limited(expression, to: arguments.columns)))
    write(" LIMIT -1) WHERE \"document\" = \(document)), 0.0)")
  }

  // MARK: To-many associations

  /// Writes the condition that an association leads to a row that a search finds. It uses the association's column, so
  /// that SQLite can begin with the search.
  mutating func writeMembership(of rows: AssociatedRows, _ pair: Association.ColumnPair) throws {
    let destination = rows.association.destination
    let origin = ColumnTerm(scope: rows.origin, owner: rows.association.origin, index: pair.origin)
    // An app's table may contain NULL where the record declares none. A NULL in a list makes NOT IN unknown for all
    // other values. If SQLite knows that the column is NOT NULL, it omits both tests.
    let name = try name(of: origin)
    write("(\(name) IS NOT NULL AND \(name) IN (SELECT ")
    let alias = unusedAlias(destination.table.name, in: frames)
    frames = Array(frames.prefix(rows.level)) + [Frame(type: destination, aliases: [[]: alias])]
    let column = Term.column(ColumnTerm(scope: rows.scope, owner: destination, index: pair.destination))
    let condition = rows.fullCondition ?? .literal(.integer(1))
    planJoins(level: rows.level, terms: [condition])
    try write(column)
    try writeFrom(destination, level: rows.level)
    write(" WHERE ")
    try writeConjuncts(of: condition.withSearchesLast)
    write(" AND ")
    try write(Term.unary(.isNotNull, column))
    write("))")
  }
}

extension AssociatedRows {
  /// The columns that connect the rows, if an index can serve a search that all rows must match. Nil for other rows,
  /// and if a condition on them depends on the association's origin.
  var searchedPair: Association.ColumnPair? {
    guard association.recursion == nil, association.way.isEmpty, association.columns.count == 1,
      let pair = association.columns.first, let condition = fullCondition,
      condition.conjuncts.contains(where: { $0.isSearch(at: level) })
    else { return nil }
    let (from, to) = (
      association.origin.table.columns[pair.origin], association.destination.table.columns[pair.destination]
    )
    // IN compares by the collation of its left operand.
    guard from.collation == .binary, to.collation == .binary, from.type == to.type else { return nil }
    var isIndependent = true
    condition.forEachScope { if $0.level < level { isIndependent = false } }
    return isIndependent ? pair : nil
  }
}

extension Term {
  /// Whether the term is a search of a level's rows by a full-text index.
  fileprivate func isSearch(at level: Int) -> Bool {
    guard case .function(.matches, let operands) = self, let arguments = try? MatchArguments(operands) else {
      return false
    }
    return arguments.columns[0].scope == _Scope(level: level) && arguments.search.fullTextExpression != nil
  }
}
