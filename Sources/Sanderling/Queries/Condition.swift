/// A condition on a record, as a value that can be kept, combined and compared.
///
/// ```swift
/// let byDay = Condition<TodoTask> { $0.dueAt < tomorrow }
/// let bySearch = text.isEmpty ? nil : Condition<TodoTask> { $0.title.contains(text) }
/// let tasks = TodoTask.where(.all([byDay, bySearch].compactMap { $0 }))
/// ```
public struct Condition<Owner: StoredRecord>: Hashable, Sendable {
  /// The condition in SQL; nil if it is true for every row.
  package let term: Term?

  init(term: Term?) {
    self.term = term
  }

  /// Creates a condition from a closure. All of its lines must be true; see ``ConditionBuilder``.
  public init(@ConditionBuilder _ condition: (Owner.Fields) -> Field<Bool>?) {
    term = Nesting.atRoot { condition(Owner.fields)?.condition }
  }

  /// The condition that all conditions are true. True for an empty sequence.
  public static func all(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(term: Term.all(conditions.compactMap(\.term)))
  }

  /// The condition that any of the conditions is true. False for an empty sequence.
  public static func any(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(term: Term.any(conditions.lazy.map { $0.term ?? .literal(.integer(1)) }) ?? .literal(.integer(0)))
  }

  // Methods and no operators: the compiler tries each overload of && again for every mistake in a condition.

  /// The condition that both conditions are true.
  public func and(_ other: Condition) -> Condition {
    .all([self, other])
  }

  /// The condition that at least one of both conditions is true.
  public func or(_ other: Condition) -> Condition {
    .any([self, other])
  }

  /// The condition that is true if this one is false.
  public var negated: Condition {
    Condition(term: term.map { !$0 } ?? .literal(.integer(0)))
  }
}
