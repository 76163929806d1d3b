/// Puts the conditions of a closure together: each line is one, and all must hold.
///
/// Builds a condition from the filters of a screen, with `if`, `switch` and `for`:
///
/// ```swift
/// TodoTask.where {
///   if let projectID { $0.projectID == projectID }
///   switch filter {
///   case .all: .always
///   case .open: !$0.isCompleted
///   case .overdue:
///     !$0.isCompleted
///     $0.dueAt < now
///   }
///   for word in words { $0.title.contains(word) }
/// }
/// ```
///
/// A closure without conditions is no condition: it holds for all rows.
@resultBuilder
public enum ConditionBuilder {
  /// Conditions that all must hold.
  public struct Conditions: Sendable {
    var parts: [Term]
  }

  // The only one: with a second overload a mistake in a long condition takes the compiler a minute.
  public static func buildExpression(_ condition: Field<Bool>) -> Conditions {
    Conditions(parts: condition.isAlways ? [] : [condition.condition])
  }

  public static func buildBlock(_ conditions: Conditions...) -> Conditions {
    Conditions(parts: conditions.flatMap(\.parts))
  }

  public static func buildOptional(_ conditions: Conditions?) -> Conditions {
    conditions ?? Conditions(parts: [])
  }

  public static func buildEither(first conditions: Conditions) -> Conditions {
    conditions
  }

  public static func buildEither(second conditions: Conditions) -> Conditions {
    conditions
  }

  public static func buildArray(_ conditions: [Conditions]) -> Conditions {
    Conditions(parts: conditions.flatMap(\.parts))
  }

  public static func buildLimitedAvailability(_ conditions: Conditions) -> Conditions {
    conditions
  }

  public static func buildFinalResult(_ conditions: Conditions) -> Field<Bool>? {
    Term.all(conditions.parts).map { Field<Bool>(limited: $0) }
  }
}
