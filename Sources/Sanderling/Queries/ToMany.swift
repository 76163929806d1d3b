/// The records of a to-many association, to be aggregated for each row of a query.
///
/// Every aggregate is a separate subquery. Its cost depends only on its own rows, and its value is independent of other
/// aggregates.
public struct ToMany<Child: StoredRecord>: Hashable, Sendable {
  package var rows: AssociatedRows

  /// Keeps the records that satisfy a condition. All lines of the closure must be true; see ``ConditionBuilder``.
  public func filter(@ConditionBuilder _ condition: (Child.Fields) -> Field<Bool>?) -> ToMany {
    let (rows, condition) = entering { condition($0)?.condition }
    guard let condition else { return self }
    var result = ToMany(rows: rows)
    result.rows.condition = rows.condition.map { $0 && condition } ?? condition
    return result
  }

  /// The number of records.
  public var count: Field<Int> {
    aggregate(.count, as: Int.self)
  }

  /// Whether there is at least one record.
  public var exists: Field<Bool> {
    aggregate(.exists, as: Bool.self)
  }

  /// Whether there are no records.
  public var isEmpty: Field<Bool> {
    Field<Bool>(!aggregate(.exists, as: Bool.self).term)
  }

  /// Whether any record satisfies the condition.
  public func contains(_ condition: (Child.Fields) -> Field<Bool>) -> Field<Bool> {
    filter(condition).aggregate(.exists, as: Bool.self)
  }

  /// Whether no record is known to violate the condition. Records for which it is unknown count as satisfying it.
  public func allSatisfy(_ condition: (Child.Fields) -> Field<Bool>) -> Field<Bool> {
    filter { !condition($0) }.isEmpty
  }

  /// The number of distinct values that aren't NULL.
  public func countDistinct<Value>(_ value: (Child.Fields) -> Field<Value>) -> Field<Int> {
    aggregate(.countDistinct, of: value, as: Int.self)
  }

  /// The sum of the values that are not NULL; 0 for none.
  ///
  /// A sum of integers that exceeds 64 bits is an error, as in SQL.
  public func sum<Value: NumericColumnValue>(_ value: (Child.Fields) -> Field<Value>) -> Field<Value> {
    aggregate(.sum, of: value, as: Value.self).replacingNullByZero
  }

  /// The sum of the values that are not NULL; 0 for none.
  public func sum<Value: NumericColumnValue>(_ value: (Child.Fields) -> Field<Value?>) -> Field<Value> {
    aggregate(.sum, of: value, as: Value.self).replacingNullByZero
  }

  /// The mean of the values that are not NULL; NULL for none.
  public func average<Value: NumericColumnValue>(_ value: (Child.Fields) -> Field<Value>) -> Field<Double?> {
    aggregate(.average, of: value, as: Double?.self)
  }

  /// The mean of the values that are not NULL; NULL for none.
  public func average<Value: NumericColumnValue>(_ value: (Child.Fields) -> Field<Value?>) -> Field<Double?> {
    aggregate(.average, of: value, as: Double?.self)
  }

  /// The least value that is not NULL; NULL for none.
  public func min<Value: SortableColumnValue>(_ value: (Child.Fields) -> Field<Value>) -> Field<Value?> {
    extremum(.minimum) { value($0).optional }
  }

  /// The least value that is not NULL; NULL for none.
  public func min<Value: SortableColumnValue>(_ value: (Child.Fields) -> Field<Value?>) -> Field<Value?> {
    extremum(.minimum, of: value)
  }

  /// The greatest value that is not NULL; NULL for none.
  public func max<Value: SortableColumnValue>(_ value: (Child.Fields) -> Field<Value>) -> Field<Value?> {
    extremum(.maximum) { value($0).optional }
  }

  /// The greatest value that is not NULL; NULL for none.
  public func max<Value: SortableColumnValue>(_ value: (Child.Fields) -> Field<Value?>) -> Field<Value?> {
    extremum(.maximum, of: value)
  }

  /// The texts in ascending order under their column's collation, with a separator between them; "" for none.
  ///
  /// ```swift
  /// Project.select { ($0.name, $0.labels.joined(separator: ", ", \.name)) }
  /// ```
  public func joined(separator: String = ", ", _ text: (Child.Fields) -> Field<String>) -> Field<String> {
    let texts = aggregate(.joined(ExactText(separator)), of: text, as: String.self)
    return Field<String>(.function(.coalesce, [texts.term, .literal(.text(""))]), as: String.self)
  }

  /// The texts that aren't NULL, in ascending order under their column's collation, with a separator between them; ""
  /// for none.
  public func joined(separator: String = ", ", _ text: (Child.Fields) -> Field<String?>) -> Field<String> {
    joined(separator: separator) { Field<String>(text($0).term, as: String.self) }
  }

  /// Runs a closure on the fields of these rows, at a level that no enclosing closure uses.
  private func entering<Result>(_ body: (Child.Fields) -> Result) -> (AssociatedRows, Result) {
    let rows = rows.level > Nesting.depth ? rows : rows.moved(to: Nesting.depth + 1)
    return (rows, Nesting.$depth.withValue(rows.level) { body(Child.Fields(_scope: rows.scope)) })
  }

  private func aggregate<Coding: ColumnCoding>(_ function: AggregateFunction, as coding: Coding.Type) -> Field<
    Coding.Value
  > {
    Field(.aggregate(AggregateTerm(function: function, argument: nil, rows: rows)), as: coding)
  }

  private func aggregate<Value, Coding: ColumnCoding>(
    _ function: AggregateFunction, of value: (Child.Fields) -> Field<Value>, as coding: Coding.Type
  ) -> Field<Coding.Value> {
    let (rows, argument) = entering { value($0).term }
    return Field(.aggregate(AggregateTerm(function: function, argument: argument, rows: rows)), as: coding)
  }

  private func extremum<Value>(
    _ function: AggregateFunction, of value: (Child.Fields) -> Field<Value?>
  ) -> Field<Value?> {
    let (rows, field) = entering(value)
    return Field(.aggregate(AggregateTerm(function: function, argument: field.term, rows: rows)), coding: field.coding)
  }
}

extension Field where Value: NumericColumnValue {
  /// The sum of no values, as a literal.
  static var zero: Term {
    Value.columnType == .integer ? .literal(.integer(0)) : .literal(.real(0))
  }

  var replacingNullByZero: Field {
    Field(.function(.coalesce, [term, Self.zero]), coding: coding)
  }
}
