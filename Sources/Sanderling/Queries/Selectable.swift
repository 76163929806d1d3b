/// A type that queries start at: a record or a projection.
public protocol Selectable: Sendable {
  /// The record whose table is read.
  associatedtype Source: StoredRecord

  /// What the closures of queries receive.
  associatedtype Fields: Sendable

  /// The fields of the query's own rows.
  static var fields: Fields { get }

  /// What is read of each row, in order.
  static var _terms: [_SelectedTerm] { get }

  /// The properties that the terms are read into, in order.
  static var _properties: [String] { get }

  /// Reads a row that holds the terms in order.
  init(_reading row: ResultRow) throws

  /// Reads all rows. The default is compiled for each type, in the type's own module, so that no row is copied through
  /// generic code; there is no reason to write another.
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

/// One column of what a query reads.
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
  /// The columns of the terms by name: those of the source, and the properties that are no column of it.
  static var columnNames: [String] {
    let table = Source.table
    return _properties.map { table.column(ofProperty: $0)?.name ?? $0 }
  }
}

extension Selectable {
  /// All rows.
  @inlinable
  public static var query: Selection<Self, Self> {
    Selection(statement: statement, decode: { try Self(_reading: $0) }, decodeAll: { try _readAll($0) })
  }

  /// The rows that satisfy the condition, which is true when each line of the closure is; see ``ConditionBuilder``.
  @inlinable
  public static func `where`(@ConditionBuilder _ condition: (Fields) -> Field<Bool>?) -> Selection<Self, Self> {
    query.filter(condition)
  }

  /// At most `count` rows, after skipping `offset`: in no particular order, unless the query is ordered as well.
  ///
  /// - Precondition: Neither is negative.
  @inlinable
  public static func limit(_ count: Int, offset: Int = 0) -> Selection<Self, Self> {
    query.limit(count, offset: offset)
  }

  /// The rows that satisfy the condition: `where` by the name that it has in Swift's collections.
  ///
  /// A record that also is a `TableRecord` of GRDB has GRDB's `filter` beside it; there `where` checks faster.
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

  /// All rows, ordered by the keys, the first deciding first.
  @inlinable
  public static func order<First: OrderingConvertible, each Other: OrderingConvertible>(
    _ keys: (Fields) -> (First, repeat each Other)
  ) -> Selection<Self, Self> {
    query.order(keys)
  }

  /// This field of all rows.
  public static func select<Value>(_ field: (Fields) -> Field<Value>) -> Selection<Self, Value> {
    query.select(field)
  }

  /// These two fields of all rows, as tuples.
  public static func select<First, Second>(
    _ fields: (Fields) -> (Field<First>, Field<Second>)
  ) -> Selection<Self, (First, Second)> {
    query.select(fields)
  }

  /// These three fields of all rows, as tuples.
  public static func select<First, Second, Third>(
    _ fields: (Fields) -> (Field<First>, Field<Second>, Field<Third>)
  ) -> Selection<Self, (First, Second, Third)> {
    query.select(fields)
  }

  /// These fields of all rows, as tuples.
  public static func select<First, each Other>(
    _ fields: (Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection<Self, (First, repeat each Other)> {
    query.select(fields)
  }

  /// One row for each different value of the field. Say what to read of each group with `select`.
  public static func group<Value>(by field: (Fields) -> Field<Value>) -> Selection<Self, Self> {
    query.group(by: field)
  }

  /// One row for each different combination of the fields. Say what to read of each group with `select`.
  public static func group<First, each Other>(
    by fields: (Fields) -> (Field<First>, repeat Field<each Other>)
  ) -> Selection<Self, Self> {
    query.group(by: fields)
  }

  @usableFromInline
  static var statement: SelectStatement {
    SelectStatement(source: .table(RecordType(Source.self)), columns: _terms.map(\.term))
  }
}
