import GRDB

/// The statements that read the rows of live lists of one form. Each returns the query's columns, and then the other
/// columns of each row's key and sort key. The statements must be filled with the values of a list.
///
/// The key of a group consists of its grouping values.
final class RowStatements: Sendable {
  /// The query with an ordering that is unique for each row, and without a limit.
  private let base: SelectStatement
  private let keyTerms: [Term]
  /// The query's own ordering, then the key.
  let orderings: [Ordering]
  private let columnCount: Int
  /// Finds one row by its key.
  let byKey: SQLStatement

  var keyCount: Int { keyTerms.count }

  /// The number of columns that the query selects, which come first.
  let outputCount: Int
  /// The columns of the key, and then of the sort values before it. A selected column is not read twice.
  let stampColumns: [Int]
  /// The columns of the counts and sums that changes of single rows maintain, and then of the sums' magnitudes.
  let countedColumns: [Int]
  /// The positions of the magnitudes in ``countedColumns``: see ``SumBound``.
  private let magnitudes: Range<Int>
  /// Finds one row by its key when its counts and sums are known.
  private let byKnownKey: (statement: SQLStatement, known: [(argument: Int, term: Int)])

  /// - Parameters:
  ///   - counted: The counts and sums to be read with each row.
  ///   - magnitudes: The magnitudes of the sums. For rows of a table they are read only with single rows, since each is
  ///     a subquery.
  init(_ statement: SelectStatement, counted: [Term] = [], magnitudes: [Term] = []) throws {
    keyTerms = statement.identity
    // The whole key, even if parts of it are among the query's orderings: each sort key ends with the key.
    orderings = statement.orderings + statement.tieBreakers
    var base = statement
    outputCount = statement.columns.count
    stampColumns = (keyTerms + statement.orderings.map(\.term)).map { base.column(of: $0) }
    let countedColumns = counted.map { base.column(of: $0) }
    let firstMagnitude = base.columns.count
    base.columns += statement.isGrouped ? magnitudes : magnitudes.map { _ in .literal(.null) }
    self.countedColumns = countedColumns + (firstMagnitude..<base.columns.count)
    self.magnitudes = counted.count..<counted.count + magnitudes.count
    base.limit = nil
    base.offset = 0
    base.orderings = orderings
    self.base = base
    columnCount = base.columns.count

    var single = base
    single.orderings = []
    single.columns.replaceSubrange(firstMagnitude..., with: magnitudes)
    // A group's key may contain NULL. For rows, an equality that NULL can't satisfy is faster in some plans.
    let equality: BinaryOperator = statement.isGrouped ? .is : .equal
    for key in keyTerms { single.add(condition: .binary(equality, key, .constant(.null))) }
    byKey = try SQLCompiler.compile(single)
    isGrouped = statement.isGrouped
    if counted.isEmpty {
      byKnownKey = (byKey, [])
    } else if isGrouped {
      let hasGroup = statement.groupCondition ?? .literal(.integer(1))
      byKnownKey = try SQLCompiler.compile(base.columns + [hasGroup], knowing: keyTerms + counted + magnitudes)
    } else {
      byKnownKey = try SQLCompiler.compile(single, knowing: counted + magnitudes)
    }
    if single.groupCondition == nil {
      argumentsAfterKey = 0
    } else {
      single.groupCondition = nil
      argumentsAfterKey = byKey.arguments.count - (try SQLCompiler.compile(single)).arguments.count
    }
  }

  /// The number of parameters of ``byKey`` after the key's parameters. They belong to a condition on groups.
  private let argumentsAfterKey: Int

  /// Guards the last statement of ``first(_:)``, since lists of one form mostly have one window. Two threads that ask
  /// at once may both write it.
  private let lastFirst = Lock<(count: Int, statement: SQLStatement)?>(nil)

  /// The parameters of ``byKey`` for a key, in a query with values.
  func arguments(_ key: RowKey, _ values: [StorageValue]) -> [StorageValue] {
    var arguments = byKey.arguments.filled(values)
    let end = arguments.count - argumentsAfterKey
    arguments.replaceSubrange(end - keyCount..<end, with: key.values)
    return arguments
  }

  private let isGrouped: Bool

  /// The table whose primary key is the key; nil for groups, whose key may contain NULL.
  var keyedType: RecordType? { isGrouped ? nil : base.source.type }

  /// The statement for a row by its key, in a query with values, with known counts and sums. For a group it reads no
  /// table, and its last column tells whether the query has the group.
  func byKey(_ key: RowKey, knowing counts: [Int64], _ values: [StorageValue]) -> SQLStatement {
    var arguments = byKnownKey.statement.arguments.filled(values)
    let knownValues = (isGrouped ? key.values : []) + counts.map { .integer($0) }
    for known in byKnownKey.known { arguments[known.argument] = knownValues[known.term] }
    if !isGrouped { arguments.replaceSubrange((arguments.count - keyCount)..., with: key.values) }
    return SQLStatement(sql: byKnownKey.statement.sql, arguments: arguments)
  }

  /// Whether the query has the group that ``byKey(_:knowing:)`` returns.
  func hasGroup(_ row: ResultRow) throws -> Bool {
    try row.storageValue(at: Int32(columnCount)).truth() ?? false
  }

  /// The counts and sums of a row, and the magnitudes of the sums; nil when a count or sum is no integer.
  func counts(_ row: ResultRow) -> [Int64]? {
    var counts: [Int64] = []
    for (position, column) in countedColumns.enumerated() {
      let value = row.encodedValue(at: Int32(column))
      if magnitudes.contains(position) {
        counts.append(SumBound.magnitude(value))
      } else if case .integer(let count) = value {
        counts.append(count)
      } else {
        return nil
      }
    }
    return counts
  }

  /// Whether the query with values has the row with a key.
  func contains(_ key: RowKey, _ values: [StorageValue], _ db: Database) throws -> Bool {
    var found = false
    try db.forEachRow(of: byKey.sql, limit: 1) {
      try $0.bind(arguments(key, values))
    } row: {
      found = RowKey(self.key($0)) == key
    }
    return found
  }

  /// All rows, in any order.
  func all() throws -> SQLStatement {
    var statement = base
    statement.orderings = []
    return try SQLCompiler.compile(statement)
  }

  /// The first rows.
  func first(_ count: Int) throws -> SQLStatement {
    if let last = lastFirst.withLock({ $0 }), last.count == count { return last.statement }
    var statement = base
    statement.limit = count
    let compiled = try SQLCompiler.compile(statement)
    lastFirst.withLock { $0 = (count, compiled) }
    return compiled
  }

  /// All rows, in order.
  func ordered() throws -> SQLStatement { try SQLCompiler.compile(base) }

  /// The rows after a place, in order: one range for each prefix of the ordering.
  ///
  /// - Parameter edge: The sort key of a row, with the primary key at its end. Or a prefix of it, for the rows after
  ///   all rows with that prefix.
  func after(_ edge: [StorageValue], count: Int? = nil) throws -> [SQLStatement] {
    try base.ranges(after: edge.map { .constant($0) }).map { range in
      var statement = range
      statement.limit = count
      return try SQLCompiler.compile(statement)
    }
  }

  /// The sort key of a row: its sort values, with the primary key at the end.
  func sortKey(_ row: ResultRow) -> [StorageValue] {
    stampColumns[keyCount...].map { row.storageValue(at: Int32($0)) } + key(row)
  }

  func key(_ row: ResultRow) -> [StorageValue] {
    stampColumns[..<keyCount].map { row.storageValue(at: Int32($0)) }
  }
}
