/// The limit on the nesting depth of terms.
///
/// Code that traverses a term calls itself at each level: to compile, hash, evaluate and even release it. So no term is
/// made that is too deep for a thread's stack of 512 kB, even in debug builds. SQLite's parser supports about 90
/// levels.
extension Term {
  /// The greatest depth of an expression. A subquery counts as ``subqueryDepth`` levels.
  static let maximumDepth = 100
  /// The number of operators that take as much of the compiler's stack as a subquery.
  private static let subqueryDepth = 8

  /// The term, or an invalid term if it is too deep.
  ///
  /// O(size of the term).
  var limitedInDepth: Term {
    guard isDeeper(than: Self.maximumDepth) else { return self }
    return .invalid(
      "it nests too many operations: the limit is \(Self.maximumDepth), and a subquery counts as \(Self.subqueryDepth) operations. "
        + "Combine conditions with .all([…]) or .any([…]), look for values with in(_:), or calculate the value in Swift"
    )
  }

  /// Whether more than `limit` operations are nested. The recursion ends at this depth, however deep the term is.
  fileprivate func isDeeper(than limit: Int) -> Bool {
    if limit < 0 { return true }
    switch self {
    case .constant, .literal, .invalid:
      return false
    case .column(let column):
      return column.scope.isDeeper(than: limit - 1)
    case .binary(_, let lhs, let rhs):
      return lhs.isDeeper(than: limit - 1) || rhs.isDeeper(than: limit - 1)
    case .aggregate(let aggregate):
      let inner = limit - Self.subqueryDepth
      let rows = aggregate.rows
      return rows.origin.isDeeper(than: inner) || rows.association.isDeeper(than: inner)
        || rows.condition?.isDeeper(than: inner) ?? false || aggregate.argument?.isDeeper(than: inner) ?? false
    case .subquery(let operand, let subquery):
      return operand.isDeeper(than: limit - 1)
        || subquery.statement.terms.contains { $0.isDeeper(than: limit - Self.subqueryDepth) }
    case .unary(_, let operand), .membership(let operand, _), .prefix(let operand, _), .collate(let operand, _):
      return operand.isDeeper(than: limit - 1)
    case .function(_, let operands):
      return operands.contains { $0.isDeeper(than: limit - 1) }
    case .summary(_, let argument):
      return argument?.isDeeper(than: limit - 1) ?? false
    case .raw(let fragments):
      return fragments.contains { $0.term?.isDeeper(than: limit - 1) ?? false }
    }
  }
}

extension _Scope {
  fileprivate func isDeeper(than limit: Int) -> Bool {
    path.contains { $0.isDeeper(than: limit) }
  }
}

extension Association {
  /// Whether the association's conditions are nested deeper than the limit.
  fileprivate func isDeeper(than limit: Int) -> Bool {
    condition?.isDeeper(than: limit) ?? false || recursion?.step?.isDeeper(than: limit) ?? false
      || way.contains { $0.isDeeper(than: limit) }
  }
}

extension RawFragment {
  /// The term of the fragment, if it is one.
  var term: Term? {
    if case .term(let term) = self { term } else { nil }
  }
}

extension SelectStatement {
  /// All terms of the statement, including those in SQL written by hand.
  var terms: [Term] {
    var terms = columns + groups + orderings.map(\.term)
    switch source {
    case .raw(let fragments, _): terms += fragments.compactMap(\.term)
    case .tree(let tree): terms += tree.terms
    case .table: break
    }
    if let condition { terms.append(condition) }
    if let groupCondition { terms.append(groupCondition) }
    return terms
  }
}
