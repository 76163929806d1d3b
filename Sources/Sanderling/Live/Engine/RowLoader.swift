import GRDB

/// Reads rows of a live list.
struct RowLoader<Element: Sendable> {
  struct LoadedRow: Sendable {
    let row: Window<Element>.Row
    /// The counts and sums that follow from changes of single rows; nil when one is no integer.
    let counts: [Int64]?
  }

  private let database: Database
  private let statements: RowStatements
  private let definition: RowsDefinition<Element>

  init(_ database: Database, _ statements: RowStatements, _ definition: RowsDefinition<Element>) {
    self.database = database
    self.statements = statements
    self.definition = definition
  }

  /// The first rows.
  ///
  /// - Throws: ``RequeryReason`` when SQLite fails at a row, which may be one that is not shown: without it the query works.
  func first(_ count: Int, needed: Int, skipped: Int) throws -> (rows: [LoadedRow], isLast: Bool) {
    do {
      return try rows(statements.first(count), needed: needed, skipped: skipped, limit: count)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw RequeryReason("SQLite can't evaluate it for some row: \(error.message ?? "no reason given")")
    }
  }

  /// The rows that a statement returns.
  ///
  /// - Parameters:
  ///   - needed: How many of them are shown, or skipped. Those after them end with the first that can't be read: it is an
  ///     error only where it is shown.
  ///   - skipped: How many of them are skipped.
  ///   - limit: How many to read at most.
  /// - Returns: The rows, and whether there are none after them.
  func rows(
    _ statement: SQLStatement, needed: Int, skipped: Int = 0, limit: Int
  ) throws -> (rows: [LoadedRow], isLast: Bool) {
    var rows: [LoadedRow] = []
    var isReadable = true
    try database.forEachRow(of: statement.sql, limit: limit) {
      try $0.bind(statement.arguments)
    } row: { row in
      guard isReadable else { return }
      do {
        rows.append(try read(row))
      } catch let reason as RequeryReason {
        throw reason
      } catch {
        if rows.count < skipped { throw RequeryReason("it skips a row that can't be read: \(error)") }
        if rows.count < needed { throw error }
        isReadable = false
      }
    }
    return (rows, isReadable && rows.count < limit)
  }

  /// The row with a key, if the query has it.
  func row(_ key: RowKey) throws -> LoadedRow? {
    try row(key, SQLStatement(sql: statements.byKey.sql, arguments: statements.arguments(key)))
  }

  /// The row with a key, if the query has it, with counts and sums that are known.
  func row(_ key: RowKey, knowing counts: [Int64]) throws -> LoadedRow? {
    try row(key, statements.byKey(key, knowing: counts))
  }

  /// The group with a key, if the query has it, with counts and sums that are known.
  func group(_ key: RowKey, knowing counts: [Int64]) throws -> LoadedRow? {
    let statement = statements.byKey(key, knowing: counts)
    var group: LoadedRow?
    try database.forEachRow(of: statement.sql, limit: 1) {
      try $0.bind(statement.arguments)
    } row: {
      if try statements.hasGroup($0) { group = try read($0) }
    }
    return group
  }

  private func row(_ key: RowKey, _ statement: SQLStatement) throws -> LoadedRow? {
    // Found by SQL's equality, under a collation perhaps: another row, that has an event of its own.
    try rows(statement, needed: 1, limit: 1).rows.first { $0.row.key == key }
  }

  private func read(_ row: ResultRow) throws -> LoadedRow {
    let output = row.advanced(by: Int32(statements.prefixCount))
    let key = RowKey(statements.key(row))
    if key.hasNull, let type = statements.keyedType { throw RequeryReason.keyIsNull(type) }
    let element = try StoreError.locating(Element.self) { try definition.decode(output) }
    return LoadedRow(
      row: Window<Element>.Row(
        key: key, sortKey: statements.sortKey(row), element: element,
        version: output.fingerprint(definition.columnCount)),
      counts: statements.countedColumns.isEmpty ? nil : statements.counts(row))
  }
}
