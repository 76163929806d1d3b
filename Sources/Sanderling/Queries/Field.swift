/// A value in each row of a query: a column, an aggregate, a calculation, or a condition (`Field<Bool>`).
///
/// A query's closures receive fields as their argument and combine them with operators. Nothing is evaluated until the
/// query runs. Comparisons follow SQL: a comparison with NULL is unknown, and the query returns only rows for which the
/// condition is true. Comparing with `nil` tests for NULL.
public struct Field<Value: Sendable>: Sendable {
  package let term: Term
  let coding: any ColumnCoding<Value>.Type

  package init<Coding: ColumnCoding<Value>>(_ term: Term, as coding: Coding.Type) {
    self.init(term, coding: coding)
  }

  /// Creates a field. A term that is nested too deeply becomes invalid. All written expressions except AND, OR and NOT
  /// are created here.
  init(_ term: Term, coding: any ColumnCoding<Value>.Type) {
    self.init(limited: term.limitedInDepth, coding: coding)
  }

  /// Creates a field of a term whose depth is known to be within the limits.
  private init(limited term: Term, coding: any ColumnCoding<Value>.Type) {
    self.term = term
    self.coding = coding
  }

  /// Reads the field's value from the column at `index` of a row.
  public func read(_ row: ResultRow, at index: Int32) throws -> Value {
    try coding.read(row, at: index)
  }

  /// The term of a Swift value, in the stored form of this field.
  func constant(_ value: Value) -> Term {
    do {
      let stored = try coding.encode(value)
      // Truth values are written into the SQL, because an index on `WHERE isCompleted = 0` doesn't serve `isCompleted =
      // ?`.
      return Value.self == Bool.self || stored.isNull ? .literal(stored) : .constant(stored)
    } catch {
      return .invalid(error)
    }
  }
}

extension Term {
  /// The term of a value that can't be stored.
  static func invalid(_ error: any Error) -> Term {
    .invalid((error as? ValueError)?.message ?? String(describing: error))
  }
}

extension Field: Hashable {
  public static func == (lhs: Field, rhs: Field) -> Bool {
    lhs.term == rhs.term
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(term)
  }
}

/// A field without its type.
package protocol TermConvertible {
  var term: Term { get }
}

extension Field: TermConvertible {}

extension Field {
  /// The same field as an optional, for a row that may not exist or a NULL that was stored against the schema.
  public var optional: Field<Value?> {
    Field<Value?>(limited: term, coding: coding.optional)
  }
}

extension ColumnCoding {
  /// The same coding, which also accepts NULL.
  static var optional: any ColumnCoding<Value?>.Type { OptionalCoding<Self>.self }
}

/// AND, OR and NOT of terms stay within the limits of depth themselves, without visiting all parts for each added
/// condition.
extension Field<Bool> {
  /// The term as a condition.
  package var condition: Term { term.asCondition }

  package init(_ condition: Term) {
    self.init(condition, as: Bool.self)
  }

  /// Creates a condition whose depth is known to be within the limits.
  init(limited term: Term) {
    self.init(limited: term, coding: Bool.self)
  }

  /// A condition that is true for every row. A ``ConditionBuilder`` leaves it out.
  public static var always: Field<Bool> { Field(limited: .literal(.integer(1))) }

  var isAlways: Bool { term == .literal(.integer(1)) }

  /// A condition that is true if all conditions are. True for an empty sequence.
  public static func all(_ conditions: some Sequence<Field<Bool>>) -> Field<Bool> {
    Field(limited: Term.all(conditions.lazy.map(\.term)) ?? .literal(.integer(1)))
  }

  /// A condition that is true if any condition is. False for an empty sequence.
  public static func any(_ conditions: some Sequence<Field<Bool>>) -> Field<Bool> {
    Field(limited: Term.any(conditions.lazy.map(\.term)) ?? .literal(.integer(0)))
  }
}

// The operators are functions of concrete types. Members of an extension would count as generic: the compiler tries
// generic operators after all others, and again for each mistake that it looks for. For nine conditions with a mistake
// in one, it reports the place in a second. With members it gave up after 20 seconds.

/// A condition that is true if both conditions are.
public func && (lhs: Field<Bool>, rhs: Field<Bool>) -> Field<Bool> {
  Field<Bool>(limited: lhs.term && rhs.term)
}

/// A condition that is true if at least one of both conditions is.
public func || (lhs: Field<Bool>, rhs: Field<Bool>) -> Field<Bool> {
  Field<Bool>(limited: lhs.term || rhs.term)
}

/// A condition that is true if the given one is false.
public prefix func ! (condition: Field<Bool>) -> Field<Bool> {
  Field<Bool>(limited: !condition.term)
}
