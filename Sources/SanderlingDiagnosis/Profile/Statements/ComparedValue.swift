/// A column of an ordinary table, or a JSON path in one.
struct ColumnKey: Hashable, Sendable {
  /// The table's name in the schema's spelling.
  var table: String
  var column: ColumnID
}

/// A literal or parameter of a statement, and its column.
struct ComparedValue {
  enum Operation: Hashable {
    /// The value is compared for equality, or stored.
    case equal
    /// The value is a bound of a range.
    case bound
    /// The value is the pattern of LIKE or GLOB. The flags say whether the statement itself adds `%` before or after
    /// it.
    case pattern(isGlob: Bool, before: Bool, after: Bool)
    /// The value is a full-text query.
    case search
    /// The value is a JSON list whose elements are compared for equality.
    case list
  }

  enum Value: Hashable {
    /// The literal's bytes in the statement.
    case literal(Range<Int>)
    case parameter(Int)
  }

  var column: ColumnKey
  var operation: Operation
  var value: Value
  /// The SQL of the expression around the column, with `?1` for the column.
  var around: String?
}
