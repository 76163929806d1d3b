/// Evaluates terms for one row, with exactly the results of SQLite.
///
/// ```swift
/// let isOpen = try TermEvaluator(row).isTrue(condition)
/// ```
///
/// To evaluate one term for many rows, make a ``PreparedTerm``.
package struct TermEvaluator<Context: EvaluationContext> {
  package let context: Context

  package init(_ context: Context) {
    self.context = context
  }

  /// The term's value as SQLite would return it.
  ///
  /// - Throws: ``EvaluationError``; ``StoreError/invalidQuery(_:)`` for a term with a value that can't be stored;
  ///   errors of the context.
  package func value(of term: Term) throws -> StorageValue {
    try PreparedTerm(term).value(in: context)
  }

  /// Whether a WHERE clause with the term would keep the row.
  package func isTrue(_ term: Term) throws -> Bool {
    try PreparedTerm(condition: term).isTrue(in: context)
  }
}

extension TermEvaluator: Sendable where Context: Sendable {}

/// A term made ready to be evaluated for any number of rows.
///
/// What depends on the term alone is done once: affinities, collations, sets of members.
package struct PreparedTerm: Sendable {
  package let term: Term
  private let evaluation: Evaluation

  /// - Throws: ``EvaluationError/needsDatabase(_:)`` for a term that Swift can't evaluate,
  ///   ``StoreError/invalidQuery(_:)`` for a term with a value that can't be stored.
  package init(_ term: Term) throws {
    try self.init(term, isDecision: false)
  }

  private init(_ term: Term, isDecision: Bool) throws {
    self.term = term
    evaluation = try term.prepared(isDecision: isDecision)
  }

  /// The term as a WHERE clause writes it: a column on its own is compared with 1.
  package init(condition term: Term) throws {
    try self.init(term.asCondition, isDecision: true)
  }

  /// The term's value as SQLite would return it.
  package func value(in context: some EvaluationContext) throws -> StorageValue {
    try evaluation(context)
  }

  /// Whether SQLite takes the term's value for true. Unknown is not true.
  package func isTrue(in context: some EvaluationContext) throws -> Bool {
    try evaluation(context).truth() ?? false
  }
}

extension StorageValue {
  /// The value as a condition: a number other than 0 is true, NULL unknown; texts and blobs count as the number that
  /// they begin with. See [Boolean Expressions](https://www.sqlite.org/lang_expr.html#boolean_expressions).
  func truth() throws -> Bool? {
    switch self {
    case .null: nil
    case .integer(let integer): integer != 0
    case .real, .text, .blob: try asReal() != 0
    }
  }

  /// A condition's value: 1, 0 or NULL.
  init(truth: Bool?) {
    self = truth.map { .integer($0 ? 1 : 0) } ?? .null
  }
}
