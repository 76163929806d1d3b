/// A condition on a record, as a value that can be kept, combined and compared.
///
/// ```swift
/// let byDay = Condition<TodoTask> { $0.dueAt < tomorrow }
/// let bySearch = text.isEmpty ? nil : Condition<TodoTask> { $0.title.contains(text) }
/// let tasks = TodoTask.where(.all([byDay, bySearch].compactMap { $0 }))
/// ```
public struct Condition<Owner: StoredRecord>: Hashable, Sendable {
  /// Nil is true for every row.
  package let term: Term?

  init(term: Term?) {
    self.term = term
  }

  /// The condition that the closure states, which is true when each of its lines is; see ``ConditionBuilder``.
  public init(@ConditionBuilder _ condition: (Owner.Fields) -> Field<Bool>?) {
    term = Nesting.atRoot { condition(Owner.fields)?.condition }
  }

  /// True when all conditions are; true for none.
  public static func all(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(term: Term.all(conditions.compactMap(\.term)))
  }

  /// True when any condition is; false for none.
  public static func any(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(term: Term.any(conditions.lazy.map { $0.term ?? .literal(.integer(1)) }) ?? .literal(.integer(0)))
  }

  // Methods, since each overload of && for other types is tried again with each mistake in a condition.

  /// True when both conditions are.
  public func and(_ other: Condition) -> Condition {
    .all([self, other])
  }

  /// True when either condition is.
  public func or(_ other: Condition) -> Condition {
    .any([self, other])
  }

  /// True when the condition is false.
  public var negated: Condition {
    Condition(term: term.map { !$0 } ?? .literal(.integer(0)))
  }
}
