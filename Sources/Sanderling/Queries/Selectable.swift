/// A type that a query can start from: a record or a projection.
public protocol Selectable: Sendable {
  /// The record whose table is read.
  associatedtype Source: StoredRecord

  /// The fields that the closures of queries receive.
  associatedtype Fields: Sendable

  /// The fields of the query's own rows.
  static var fields: Fields { get }

  /// The terms that are read from each row, in order.
  static var _terms: [_SelectedTerm] { get }

  /// The properties for the values of the terms, in order.
  static var _properties: [String] { get }

  /// Creates a value from a row that contains the terms in order.
  init(_reading row: ResultRow) throws

  /// Reads all rows. The default implementation is specialized for each type in the type's own module, so that no row
  /// is copied through generic code. No other implementation is needed.
  static func _readAll(_ rows: ResultRows) throws -> [Self]
}

extension Selectable {
  @inlinable
  public static func _readAll(_ rows: ResultRows) throws -> [Self] {
    var result: [Self] = []
    result.reserveCapacity(rows.expectedCount)
    try rows.forEach { result.append(try Self(_reading: $0)) }
    return result
  }
}

/// One column that a query reads.
public struct _SelectedTerm: Hashable, Sendable {
  package let term: Term

  package init(term: Term) {
    self.term = term
  }

  public init<Value>(_ field: Field<Value>) {
    term = field.term
  }
}

extension Selectable {
  /// The column names of the terms. A property without a column in the source keeps its own name.
  static var columnNames: [String] {
    let table = Source.table
    return _properties.map { table.column(ofProperty: $0)?.name ?? $0 }
  }
}

extension Selectable {
  /// All rows of the record's default scope.
  @inlinable
  public static var query: Selection<Self, Self> {
    Selection(statement: statement, decode: { try Self(_reading: $0) }, decodeAll: { try _readAll($0) })
  }

  /// All rows of the record's default scope: ``query`` by its name in other libraries.
  @inlinable
  public static var all: Selection<Self, Self> { query }

  /// All rows, including deleted ones and others outside the record's default scope: see ``StoredRecord/defaultScope``.
  ///
  /// ```swift
  /// let trash = try await store.fetch(TodoTask.unscoped.where { $0.deletedAt != nil })
  /// ```
  public static var unscoped: Selection<Self, Self> {
    query.updating { $0.condition = nil }
  }

  /// The rows that satisfy the condition. All lines of the closure must be true; see ``ConditionBuilder``.
  @inlinable
  public static func `where`(@ConditionBuilder _ condition: (Fields) -> Field<Bool>?) -> Selection<Self, Self> {
    query.filter(condition)
  }

  /// At most `count` rows, after skipping `offset` rows. Their order is undefined, unless the query is ordered too.
  ///
  /// Parameters and errors as of ``Selection/limit(_:offset:)``.
  @inlinable
  public static func limit(_ count: Int, offset: Int = 0) -> Selection<Self, Self> {
    query.limit(count, offset: offset)
  }

  /// The rows that satisfy the condition: `where` by its name in Swift's collections.
  ///
  /// A record that is also a `TableRecord` of GRDB has GRDB's `filter` too; there `where` type-checks faster.
  @inlinable
  public static func filter(@ConditionBuilder _ condition: (Fields) -> Field<Bool>?) -> Selection<Self, Self> {
    query.filter(condition)
  }

  /// The rows that satisfy the condition.
  @inlinable
  public static func `where`(_ condition: Condition<Source>) -> Selection<Self, Self> {
    query.filter(condition)
  }

  /// All rows, ordered by the key.
  @inlinable
  public static func order<OrderingKey: OrderingConvertible>(
    _ key: (Fields) -> OrderingKey
  ) -> Selection<Self, Self> {
    query.order(key)
  }

  /// All rows, ordered by several keys, the first deciding first.
  @inlinable
  public static func order<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ keys: (Fields) -> (First, repeat each Other)
  ) -> Selection<Self, Self> {
    query.order(keys)
  }

  /// The values of a field in all rows.
  public static func select<Value>(_ field: (Fields) -> Field<Value>) -> Selection<Self, Value> {
    query.select(field)
  }

  /// The values of two fields in all rows, as tuples.
  public static func select<First, Second>(
    _ fields: (Fields) -> (Field<First>, Field<Second>)
  ) -> Selection<Self, (First, Second)> {
    query.select(fields)
  }

  /// The values of three fields in all rows, as tuples.
  public static func select<First, Second, Third>(
    _ fields: (Fields) -> (Field<First>, Field<Second>, Field<Third>)
  ) -> Selection<Self, (First, Second, Third)> {
    query.select(fields)
  }

  /// The values of several fields in all rows, as tuples.
  public static func select<First, each Other>(
    _ fields: (Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection<Self, (First, repeat each Other)> {
    query.select(fields)
  }

  /// The record that an association leads to from each row.
  @_disfavoredOverload
  public static func select<Part: SelectionPart>(_ part: (Fields) -> Part) -> Selection<Self, Part._Selected> {
    query.select(part)
  }

  /// Two fields or whole records of all rows, as tuples.
  ///
  /// ```swift
  /// TodoTask.select { ($0, $0.project) }
  /// ```
  @_disfavoredOverload
  public static func select<First: SelectionPart, Second: SelectionPart>(
    _ parts: (Fields) -> (First, Second)
  ) -> Selection<Self, (First._Selected, Second._Selected)> {
    query.select(parts)
  }

  /// Three fields or whole records of all rows, as tuples.
  @_disfavoredOverload
  public static func select<First: SelectionPart, Second: SelectionPart, Third: SelectionPart>(
    _ parts: (Fields) -> (First, Second, Third)
  ) -> Selection<Self, (First._Selected, Second._Selected, Third._Selected)> {
    query.select(parts)
  }

  /// Fields or whole records of all rows, as tuples.
  @_disfavoredOverload
  public static func select<First: SelectionPart, each Other: SelectionPart>(
    _ parts: (Fields) -> (First, repeat each Other)
  ) -> Selection<Self, (First._Selected, repeat (each Other)._Selected)> {
    query.select(parts)
  }

  /// A projection of all rows.
  public static func select<Projection: StoredProjection>(
    _ projection: Projection.Type
  ) -> Selection<Self, Projection> where Projection.Source == Source {
    query.select(projection)
  }

  /// One row for each distinct value of a field. `select` names the values to read from each group.
  public static func group<Value>(by field: (Fields) -> Field<Value>) -> Selection<Self, Self> {
    query.group(by: field)
  }

  /// One row for each distinct combination of fields. `select` names the values to read from each group.
  public static func group<First, each Other>(
    by fields: (Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection<Self, Self> {
    query.group(by: fields)
  }

  @usableFromInline
  static var statement: SelectStatement {
    var statement = SelectStatement(source: .table(RecordType(Source.self)), columns: _terms.map(\.term))
    statement.condition = Source.scopeTerm
    return statement
  }
}
