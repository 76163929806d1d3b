/// Writes the rows that a to-many association finds for a row of an outer level.
extension SQLCompiler {
  /// Writes `FROM`, and `WHERE` with the condition that selects the associated rows. Descendants have no `WHERE`: joins
  /// select them.
  ///
  /// The caller writes the conditions on the rows. Conditions nest, and the stack of this function is then not needed
  /// at each level.
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

  /// Writes the condition that a row belongs to the association.
  private mutating func writeMatch(of rows: AssociatedRows) throws {
    let association = rows.association
    guard !association.way.isEmpty else {
      return try writeColumnPairs(association, from: rows.origin, to: rows.scope)
    }
    // The columns belong to outer rows, which terms can't refer to inside a query. So the SQL names them.
    let values = try association.firstColumns.map { pair in
      let column = ColumnTerm(scope: rows.origin, owner: association.origin, index: pair.origin)
      return Term.raw([.sql(ExactText(try name(of: column)))])
    }
    try write(association.match(rows.scope, values))
  }

  /// Writes the intermediate rows, joined with their associated rows. No pair occurs twice.
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
