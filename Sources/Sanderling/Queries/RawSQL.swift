/// SQL written by hand. Its values are bound as parameters, never inserted into the text.
///
/// ```swift
/// let sql: RawSQL = "SELECT * FROM \(TodoTask.self) WHERE \"title\" GLOB \(pattern) LIMIT 10"
/// ```
///
/// A value becomes a parameter, a record type becomes its table's name, and a field becomes its expression. `\(raw:)`
/// inserts text of the program itself. Never pass text from outside the program to it.
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

    /// Adds a value as a parameter.
    public mutating func appendInterpolation<Value: ColumnValue>(_ value: Value) {
      do {
        fragments.append(.value(try Value.encode(value)))
      } catch {
        fragments.append(.invalid((error as? ValueError)?.message ?? String(describing: error)))
      }
    }

    /// Adds values in parentheses, each as a parameter: `IN \(list: keys)`.
    public mutating func appendInterpolation<Value: ColumnValue>(list values: some Sequence<Value>) {
      fragments.append(.sql("("))
      for (index, value) in values.enumerated() {
        if index > 0 { fragments.append(.sql(", ")) }
        appendInterpolation(value)
      }
      fragments.append(.sql(")"))
    }

    /// Adds a field of the enclosing closure.
    public mutating func appendInterpolation<Value>(_ field: Field<Value>) {
      fragments.append(.term(field.term))
    }

    /// Adds the name of a record's table.
    public mutating func appendInterpolation<R: StoredRecord>(_ record: R.Type) {
      fragments.append(.sql(ExactText(R.table.name.quotedIdentifier)))
    }

    /// Adds other SQL.
    public mutating func appendInterpolation(_ sql: RawSQL) {
      fragments += sql.fragments
    }

    /// Adds text unchanged, as part of the SQL. Never pass text from outside the program.
    public mutating func appendInterpolation(raw text: String) {
      fragments.append(.sql(ExactText(text)))
    }
  }
}

extension Field where Value: ColumnValue {
  /// An expression written by hand, with a value of the field's type.
  public static func raw(_ sql: RawSQL) -> Field {
    Field(.raw(sql.fragments), as: Value.self)
  }
}

extension StoredRecord {
  /// The records that a SELECT written by hand returns. Its columns are found by their names, once for each statement.
  /// The query can be filtered, ordered and limited further.
  public static func raw(_ sql: RawSQL) -> Selection<Self, Self> {
    let statement = SelectStatement(source: .raw(sql.fragments, RecordType(self)), columns: _terms.map(\.term))
    return Selection(statement: statement, decode: { try Self(_reading: $0) }, decodeAll: { try _readAll($0) })
  }
}

/// A SELECT written by hand that returns values, tuples, records or projections.
///
/// ```swift
/// let query = RawQuery("SELECT name, COUNT(*) FROM person GROUP BY 1", as: String.self, Int.self)
/// let people = RawQuery("SELECT * FROM person WHERE name GLOB \(pattern)", as: Person.self)
/// ```
public struct RawQuery<Output: Sendable>: Sendable {
  let fragments: [RawFragment]
  /// The expected names of the columns, if columns are found by name; nil if they are read by position.
  let names: ColumnNames?
  /// The number of columns, or a maximum if the actual number is known only when the SELECT runs.
  let columnCount: Int
  let decodeAll: @Sendable (ResultRows) throws -> [Output]

  /// Creates a query whose columns are read by position.
  ///
  /// - Parameter types: The types of the columns, from left to right.
  public init<First: ColumnValue, each Other: ColumnValue>(
    _ sql: RawSQL, as first: First.Type, _ types: repeat (each Other).Type
  ) where Output == (First, repeat each Other) {
    fragments = sql.fragments
    names = nil
    var count = 1
    repeat count += (each types).columnWidth
    columnCount = count
    decodeAll = { rows in
      try rows.map { row in
        var index: Int32 = 0
        func next() -> Int32 {
          index += 1
          return index
        }
        return (try row.value(at: 0, as: first), repeat try row.value(at: next(), as: each types))
      }
    }
  }

  /// Creates a query of a single column.
  ///
  /// - Parameter type: The type of the only column.
  public init(_ sql: RawSQL, as type: Output.Type) where Output: ColumnValue {
    fragments = sql.fragments
    names = nil
    columnCount = 1
    decodeAll = { rows in try rows.map { try $0.value(at: 0, as: type) } }
  }

  /// Creates a query whose columns are found by name. The names are those of a record's table, and the property names
  /// of a projection's calculated values.
  ///
  /// The order of the columns doesn't matter. Fetching throws ``StoreError/invalidQuery(_:)``, which names each column
  /// that is missing, occurs twice, or has no property. It throws ``StoreError/unreadableValue(table:column:reason:)``
  /// for a value that isn't of the property's type, such as NULL for a property that isn't optional.
  ///
  /// - Parameter type: A record, or a projection.
  public init(_ sql: RawSQL, as type: Output.Type) where Output: Selectable {
    let names = Output.columnNames
    // The names are qualified, since some builds of SQLite take an unknown name in double quotes as a text.
    let columns = names.map { "\"rows\".\($0.quotedIdentifier)" }.joined(separator: ", ")
    fragments = [.sql(ExactText("SELECT \(columns) FROM ("))] + sql.fragments + [.sql(") AS \"rows\"")]
    self.names = ColumnNames(expected: names, fragments: sql.fragments, type: String(describing: Output.self))
    columnCount = names.count
    decodeAll = { rows in try StoreError.locating(Output.self) { try Output._readAll(rows) } }
  }

  /// Creates a query whose columns are found by the names of a struct's coding keys. The struct needs no macro.
  ///
  /// ```swift
  /// struct Month: Decodable { var month: String; var total: Int; var last: Date? }
  /// let query = RawQuery(
  ///   "SELECT substr(day, 1, 7) AS month, SUM(amount) AS total, MAX(at) AS last FROM sale GROUP BY 1", decoding: Month.self)
  /// ```
  ///
  /// Each property is read as a record reads a property of its type without attributes. Decoding takes a few times as
  /// long as reading a projection. Once a row is read, fetching throws ``StoreError/invalidQuery(_:)``, which names the
  /// columns that are missing or have no property. It throws ``StoreError/unreadableValue(table:column:reason:)`` for a
  /// value that isn't of the property's type.
  ///
  /// - Parameter type: A struct whose properties are column values, optional or not.
  public init(_ sql: RawSQL, decoding type: Output.Type) where Output: Decodable {
    fragments = sql.fragments
    names = nil
    columnCount = .max
    decodeAll = { try RowDecoder.decodeAll(type, from: $0) }
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
