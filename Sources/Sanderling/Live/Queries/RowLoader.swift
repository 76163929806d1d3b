import GRDB

/// Reads rows of a live list: a form's query with certain values.
struct RowLoader<Element: Sendable> {
  private let database: Database
  private let statements: RowStatements
  private let definition: RowsDefinition<Element>
  private let decode: RowsDefinition<Element>.DecodeOne
  private let values: [StorageValue]

  init(_ database: Database, _ plan: RowsPlan<Element>, _ values: [StorageValue]) {
    self.init(database, plan.statements, plan.definition, plan.decode, values)
  }

  init(
    _ database: Database, _ statements: RowStatements, _ definition: RowsDefinition<Element>,
    _ decode: @escaping RowsDefinition<Element>.DecodeOne, _ values: [StorageValue]
  ) {
    self.database = database
    self.statements = statements
    self.definition = definition
    self.decode = decode
    self.values = values
  }

  /// Reads the first rows.
  ///
  /// - Throws: ``RequeryReason`` when SQLite fails at a row. That row may not be shown, so that the query works when it
  ///   is rerun.
  func first(_ count: Int) throws -> (rows: OrderedRows<Element>, isLast: Bool) {
    do {
      return try rows(statements.first(count).filled(values), limit: count)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      throw RequeryReason(
        "SQLite can't evaluate it for some row: \(error.message ?? "no reason given")", failure: error)
    }
  }

  /// Reads the rows after a place, with several statements in order.
  ///
  /// - Parameters:
  ///   - edge: The sort key of the place.
  ///   - count: The number of rows that the statements are made for.
  ///   - limit: The most rows to read.
  /// - Returns: The rows, and whether there are none after them.
  func rows(
    after edge: [StorageValue], count: Int, limit: Int
  ) throws -> (rows: OrderedRows<Element>, isLast: Bool) {
    var found = OrderedRows<Element>()
    var isLast = true
    for statement in try statements.after(edge, count: count) where isLast && found.count < limit {
      let (more, isEnd) = try rows(statement.filled(values), limit: limit - found.count)
      found.append(more)
      isLast = isEnd
    }
    return (found, isLast && found.count < limit)
  }

  /// Reads the rows of a statement.
  ///
  /// - Parameter limit: The most rows to read.
  /// - Returns: The rows, and whether there are none after them.
  private func rows(_ statement: SQLStatement, limit: Int) throws -> (rows: OrderedRows<Element>, isLast: Bool) {
    let rows: OrderedRows<Element>
    do {
      rows = OrderedRows(try readableRows(statement, limit: limit))
    } catch let error where error.isAboutRow {
      rows = try rowsOneByOne(statement, limit: limit)
    }
    return (rows, rows.count < limit)
  }

  /// Reads rows that are all readable, fast, in code that is specialized for the element.
  private func readableRows(_ statement: SQLStatement, limit: Int) throws -> LiveRows<Element> {
    let reader = StampReader(statements, limit: limit)
    var elements: [[Element]] = []
    var fingerprints: [[UInt64]] = []
    try database.withExecution(of: statement.sql) {
      try $0.bind(statement.arguments)
    } _: { execution in
      while true {
        let count = reader.count
        let expected = min(StampChunks.capacity(count), limit - count)
        let rows = ResultRows(source: StampedRows(reader, execution), expectedCount: expected)
        let decoded = try definition.decodeAll(database, rows)
        let chunk = decoded.values
        // In a list of few rows, the capacity for further rows would take most of the memory.
        if !chunk.isEmpty { elements.append(chunk.count < expected ? chunk.withoutRoom : chunk) }
        if !decoded.fingerprints.isEmpty { fingerprints.append(decoded.fingerprints) }
        if !reader.mayHaveMore { break }
      }
    }
    var stamps = reader.finish()
    for (chunk, fingerprints) in fingerprints.enumerated() { stamps.combineVersions(ofChunk: chunk, fingerprints) }
    return LiveRows(stamps: stamps, values: ElementChunks(elements))
  }

  /// Reads rows one by one, since some of them are unreadable.
  private func rowsOneByOne(_ statement: SQLStatement, limit: Int) throws -> OrderedRows<Element> {
    var rows = LoadedRows<Element>()
    try database.forEachRow(of: statement.sql, limit: limit) {
      try $0.bind(statement.arguments)
    } row: {
      rows.append(try read($0))
    }
    return rows.finishAll()
  }

  /// Reads the row with a key; nil when the query has none.
  func row(_ key: RowKey) throws -> Window<Element>.Row? {
    try row(key, byKey(key))
  }

  /// Reads the row with a key and known counts and sums; nil when the query has none.
  func row(_ key: RowKey, knowing counts: [Int64]) throws -> Window<Element>.Row? {
    try row(key, statements.byKey(key, knowing: counts, values))
  }

  /// Reads the group with a key; nil when the query has none.
  ///
  /// - Throws: `EvaluationError` for a group whose value is another number than the key, and equal to it in SQL.
  func group(_ key: RowKey) throws -> Window<Element>.Row? {
    try first(of: byKey(key)).map { try requireKey(key, of: $0) }
  }

  /// Reads the group with a key and known counts and sums; nil when the query has none.
  ///
  /// - Throws: As ``group(_:)``.
  func group(_ key: RowKey, knowing counts: [Int64]) throws -> Window<Element>.Row? {
    let statement = statements.byKey(key, knowing: counts, values)
    var group: Window<Element>.Row?
    try forFirstRow(of: statement) {
      if try statements.hasGroup($0) { group = try read($0) }
    }
    return try group.map { try requireKey(key, of: $0) }
  }

  private func requireKey(_ key: RowKey, of row: Window<Element>.Row) throws -> Window<Element>.Row {
    guard hasKey(key, row) else { throw EvaluationError.groupOfReals }
    return row
  }

  private func hasKey(_ key: RowKey, _ row: Window<Element>.Row) -> Bool {
    key.withEncoding { key in row.stamp.withEncoding { $0.key.hasSameBytes(as: key) } }
  }

  private func row(_ key: RowKey, _ statement: SQLStatement) throws -> Window<Element>.Row? {
    // SQL's equality, perhaps under a collation, may find a row with another key. That row has its own event.
    try first(of: statement).flatMap { hasKey(key, $0) ? $0 : nil }
  }

  private func byKey(_ key: RowKey) -> SQLStatement {
    SQLStatement(sql: statements.byKey.sql, arguments: statements.arguments(key, values))
  }

  private func first(of statement: SQLStatement) throws -> Window<Element>.Row? {
    var row: Window<Element>.Row?
    try forFirstRow(of: statement) { row = try read($0) }
    return row
  }

  private func forFirstRow(of statement: SQLStatement, _ body: (ResultRow) throws -> Void) throws {
    try database.forEachRow(of: statement.sql, limit: 1) {
      try $0.bind(statement.arguments)
    } row: {
      try body($0)
    }
  }

  private func read(_ row: ResultRow) throws -> Window<Element>.Row {
    var stamp = try StampRows.stamp(row, statements)
    do {
      let decoded = try StoreError.locating(Element.self) { try decode(database, row) }
      if let fingerprint = decoded.fingerprint { stamp.combineVersion(fingerprint) }
      return .readable(stamp, decoded.element)
    } catch let error where error.isAboutRow {
      return .unreadable(UnreadableRow(stamp, statements.origin, error))
    }
  }
}

extension RowStatements {
  fileprivate var origin: UnreadableRow.Origin { keyedType.map { .table($0) } ?? .group }
}

extension Array {
  /// The elements in storage of exactly their size. An array made from a slice of all elements would keep the old
  /// storage.
  fileprivate var withoutRoom: [Element] {
    Array(unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = buffer.initialize(fromContentsOf: self)
    }
  }
}
