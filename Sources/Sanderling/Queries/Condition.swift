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

  public init(_ condition: (Owner.Fields) -> Field<Bool>) {
    term = Nesting.atRoot { condition(Owner.fields).condition }
  }

  /// True when all conditions are; true for none.
  public static func all(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(term: Term.all(conditions.compactMap(\.term)))
  }

  /// True when any condition is; false for none.
  public static func any(_ conditions: some Sequence<Condition>) -> Condition {
    Condition(term: Term.any(conditions.lazy.map { $0.term ?? .literal(.integer(1)) }) ?? .literal(.integer(0)))
  }

  public static func && (lhs: Condition, rhs: Condition) -> Condition {
    .all([lhs, rhs])
  }

  public static func || (lhs: Condition, rhs: Condition) -> Condition {
    .any([lhs, rhs])
  }

  public static prefix func ! (condition: Condition) -> Condition {
    Condition(term: condition.term.map { !$0 } ?? .literal(.integer(0)))
  }
}
