/// An evaluator of terms for one row, with exactly the results of SQLite.
///
/// ```swift
/// let isOpen = try TermEvaluator(row).isTrue(condition)
/// ```
///
/// To evaluate a term for many rows, make a ``PreparedTerm``.
package struct TermEvaluator<Context: EvaluationContext> {
  package let context: Context

  package init(_ context: Context) {
    self.context = context
  }

  /// The term's value, as SQLite would return it.
  ///
  /// - Throws: ``EvaluationError``, errors of the context, and ``StoreError/invalidQuery(_:)`` for a term with a value
  ///   that can't be stored.
  package func value(of term: Term) throws -> StorageValue {
    try PreparedTerm(term).value(in: context)
  }

  /// Whether a WHERE clause with the term would select the row.
  package func isTrue(_ term: Term) throws -> Bool {
    try PreparedTerm(condition: term).isTrue(in: context)
  }
}

extension TermEvaluator: Sendable where Context: Sendable {}

/// A term that is prepared for evaluation, for any number of rows.
///
/// The preparation determines everything that depends only on the term: affinities, collations and sets of members.
package struct PreparedTerm: Sendable {
  package let term: Term
  private let evaluation: Evaluation

  /// Prepares a term for its value.
  ///
  /// - Throws: ``EvaluationError/needsDatabase(_:)`` for a term that Swift can't evaluate.
  ///   ``StoreError/invalidQuery(_:)`` for a term with a value that can't be stored.
  package init(_ term: Term) throws {
    try self.init(term, isDecision: false)
  }

  private init(_ term: Term, isDecision: Bool) throws {
    self.term = term
    evaluation = try term.prepared(isDecision: isDecision)
  }

  /// Prepares a term as a condition. As in a WHERE clause, a column on its own is compared with 1.
  package init(condition term: Term) throws {
    try self.init(term.asCondition, isDecision: true)
  }

  /// The term's value, as SQLite would return it.
  package func value(in context: some EvaluationContext) throws -> StorageValue {
    try evaluation(context)
  }

  /// Whether the term's value is true in SQLite. Unknown is not true.
  package func isTrue(in context: some EvaluationContext) throws -> Bool {
    try evaluation(context).truth() ?? false
  }
}

extension StorageValue {
  /// The truth of the value. A number other than 0 is true, and NULL is unknown. A text or blob counts as the number
  /// that it begins with. See [Boolean Expressions](https://www.sqlite.org/lang_expr.html#boolean_expressions).
  func truth() throws -> Bool? {
    switch self {
    case .null: nil
    case .integer(let integer): integer != 0
    case .real, .text, .blob: try asReal() != 0
    }
  }

  /// Creates the value of a condition: 1, 0 or NULL.
  init(truth: Bool?) {
    self = truth.map { .integer($0 ? 1 : 0) } ?? .null
  }
}
