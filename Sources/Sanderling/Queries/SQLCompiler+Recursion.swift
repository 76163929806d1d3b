/// Writes recursive associations: the keys of all descendants by a recursive common table expression, then their rows.
extension SQLCompiler {
  private static let descendants = "sanderling_descendants".quotedIdentifier

  /// Writes `WITH RECURSIVE`. Its UNION drops repeated keys, which ends cycles and counts each row once.
  mutating func write(_ recursion: Association.Recursion, of rows: AssociatedRows) throws {
    let association = rows.association
    let step = recursion.step?.rebased(onto: rows.scope)
    planJoins(level: rows.level, terms: step.map { [$0] } ?? [])
    let keys = association.columns.indices.map { "\"k\($0)\"" }.joined(separator: ", ")
    write("WITH RECURSIVE \(Self.descendants)(\(keys)) AS (SELECT ")
    if recursion.includesSelf {
      try writeList(association.columns) { compiler, pair in
        try compiler.write(.column(ColumnTerm(scope: rows.origin, owner: association.origin, index: pair.origin)))
      }
    } else {
      try writeKeys(of: rows)
      try writeFrom(association.destination, level: rows.level)
      write(" WHERE ")
      try writeColumnPairs(association, from: rows.origin, to: rows.scope)
      if let step {
        write(" AND ")
        try writeOperand(step)
      }
    }
    write(" UNION SELECT ")
    try writeKeys(of: rows)
    write(" FROM \(Self.descendants) CROSS JOIN ")
    try writeTable(association.destination, level: rows.level)
    write(" ON ")
    try writeMatch(of: rows, \.destination)
    try writeJoins(level: rows.level)
    if let step {
      write(" WHERE ")
      try write(step)
    }
    write(") ")
  }

  /// Writes the rows of the descendants, found by their keys.
  mutating func writeFromDescendants(of rows: AssociatedRows) throws {
    write(" FROM \(Self.descendants) CROSS JOIN ")
    try writeTable(rows.association.destination, level: rows.level)
    write(" ON ")
    try writeMatch(of: rows, \.origin)
    try writeJoins(level: rows.level)
  }

  private mutating func writeKeys(of rows: AssociatedRows) throws {
    try writeList(rows.association.columns) { compiler, pair in
      try compiler.write(
        .column(ColumnTerm(scope: rows.scope, owner: rows.association.destination, index: pair.origin)))
    }
  }

  /// Writes the condition that a row's columns equal the keys.
  private mutating func writeMatch(of rows: AssociatedRows, _ column: KeyPath<Association.ColumnPair, Int>) throws {
    try writeList(rows.association.columns.enumerated(), separator: " AND ") { compiler, pair in
      let index = pair.element[keyPath: column]
      try compiler.write(
        .column(ColumnTerm(scope: rows.scope, owner: rows.association.destination, index: index)))
      compiler.write(" = \(Self.descendants).\"k\(pair.offset)\"")
    }
  }
}
