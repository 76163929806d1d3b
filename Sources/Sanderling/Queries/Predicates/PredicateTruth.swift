/// A condition with Swift's two truth values, and nil for an optional one. Its terms in SQL can be unknown too.
///
/// A row is found if a term is true. So a condition has one term that is true exactly where the condition holds, and
/// another that is true exactly where it doesn't. Neither need distinguish false from unknown. The first is the term
/// that a typed query has, and an index serves it.
struct PredicateTruth {
  /// True in SQL if the condition holds.
  let isTrue: Term
  /// True in SQL if the condition is nil; nil if it never is.
  let isNil: Term?
  /// Whether ``isTrue`` is never unknown.
  let isKnown: Bool
  private let negation: () -> Term

  init(isTrue: Term, isNil: Term? = nil, isKnown: Bool, isFalse: @escaping () -> Term) {
    self.isTrue = isTrue
    self.isNil = isNil
    self.isKnown = isKnown
    negation = isFalse
  }

  /// True in SQL if the condition doesn't hold, and isn't nil. It is made only where a negation needs it.
  var isFalse: Term { negation() }

  static func constant(_ value: Bool) -> PredicateTruth { .known(.literal(.integer(value ? 1 : 0))) }

  /// A condition whose term is never unknown.
  static func known(_ term: Term) -> PredicateTruth {
    PredicateTruth(isTrue: term, isKnown: true) {
      switch term {
      case .literal(.integer(let value)): .literal(.integer(1 - value))
      default: !term
      }
    }
  }

  /// A condition that doesn't hold where its term is unknown.
  static func unknownAsFalse(_ term: Term) -> PredicateTruth {
    PredicateTruth(isTrue: term, isKnown: false) { .binary(.isNot, term, .literal(.integer(1))) }
  }

  /// A condition that is found neither where its term is unknown nor where its negation is.
  static func known(_ term: Term, if isKnown: Bool) -> PredicateTruth { isKnown ? .known(term) : .unknownAsFalse(term) }

  /// The condition's value if it is the same for all rows.
  var constant: Bool? {
    if case .literal(.integer(let value)) = isTrue { value == 1 } else { nil }
  }

  static prefix func ! (truth: PredicateTruth) -> PredicateTruth {
    truth.isKnown
      ? PredicateTruth(isTrue: truth.isFalse, isKnown: true) { truth.isTrue }
      : PredicateTruth(isTrue: truth.isFalse, isNil: truth.isNil, isKnown: false) { truth.isTrue }
  }

  static func && (lhs: PredicateTruth, rhs: PredicateTruth) -> PredicateTruth { joined(.and, [lhs, rhs]) }

  static func || (lhs: PredicateTruth, rhs: PredicateTruth) -> PredicateTruth { joined(.or, [lhs, rhs]) }

  /// The conjunction or disjunction of conditions. Many conditions are joined at once, because a chain of closures
  /// would take the stack when it is released.
  static func joined(_ op: BinaryOperator, _ truths: [PredicateTruth]) -> PredicateTruth {
    let deciding = op == .or
    if truths.contains(where: { $0.constant == deciding }) { return .constant(deciding) }
    let open = truths.filter { $0.constant == nil }
    if open.count < 2 { return open.first ?? .constant(!deciding) }
    func join(_ op: BinaryOperator, _ terms: [Term]) -> Term {
      (op == .and ? Term.all(terms) : Term.any(terms)) ?? constant(!deciding).isTrue
    }
    let isTrue = join(op, open.map(\.isTrue))
    if open.allSatisfy(\.isKnown) { return .known(isTrue) }
    return PredicateTruth(isTrue: isTrue, isKnown: false) { join(op == .and ? .or : .and, open.map(\.isFalse)) }
  }

  /// One of two conditions: `test ? first : second`.
  static func choose(_ test: PredicateTruth, _ first: PredicateTruth, _ second: PredicateTruth) -> PredicateTruth {
    if let value = test.constant { return value ? first : second }
    return (test && first) || (!test && second)
  }

  /// The condition, or another where this one is nil.
  func replacingNil(by other: PredicateTruth) -> PredicateTruth {
    guard let isNil else { return self }
    let missing = PredicateTruth.known(isNil)
    return PredicateTruth(isTrue: (missing && other).isAdded(to: isTrue), isKnown: false) {
      (missing && !other).isAdded(to: isFalse)
    }
  }

  private func isAdded(to term: Term) -> Term { constant == false ? term : term || isTrue }

  /// Whether the condition has a truth value.
  func equals(_ value: Bool) -> PredicateTruth {
    guard let isNil else { return value ? self : !self }
    return PredicateTruth(isTrue: value ? isTrue : isFalse, isKnown: false) {
      (value ? isFalse : isTrue) || isNil
    }
  }

  /// The condition as a value.
  var value: PredicateValue {
    if isNil == nil, isKnown { return PredicateValue(isTrue, as: Bool.self) }
    guard isNil != nil else {
      return PredicateValue(.function(.coalesce, [isTrue, .literal(.integer(0))]), as: Bool.self)
    }
    let one = Term.function(.when, [isTrue, .literal(.integer(1))])
    let zero = Term.function(.when, [isFalse, .literal(.integer(0))])
    return PredicateValue(.function(.coalesce, [one, zero]), as: Bool.self, mayBeNil: true)
  }
}
