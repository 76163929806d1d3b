/// Aggregates over the rows of the query itself, for `select` with or without `group`.
extension _RecordFields {
  /// The number of rows.
  public func count() -> Field<Int> {
    Field(.summary(.count, nil), as: Int.self)
  }

  /// The number of rows that satisfy the condition.
  ///
  /// ```swift
  /// TodoTask.group { $0.projectID }.select { ($0.projectID, $0.count(), $0.count(where: !$0.isCompleted)) }
  /// ```
  public func count(where condition: Field<Bool>) -> Field<Int> {
    Field(.summary(.count, .function(.when, [condition.term, .literal(.integer(1))])), as: Int.self)
  }
}

extension Field {
  /// The value in rows that satisfy the condition, and NULL in others, which aggregates ignore.
  fileprivate func only(where condition: Field<Bool>) -> Field {
    Field(.function(.when, [condition.term, term]), coding: coding)
  }
}

extension Field {
  /// The number of rows whose value isn't NULL.
  public func count() -> Field<Int> {
    Field<Int>(.summary(.count, term), as: Int.self)
  }

  /// The number of distinct values that aren't NULL.
  public func countDistinct() -> Field<Int> {
    Field<Int>(.summary(.countDistinct, term), as: Int.self)
  }
}

extension Field where Value: NumericColumnValue {
  /// The sum over the rows; 0 for none.
  public func sum() -> Field<Value> {
    Field(.summary(.sum, term), coding: coding).replacingNullByZero
  }

  /// The sum over the rows that satisfy the condition; 0 for none.
  public func sum(where condition: Field<Bool>) -> Field<Value> {
    only(where: condition).sum()
  }

  /// The mean over the rows; NULL for none.
  public func average() -> Field<Double?> {
    Field<Double?>(.summary(.average, term), as: Double?.self)
  }

  /// The mean over the rows that satisfy the condition; NULL for none.
  public func average(where condition: Field<Bool>) -> Field<Double?> {
    only(where: condition).average()
  }
}

extension Field {
  /// The sum of the values that are not NULL over the rows; 0 for none.
  public func sum<Wrapped: NumericColumnValue>() -> Field<Wrapped> where Value == Wrapped? {
    Field<Wrapped>(.summary(.sum, term), as: Wrapped.self).replacingNullByZero
  }

  /// The sum of the values that are not NULL over the rows that satisfy the condition; 0 for none.
  public func sum<Wrapped: NumericColumnValue>(where condition: Field<Bool>) -> Field<Wrapped> where Value == Wrapped? {
    only(where: condition).sum()
  }

  /// The mean of the values that are not NULL over the rows that satisfy the condition; NULL for none.
  public func average<Wrapped: NumericColumnValue>(where condition: Field<Bool>) -> Field<Double?>
  where Value == Wrapped? {
    only(where: condition).average()
  }

  /// The mean of the values that are not NULL over the rows; NULL for none.
  public func average<Wrapped: NumericColumnValue>() -> Field<Double?> where Value == Wrapped? {
    Field<Double?>(.summary(.average, term), as: Double?.self)
  }

  /// The least value that is not NULL over the rows; NULL for none.
  public func min<Wrapped: SortableColumnValue>() -> Field where Value == Wrapped? {
    Field(.summary(.minimum, term), coding: coding)
  }

  /// The greatest value that is not NULL over the rows; NULL for none.
  public func max<Wrapped: SortableColumnValue>() -> Field where Value == Wrapped? {
    Field(.summary(.maximum, term), coding: coding)
  }
}

extension Field where Value: SortableColumnValue {
  /// The least value over the rows; NULL for none.
  @_disfavoredOverload
  public func min() -> Field<Value?> {
    Field(.summary(.minimum, term), coding: coding).optional
  }

  /// The greatest value over the rows; NULL for none.
  @_disfavoredOverload
  public func max() -> Field<Value?> {
    Field(.summary(.maximum, term), coding: coding).optional
  }
}
