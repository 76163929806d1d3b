/// Combines the conditions of a closure: each line is a condition, and all must be true.
///
/// `if`, `switch` and `for` build a condition from the filters of a screen:
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
/// A closure without conditions is true for all rows.
@resultBuilder
public enum ConditionBuilder {
  /// Conditions that must all be true.
  public struct Conditions: Sendable {
    var parts: [Term]
  }

  // Has no overload: with a second one, a mistake in a long condition takes the compiler a minute.
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
