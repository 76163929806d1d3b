/// The rows that a to-many association leads to from a row of an outer level.
extension SQLCompiler {
  /// Writes `FROM` and the condition that selects the associated rows: `WHERE`, except for descendants, which the joins
  /// select.
  ///
  /// The caller writes the conditions on the rows, because they nest: the stack that this function uses isn't used at
  /// each level.
  mutating func writeRows(of rows: AssociatedRows) throws {
    let association = rows.association
    if association.recursion != nil {
      try writeFromDescendants(of: rows)
    } else if association.leadsOnce {
      try writeJoined(rows)
    } else {
      try writeFrom(association.destination, level: rows.level)
      write(" WHERE ")
      try writeMatch(of: rows)
    }
  }

  /// The condition that a row belongs to the association.
  private mutating func writeMatch(of rows: AssociatedRows) throws {
    let association = rows.association
    guard !association.way.isEmpty else {
      return try writeColumnPairs(association, from: rows.origin, to: rows.scope)
    }
    // The names are those of outer rows, which terms can't express inside a query.
    let values = try association.firstColumns.map { pair in
      let column = ColumnTerm(scope: rows.origin, owner: association.origin, index: pair.origin)
      return Term.raw([.sql(ExactText(try name(of: column)))])
    }
    try write(association.match(rows.scope, values))
  }

  /// The intermediate rows joined with their associated rows. No pair occurs twice.
  private mutating func writeJoined(_ rows: AssociatedRows) throws {
    let (first, last) = (rows.association.way[0], rows.association.way[1])
    let alias = unusedAlias(last.origin.table.name, in: frames)
    func name(_ column: Int) -> String {
      "\(alias.quotedIdentifier).\(last.origin.table.columns[column].name.quotedIdentifier)"
    }
    write(" FROM \(last.origin.table.name.quotedIdentifier)")
    if alias != last.origin.table.name { write(" AS \(alias.quotedIdentifier)") }
    write(" JOIN ")
    try writeTable(last.destination, level: rows.level)
    write(" ON ")
    try writeList(last.columns, separator: " AND ") { compiler, pair in
      let column = ColumnTerm(scope: rows.scope, owner: last.destination, index: pair.destination)
      compiler.write("\(try compiler.name(of: column)) = \(name(pair.origin))")
    }
    try writeJoins(level: rows.level)
    write(" WHERE ")
    try writeList(first.columns, separator: " AND ") { compiler, pair in
      let column = ColumnTerm(scope: rows.origin, owner: first.origin, index: pair.origin)
      compiler.write("\(name(pair.destination)) = \(try compiler.name(of: column))")
    }
  }
}
