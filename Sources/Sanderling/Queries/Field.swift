/// A value of each row of a query: a column, an aggregate, a calculation, or a condition (`Field<Bool>`).
///
/// Fields come as the argument of a query's closures and are combined with operators. Nothing is evaluated until the
/// query runs. Comparisons follow SQL: a comparison with a NULL is unknown, and a row is returned only where the condition
/// is true. Comparing with `nil` asks for NULL itself.
public struct Field<Value: Sendable>: Sendable {
  package let term: Term
  let coding: any ColumnCoding<Value>.Type

  package init<Coding: ColumnCoding<Value>>(_ term: Term, as coding: Coding.Type) {
    self.init(term, coding: coding)
  }

  /// Every written expression passes here, so that here too deep nesting becomes an error.
  init(_ term: Term, coding: any ColumnCoding<Value>.Type) {
    self.init(limited: term.limitedInDepth, coding: coding)
  }

  /// A field of a term whose depth is known to be within the limits.
  private init(limited term: Term, coding: any ColumnCoding<Value>.Type) {
    self.term = term
    self.coding = coding
  }

  /// Reads the field's value from the column at `index` of a row.
  public func read(_ row: ResultRow, at index: Int32) throws -> Value {
    try coding.read(row, at: index)
  }

  /// A Swift value as a term, in the storage form of this field.
  func constant(_ value: Value) -> Term {
    do {
      let stored = try coding.encode(value)
      // Truth values are written into the SQL: an index on `WHERE isCompleted = 0` serves no `isCompleted = ?`.
      return Value.self == Bool.self || stored.isNull ? .literal(stored) : .constant(stored)
    } catch {
      return .invalid(error)
    }
  }
}

extension Term {
  /// The term for a value that can't be stored.
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
  /// The same field where its row may not exist, or where NULL was stored against the schema.
  public var optional: Field<Value?> {
    Field<Value?>(limited: term, coding: coding.optional)
  }
}

extension ColumnCoding {
  /// The coding that accepts NULL as well.
  static var optional: any ColumnCoding<Value?>.Type { OptionalCoding<Self>.self }
}

/// AND, OR and NOT of terms keep to the limits of depth themselves, without looking at all parts for each that is added.
extension Field<Bool> {
  /// The term as a condition.
  package var condition: Term { term.asCondition }

  package init(_ condition: Term) {
    self.init(condition, as: Bool.self)
  }

  /// A condition whose depth is known to be within the limits.
  init(limited term: Term) {
    self.init(limited: term, coding: Bool.self)
  }

  /// True for every row. Among the lines of a ``ConditionBuilder`` it is no condition.
  public static var always: Field<Bool> { Field(limited: .literal(.integer(1))) }

  var isAlways: Bool { term == .literal(.integer(1)) }

  /// True when all conditions are; true for none.
  public static func all(_ conditions: some Sequence<Field<Bool>>) -> Field<Bool> {
    Field(limited: Term.all(conditions.lazy.map(\.term)) ?? .literal(.integer(1)))
  }

  /// True when any condition is; false for none.
  public static func any(_ conditions: some Sequence<Field<Bool>>) -> Field<Bool> {
    Field(limited: Term.any(conditions.lazy.map(\.term)) ?? .literal(.integer(0)))
  }
}

// Functions of concrete types, not members of an extension, which count as generic: the compiler tries generic operators after all
// others, and each again with each mistake that it looks for. Of nine conditions with a mistake in one it says where in a second;
// with members it gave up after 20.

/// True when both conditions are.
public func && (lhs: Field<Bool>, rhs: Field<Bool>) -> Field<Bool> {
  Field<Bool>(limited: lhs.term && rhs.term)
}

/// True when either condition is.
public func || (lhs: Field<Bool>, rhs: Field<Bool>) -> Field<Bool> {
  Field<Bool>(limited: lhs.term || rhs.term)
}

/// True when the condition is false.
public prefix func ! (condition: Field<Bool>) -> Field<Bool> {
  Field<Bool>(limited: !condition.term)
}
