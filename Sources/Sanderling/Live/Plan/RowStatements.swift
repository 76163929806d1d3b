import GRDB

/// The statements with which live lists of one form read their rows. All of them return the selected columns, followed
/// by the other parts of each row's key and sort key. A list fills in its values.
///
/// The key of a group consists of the values by which it is grouped.
final class RowStatements: Sendable {
  /// The query with an ordering that tells all rows apart, and with no limit.
  private let base: SelectStatement
  private let keyTerms: [Term]
  /// The query's own ordering, then the key.
  let orderings: [Ordering]
  private let columnCount: Int
  /// Finds one row by its key.
  let byKey: SQLStatement

  var keyCount: Int { keyTerms.count }

  /// How many columns the query selects, which come first.
  let outputCount: Int
  /// The columns of the key and of the sort key before it. A column that is also selected is read once.
  let stampColumns: [Int]
  /// Where the counts and sums are that follow from changes of single rows, and after them the magnitudes of the sums.
  let countedColumns: [Int]
  /// Which of these are magnitudes: see ``SumBound``.
  private let magnitudes: Range<Int>
  /// Finds one row by its key when its counts and sums are known.
  private let byKnownKey: (statement: SQLStatement, known: [(argument: Int, term: Int)])

  /// - Parameters:
  ///    - counted: The counts and sums that are read with each row.
  ///    - magnitudes: The magnitudes of the sums. For rows of a table they are read with single rows only, because each
  ///     is a subquery.
  init(_ statement: SelectStatement, counted: [Term] = [], magnitudes: [Term] = []) throws {
    keyTerms = statement.identity
    // All of the key, though some of it may be among the query's orderings: it is at the end of each sort key.
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
    // A group may be that of NULL; an equality that NULL could satisfy is slower in some plans.
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

  /// The number of parameters of ``byKey`` after the key's: those of a condition on groups.
  private let argumentsAfterKey: Int

  /// Guards the statement that ``first(_:)`` returned last: lists of one form mostly have one window. Two threads that ask at once may
  /// both write it.
  private let lastFirst = Lock<(count: Int, statement: SQLStatement)?>(nil)

  /// The parameters of ``byKey`` for a key, in a query with values.
  func arguments(_ key: RowKey, _ values: [StorageValue]) -> [StorageValue] {
    var arguments = byKey.arguments.filled(values)
    let end = arguments.count - argumentsAfterKey
    arguments.replaceSubrange(end - keyCount..<end, with: key.values)
    return arguments
  }

  private let isGrouped: Bool

  /// The table whose primary key is the key; nil for groups, whose key may be NULL.
  var keyedType: RecordType? { isGrouped ? nil : base.source.type }

  /// The statement that finds a row of a query with values by its key, without counting known counts. The statement of
  /// a group reads no table, and its last column says whether the query has the group.
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

  /// The counts and sums of a row, and the magnitudes of the sums; nil when a count or a sum is no integer.
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

  /// The rows after one, in order, by one range for each prefix of the ordering.
  ///
  /// - Parameter edge: The sort key of the row, its primary key at the end; the first values of it for the rows after all that have those.
  func after(_ edge: [StorageValue], count: Int? = nil) throws -> [SQLStatement] {
    try base.ranges(after: edge.map { .constant($0) }).map { range in
      var statement = range
      statement.limit = count
      return try SQLCompiler.compile(statement)
    }
  }

  /// The sort key of a row: the values that order it, its primary key at the end.
  func sortKey(_ row: ResultRow) -> [StorageValue] {
    stampColumns[keyCount...].map { row.storageValue(at: Int32($0)) } + key(row)
  }

  func key(_ row: ResultRow) -> [StorageValue] {
    stampColumns[..<keyCount].map { row.storageValue(at: Int32($0)) }
  }
}
