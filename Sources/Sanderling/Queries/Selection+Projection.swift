/// The fields of a selected projection in the query's other parts.
///
/// The overloads are disfavoured: a closure that the fields of the query itself satisfy receives those. The fields of a
/// projection include all fields of its record.
extension Selection where Output: StoredProjection, Output.Source == Root.Source {
  /// Orders the rows by a field of the selected projection. Replaces any earlier ordering. See ``order(_:)``.
  @_disfavoredOverload
  public func order<Key: OrderingConvertible>(_ key: (Output.Fields) -> Key) -> Selection {
    updating { $0.orderings = [Nesting.atRoot { key(Output.fields).ordering }] }
  }

  /// Orders the rows by several fields of the selected projection, the first deciding first. Replaces any earlier
  /// ordering. See ``order(_:)``.
  @_disfavoredOverload
  public func order<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ keys: (Output.Fields) -> (First, repeat each Other)
  ) -> Selection {
    updating { $0.orderings = orderings(of: keys, in: Output.fields) }
  }

  /// Keeps the rows that also satisfy a condition on the selected projection. See ``where(_:)``.
  @_disfavoredOverload
  public func `where`(@ConditionBuilder _ condition: (Output.Fields) -> Field<Bool>?) -> Selection {
    guard let condition = Nesting.atRoot({ condition(Output.fields)?.condition }) else { return self }
    return updating { $0.choose(by: condition) }
  }

  /// Keeps the groups that satisfy a condition on the selected projection. See ``having(_:)``.
  @_disfavoredOverload
  public func having(_ condition: (Output.Fields) -> Field<Bool>) -> Selection {
    updating { $0.addGroupCondition(Nesting.atRoot { condition(Output.fields).condition }) }
  }
}
