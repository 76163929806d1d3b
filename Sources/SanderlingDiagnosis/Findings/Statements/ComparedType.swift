import SanderlingSQL

/// The collation and the affinity that decide a comparison with `=`.
struct ComparedType: Equatable {
  /// The name of the collation in lower case.
  var collation: String
  var affinity: Affinity
}

extension MovableStatement {
  /// The compared type of an expression; nil if it is neither a column nor a table's rowid.
  func comparedType(of expression: SQLExpression, _ schema: DatabaseSchema) -> ComparedType? {
    if let own = column(expression, schema)?.column {
      return ComparedType(collation: own.collation.asciiLowercased, affinity: own.affinity)
    }
    guard case .column(let source, let name)? = shape.resolved.meaning(of: expression.unwrapped),
      let table = shape.resolved.sources[source]?.table.flatMap({ schema.table($0.name) }), !table.isWithoutRowID,
      ActualColumn.rowIDNames.contains(name.asciiLowercased)
    else { return nil }
    return ComparedType(collation: "binary", affinity: .integer)
  }
}
