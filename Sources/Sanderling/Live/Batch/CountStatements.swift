import GRDB

/// Queries the rows on the way from a query's rows to the rows that it counts: see ``CountedRows``.
struct CountStatements {
  private let dependency: Dependency
  /// Finds the rows on the way by their primary keys, for each association but the last.
  private let aboveByKey: [SQLStatement]
  /// Adds up the numbers of the rows below.
  private let valueByKey: [SQLStatement]

  /// - Precondition: The dependency counts rows over several associations.
  init(_ dependency: Dependency) throws {
    self.dependency = dependency
    let levels = dependency.counted?.levels ?? []
    let onTheWay = dependency.columnsOnTheWay.indices
    aboveByKey = try onTheWay.map { position in
      let association = dependency.chain[position]
      return try Self.statement(
        of: association.destination,
        selecting: association.columns.map { .own($0.destination, association.destination) },
        filter: levels[position].filter, finding: dependency.chain[position + 1].columns.map(\.origin))
    }
    valueByKey = try onTheWay.map { position in
      let association = dependency.chain[position + 1]
      let level = levels[position + 1]
      let value: Term =
        level.argument.map { .function(.coalesce, [.summary(.sum, $0), .literal(.integer(0))]) }
        ?? .summary(.count, nil)
      return try Self.statement(
        of: association.destination, selecting: [value, value.sumOfMagnitudes ?? .literal(.integer(0))],
        filter: level.filter, finding: association.columns.map(\.destination))
    }
  }

  /// A SELECT of rows by the values of some columns, which are its last parameters.
  private static func statement(
    of type: RecordType, selecting columns: [Term], filter: Term?, finding key: [Int]
  ) throws -> SQLStatement {
    var statement = SelectStatement(source: .table(type), columns: columns)
    statement.condition = filter
    for column in key { statement.add(condition: .binary(.equal, .own(column, type), .constant(.null))) }
    return try SQLCompiler.compile(statement)
  }

  /// The link values of the row on the way with a primary key, if it satisfies the filter of its level. Rows above lead
  /// to it with them.
  ///
  /// - Returns: One element, or none.
  func above(_ below: [StorageValue], _ position: Int, _ db: Database) throws -> [[StorageValue]] {
    var found: [[StorageValue]] = []
    let count = dependency.chain[position].columns.count
    try run(aboveByKey[position], below, db) { row in
      let values = (0..<count).map { row.storageValue(at: Int32($0)) }
      if !values.contains(where: \.isNull) { found.append(values) }
    }
    return found
  }

  /// The contribution of a row on the way with a primary key, whether the row exists or not. With great numbers it is
  /// unknown, and the query's row is read again: see ``SumBound``.
  func value(below: [StorageValue], _ position: Int, _ db: Database) throws -> Contribution {
    var value = Contribution.unknown
    do {
      try run(valueByKey[position], below, db) { row in
        let magnitude = SumBound.magnitude(row.encodedValue(at: 1)).magnitude
        if case .integer(let number) = row.storageValue(at: 0), magnitude <= SumBound.greatestSmall {
          value = .added(number)
        }
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // A sum beyond 64 bits. The query's own statement will fail with it.
      return .unknown
    }
    return value
  }

  /// The primary key of the query's row with some link values; nil when the key is no part of them.
  func rootKey(_ link: [StorageValue]) -> RowKey? {
    let association = dependency.chain[0]
    var values: [StorageValue] = []
    for column in association.origin.table.key {
      guard let position = association.columns.firstIndex(where: { $0.origin == column }) else { return nil }
      values.append(link[position])
    }
    return RowKey(values)
  }

  private func run(
    _ statement: SQLStatement, _ key: [StorageValue], _ db: Database, _ row: (ResultRow) throws -> Void
  ) throws {
    try db.forEachRow(of: statement.sql) {
      try $0.bind(statement.arguments.dropLast(key.count) + key)
    } row: {
      try row($0)
    }
  }
}

extension Term {
  /// A column of a query's own rows.
  fileprivate static func own(_ column: Int, _ type: RecordType) -> Term {
    .column(ColumnTerm(scope: .root, owner: type, index: column))
  }
}
