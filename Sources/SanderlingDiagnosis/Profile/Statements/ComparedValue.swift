/// A column of a table that rows are kept in, or a path of JSON in one.
struct ColumnKey: Hashable, Sendable {
  /// As the schema spells it.
  var table: String
  var column: ColumnID
}

/// A literal or parameter of a statement, and the column that it belongs to.
struct ComparedValue {
  enum Operation: Hashable {
    /// It is compared for equality, or stored.
    case equal
    /// It is a bound of a range.
    case bound
    /// It is the pattern of LIKE or GLOB; `%` is put around it elsewhere where the flags say so.
    case pattern(isGlob: Bool, before: Bool, after: Bool)
    /// It is what a full-text search looks for.
    case search
    /// It is a list in JSON, whose elements are compared for equality.
    case list
  }

  enum Value: Hashable {
    /// The bytes of the statement that it takes.
    case literal(Range<Int>)
    case parameter(Int)
  }

  var column: ColumnKey
  var operation: Operation
  var value: Value
  /// SQL of an expression around the column, which is `?1` in it.
  var around: String?
}
