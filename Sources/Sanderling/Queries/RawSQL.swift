/// SQL written by hand, with values that are bound, never pasted.
///
/// ```swift
/// let sql: RawSQL = "SELECT * FROM \(TodoTask.self) WHERE \"title\" GLOB \(pattern) LIMIT 10"
/// ```
///
/// A value becomes a parameter, a record type its table's name, a field its expression. Text of the program itself goes
/// in with `\(raw:)`; never text that came from outside.
public struct RawSQL: Hashable, Sendable, ExpressibleByStringInterpolation {
  package var fragments: [RawFragment]

  public init(stringLiteral text: String) {
    fragments = [.sql(ExactText(text))]
  }

  public init(stringInterpolation interpolation: StringInterpolation) {
    fragments = interpolation.fragments
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    var fragments: [RawFragment] = []

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ text: String) {
      fragments.append(.sql(ExactText(text)))
    }

    /// A value, bound as a parameter.
    public mutating func appendInterpolation<Value: ColumnValue>(_ value: Value) {
      do {
        fragments.append(.value(try Value.encode(value)))
      } catch {
        fragments.append(.invalid((error as? ValueError)?.message ?? String(describing: error)))
      }
    }

    /// Values in parentheses, each bound as a parameter: `IN \(list: keys)`.
    public mutating func appendInterpolation<Value: ColumnValue>(list values: some Sequence<Value>) {
      fragments.append(.sql("("))
      for (index, value) in values.enumerated() {
        if index > 0 { fragments.append(.sql(", ")) }
        appendInterpolation(value)
      }
      fragments.append(.sql(")"))
    }

    /// A field of the closure that the expression stands in.
    public mutating func appendInterpolation<Value>(_ field: Field<Value>) {
      fragments.append(.term(field.term))
    }

    /// The name of a record's table.
    public mutating func appendInterpolation<R: StoredRecord>(_ record: R.Type) {
      fragments.append(.sql(ExactText(R.table.name.quotedIdentifier)))
    }

    /// Another piece of SQL.
    public mutating func appendInterpolation(_ sql: RawSQL) {
      fragments += sql.fragments
    }

    /// Text as it stands. It is part of the SQL: never pass what came from outside of the program.
    public mutating func appendInterpolation(raw text: String) {
      fragments.append(.sql(ExactText(text)))
    }
  }
}

extension Field where Value: ColumnValue {
  /// An expression written by hand, whose value has this type.
  public static func raw(_ sql: RawSQL) -> Field {
    Field(.raw(sql.fragments), as: Value.self)
  }
}

extension StoredRecord {
  /// The records that a SELECT written by hand returns. Its columns are found by their names, once for the
  /// statement; the query can be filtered, ordered and limited further.
  public static func raw(_ sql: RawSQL) -> Selection<Self, Self> {
    let statement = SelectStatement(source: .raw(sql.fragments, RecordType(self)), columns: _terms.map(\.term))
    return Selection(statement: statement, decode: { try Self(_reading: $0) }, decodeAll: { try _readAll($0) })
  }
}

/// A SELECT written by hand that returns values or tuples.
///
/// ```swift
/// let query = RawQuery("SELECT name, COUNT(*) FROM person GROUP BY 1", as: String.self, Int.self)
/// ```
public struct RawQuery<Output: Sendable>: Sendable {
  let fragments: [RawFragment]
  let columnCount: Int
  let decode: @Sendable (ResultRow) throws -> Output

  /// - Parameter types: The types of the columns, from left to right.
  public init<First: ColumnValue, each Other: ColumnValue>(
    _ sql: RawSQL, as first: First.Type, _ types: repeat (each Other).Type
  ) where Output == (First, repeat each Other) {
    fragments = sql.fragments
    var count = 1
    repeat count += (each types).columnWidth
    columnCount = count
    decode = { row in
      var index: Int32 = 0
      func next() -> Int32 {
        index += 1
        return index
      }
      return (try row.value(at: 0, as: first), repeat try row.value(at: next(), as: each types))
    }
  }

  /// - Parameter type: The type of the only column.
  public init(_ sql: RawSQL, as type: Output.Type) where Output: ColumnValue {
    fragments = sql.fragments
    columnCount = 1
    decode = { try $0.value(at: 0, as: type) }
  }

  /// The SQL and the values of its parameters.
  public var sql: SQLStatement {
    get throws { try SQLCompiler.compile(raw: fragments) }
  }
}

extension ColumnValue {
  fileprivate static var columnWidth: Int { 1 }
}

extension SQLCompiler {
  static func compile(raw fragments: [RawFragment]) throws -> SQLStatement {
    var compiler = SQLCompiler(writesDefinition: false)
    try compiler.write(.raw(fragments))
    return compiler.result
  }
}
