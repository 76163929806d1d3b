import SanderlingSQL

/// The definition of an index, in a form that is equal for indexes that serve the same queries, regardless of their
/// names.
struct IndexShape: Hashable, Sendable {
  struct Term: Hashable, Sendable {
    /// The column's name or the expression, as normalized SQL.
    let sql: String
    /// The name of the collation, in lower case.
    let collation: String
    let isDescending: Bool

    static func == (lhs: Term, rhs: Term) -> Bool {
      lhs.hasValues(of: rhs) && lhs.isDescending == rhs.isDescending
    }

    /// Whether both terms contain the same values, ascending or descending. Texts in expressions are compared by their
    /// bytes, as in SQLite.
    func hasValues(of other: Term) -> Bool {
      sql.isIdentical(to: other.sql) && collation.isIdentical(to: other.collation)
    }
  }

  let isUnique: Bool
  let terms: [Term]
  let condition: String?

  static func == (lhs: IndexShape, rhs: IndexShape) -> Bool {
    lhs.isUnique == rhs.isUnique && lhs.finds(sameRowsAs: rhs)
  }

  /// Whether both indexes contain the same values of the same rows.
  func finds(sameRowsAs other: IndexShape) -> Bool {
    guard terms == other.terms else { return false }
    switch (condition, other.condition) {
    case (nil, nil): return true
    case (let condition?, let other?): return condition.isIdentical(to: other)
    default: return false
    }
  }

  init(isUnique: Bool, terms: [Term], condition: String? = nil) {
    self.isUnique = isUnique
    self.terms = terms
    self.condition = condition
  }

  /// Parses a statement.
  ///
  /// - Parameters:
  ///   - sql: A CREATE INDEX statement.
  ///   - collation: Returns the collation of the table's column with a name; nil if there is no such column.
  init?(_ sql: String, collation: (String) -> String?) {
    guard let syntax = CreateIndexSyntax(sql) else { return nil }
    isUnique = syntax.isUnique
    terms = syntax.keys.map { Term($0, of: syntax, collation) }
    condition = syntax.condition.map { range in
      var range = range
      while let inner = syntax.tokens.insideParentheses(range) { range = inner }
      return syntax.tokens.normalized(range)
    }
  }
}

extension IndexShape.Term {
  fileprivate init(_ key: CreateIndexSyntax.Key, of syntax: CreateIndexSyntax, _ collation: (String) -> String?) {
    var (range, name) = (key.expression, key.collation)
    while let inner = syntax.tokens.insideParentheses(range) {
      let (expression, own) = syntax.withoutCollations(inner)
      (range, name) = (expression, name ?? own)
    }
    let column = range.count == 1 ? collation(syntax.tokens.tokens[range.lowerBound].name) : nil
    self.init(
      sql: syntax.tokens.normalized(range), collation: name ?? column?.lowercased() ?? "binary",
      isDescending: key.isDescending)
  }
}
