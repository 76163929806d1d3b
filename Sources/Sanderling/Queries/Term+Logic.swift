/// Conditions that consist of other conditions, as balanced trees.
///
/// All conditions that an AND or OR combines form one balanced tree, in whatever order a program combines them. A
/// traversal then needs little stack, even for many conditions. This matters to Swift and to SQLite, whose limit is
/// 1,000 levels.
///
/// The left side of a node is a perfect tree, with the greatest power of two that leaves something for the right side.
/// The conditions keep their order, so that equal sequences are equal terms.
extension Term {
  /// The term as a condition. A truth column on its own becomes `column = 1`, which an index can serve.
  package var asCondition: Term {
    if case .column = self { return .binary(.equal, self, .literal(.integer(1))) }
    return self
  }

  /// The conjunction. Appending one condition takes O(log² conditions), other combinations O(conditions).
  package static func && (lhs: Term, rhs: Term) -> Term {
    combined(.and, lhs.asCondition, rhs.asCondition)
  }

  /// The disjunction. Appending one condition takes O(log² conditions), other combinations O(conditions).
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

  /// The conditions that must all be true.
  package var conjuncts: [Term] { parts(of: .and) }

  /// The same condition, with searches after all other conditions. SQLite evaluates conditions in order unless an index
  /// serves them, and comparing texts takes longest.
  var withSearchesLast: Term {
    let conjuncts = conjuncts
    let searches = conjuncts.filter(\.isSearch)
    if searches.isEmpty || searches.count == conjuncts.count { return self }
    return Term.all(conjuncts.filter { !$0.isSearch } + searches) ?? self
  }

  /// Whether the term is a search of texts.
  private var isSearch: Bool {
    if case .function(.matches, _) = self { true } else { false }
  }

  /// The conjunction of the conditions; nil if there are none.
  package static func all(_ conditions: some Sequence<Term>) -> Term? {
    combined(.and, conditions)
  }

  /// The disjunction of the conditions; nil if there are none.
  package static func any(_ conditions: some Sequence<Term>) -> Term? {
    combined(.or, conditions)
  }

  /// The greatest number of conditions in one AND or OR. SQLite's planning time grows faster than their number.
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
    // An invalid part makes the whole term invalid. Otherwise a term that became too long would be built again and
    // again.
    if case .invalid = lhs { return lhs }
    if case .invalid = rhs { return rhs }
    let count = lhs.partCount(of: op) + rhs.partCount(of: op)
    if count > maximumPartCount { return tooMany(count, op) }
    let left = lhs.isNode(of: op) ? lhs : lhs.asPart
    if !rhs.isNode(of: op) { return left.appending(rhs.asPart, op) }
    return balanced(op, (left.parts(of: op) + rhs.parts(of: op))[...])
  }

  /// Returns a balanced tree of at least one part.
  private static func balanced(_ op: BinaryOperator, _ parts: ArraySlice<Term>) -> Term {
    if parts.count == 1 { return parts[parts.startIndex] }
    var left = 1
    while 2 * left < parts.count { left *= 2 }
    return .binary(op, balanced(op, parts.prefix(left)), balanced(op, parts.dropFirst(left)))
  }

  /// Returns the tree with one more part.
  private func appending(_ part: Term, _ op: BinaryOperator) -> Term {
    guard case .binary(op, let lhs, let rhs) = self else { return .binary(op, self, part) }
    let count = partCount(of: op)
    // A perfect tree becomes the left side of the next larger tree.
    return count & (count - 1) == 0 ? .binary(op, self, part) : .binary(op, lhs, rhs.appending(part, op))
  }

  private func isNode(of op: BinaryOperator) -> Bool {
    if case .binary(op, _, _) = self { true } else { false }
  }

  /// The number of parts in the tree. O(log² parts), since left sides are perfect.
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

  /// The parts of the tree, in order.
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

  /// The term as a part of a tree. AND and OR are limited in depth here, because combining them doesn't check all their
  /// parts.
  private var asPart: Term {
    isNode(of: .and) || isNode(of: .or) ? limitedInDepth : self
  }

  private static func tooMany(_ count: Int, _ op: BinaryOperator) -> Term {
    .invalid(
      "it combines \(count) conditions by \(op.rawValue), and the limit is \(maximumPartCount): look for values with in(_:), or "
        + "run several queries")
  }
}
