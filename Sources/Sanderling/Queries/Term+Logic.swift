/// Conditions that are made of others.
///
/// However many conditions AND or OR combines, and in whatever order a program puts them together, they form one balanced tree,
/// so that nothing that goes through it needs a stack as deep as there are conditions: neither Swift nor SQLite, whose limit is
/// 1,000. The left side of a node is a perfect tree, of the greatest power of two that leaves something for the right side.
/// The conditions keep their order, so equal sequences are equal terms.
extension Term {
  /// The term as a condition: a truth column on its own reads `column = 1`, which an index can serve.
  package var asCondition: Term {
    if case .column = self { return .binary(.equal, self, .literal(.integer(1))) }
    return self
  }

  /// Both conditions. Appending one condition takes O(log² conditions), anything else O(conditions).
  package static func && (lhs: Term, rhs: Term) -> Term {
    combined(.and, lhs.asCondition, rhs.asCondition)
  }

  /// Either condition. Appending one condition takes O(log² conditions), anything else O(conditions).
  package static func || (lhs: Term, rhs: Term) -> Term {
    combined(.or, lhs.asCondition, rhs.asCondition)
  }

  package static prefix func ! (term: Term) -> Term {
    switch term {
    case .column: .binary(.equal, term, .literal(.integer(0)))
    case .unary(.isNull, let operand): .unary(.isNotNull, operand)
    case .unary(.isNotNull, let operand): .unary(.isNull, operand)
    default: Term.unary(.not, term).limitedInDepth
    }
  }

  /// The conditions that all must hold.
  package var conjuncts: [Term] { parts(of: .and) }

  /// The same condition with searches after all other conditions. SQLite evaluates conditions in their order unless an
  /// index serves them, and comparing texts takes longest.
  var withSearchesLast: Term {
    let conjuncts = conjuncts
    let searches = conjuncts.filter(\.isSearch)
    if searches.isEmpty || searches.count == conjuncts.count { return self }
    return Term.all(conjuncts.filter { !$0.isSearch } + searches) ?? self
  }

  /// Whether it says that texts match.
  private var isSearch: Bool {
    if case .function(.matches, _) = self { true } else { false }
  }

  /// All of the conditions, or nil for none.
  package static func all(_ conditions: some Sequence<Term>) -> Term? {
    combined(.and, conditions)
  }

  /// Any of the conditions, or nil for none.
  package static func any(_ conditions: some Sequence<Term>) -> Term? {
    combined(.or, conditions)
  }

  /// The most conditions that one AND or OR combines. SQLite takes longer and longer to plan more of them.
  static let maximumPartCount = 10_000

  // MARK: Trees

  private static func combined(_ op: BinaryOperator, _ conditions: some Sequence<Term>) -> Term? {
    var parts: [Term] = []
    for condition in conditions {
      let condition = condition.asCondition
      if condition.isNode(of: op) { parts += condition.parts(of: op) } else { parts.append(condition.asPart) }
    }
    if parts.isEmpty { return nil }
    if parts.count > maximumPartCount { return tooMany(parts.count, op) }
    return balanced(op, parts[...])
  }

  private static func combined(_ op: BinaryOperator, _ lhs: Term, _ rhs: Term) -> Term {
    // An invalid part makes the whole invalid. Otherwise a term that became too long would be built again and again.
    if case .invalid = lhs { return lhs }
    if case .invalid = rhs { return rhs }
    let count = lhs.partCount(of: op) + rhs.partCount(of: op)
    if count > maximumPartCount { return tooMany(count, op) }
    let left = lhs.isNode(of: op) ? lhs : lhs.asPart
    if !rhs.isNode(of: op) { return left.appending(rhs.asPart, op) }
    return balanced(op, (left.parts(of: op) + rhs.parts(of: op))[...])
  }

  /// A balanced tree of at least one part.
  private static func balanced(_ op: BinaryOperator, _ parts: ArraySlice<Term>) -> Term {
    if parts.count == 1 { return parts[parts.startIndex] }
    var left = 1
    while 2 * left < parts.count { left *= 2 }
    return .binary(op, balanced(op, parts.prefix(left)), balanced(op, parts.dropFirst(left)))
  }

  /// The tree with one more part.
  private func appending(_ part: Term, _ op: BinaryOperator) -> Term {
    guard case .binary(op, let lhs, let rhs) = self else { return .binary(op, self, part) }
    let count = partCount(of: op)
    // A perfect tree becomes the left side of the next larger one.
    return count & (count - 1) == 0 ? .binary(op, self, part) : .binary(op, lhs, rhs.appending(part, op))
  }

  private func isNode(of op: BinaryOperator) -> Bool {
    if case .binary(op, _, _) = self { true } else { false }
  }

  /// How many parts the tree has. O(log² parts), since left sides are perfect.
  private func partCount(of op: BinaryOperator) -> Int {
    guard case .binary(op, let lhs, let rhs) = self else { return 1 }
    var leftCount = 1
    var node = lhs
    while case .binary(op, let next, _) = node {
      leftCount *= 2
      node = next
    }
    return leftCount + rhs.partCount(of: op)
  }

  /// The parts in their order.
  private func parts(of op: BinaryOperator) -> [Term] {
    var parts: [Term] = []
    appendParts(of: op, to: &parts)
    return parts
  }

  private func appendParts(of op: BinaryOperator, to parts: inout [Term]) {
    guard case .binary(op, let lhs, let rhs) = self else { return parts.append(self) }
    lhs.appendParts(of: op, to: &parts)
    rhs.appendParts(of: op, to: &parts)
  }

  /// The term as a part of a tree. Of the terms that are made from it, only AND and OR may be deeper than
  /// ``maximumDepth``: their construction doesn't look at all of their parts.
  private var asPart: Term {
    isNode(of: .and) || isNode(of: .or) ? limitedInDepth : self
  }

  private static func tooMany(_ count: Int, _ op: BinaryOperator) -> Term {
    .invalid(
      "it combines \(count) conditions by \(op.rawValue), and the limit is \(maximumPartCount): look for values with in(_:), or "
        + "run several queries")
  }
}
