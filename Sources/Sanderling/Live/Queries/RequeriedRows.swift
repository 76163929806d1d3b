import GRDB

/// The rows of a query that row changes can't maintain. The query is rerun after a change of any table that it reads.
final class RequeriedRows<Element: Sendable>: LiveQuery {
  let following: QueryFollowing
  private let source: any RerunRows<Element>
  private var reading: RerunReading<Element>?
  private var loaded = LoadSlot<RerunReading<Element>>()

  init(_ source: some RerunRows<Element>, reason: RequeryReason) {
    self.source = source
    following = .runAgain(reason)
  }

  private var read: RowsContent<Element>? { reading?.content }

  func content(window: Int) -> RowsContent<Element>? {
    read.map { read in
      let rows = read.rows.prefix(window)
      return RowsContent(rows: rows, hasMore: read.hasMore || read.rows.count > rows.count)
    }
  }

  func readTables(_ db: Database) throws -> Set<String> {
    try source.readTables(db)
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let (source, loaded) = (source, loaded.begin())
    return { db in loaded.put(try source.read(first: window, db)) }
  }

  func endLoad(window: Int) -> QueryOutcome {
    reading = loaded.take()
    return .news
  }

  func windowChanged(to window: Int) -> QueryOutcome {
    guard let read else { return .unchanged }
    return read.hasMore && read.rows.count < window ? .reload : .unchanged
  }

  func check(window: Int) -> LiveCheck? {
    guard let reading, let (statement, isOrdered) = try? reading.statement(), !statement.mayDifferByItself else {
      return nil
    }
    let (source, read) = (source, reading.content)
    return LiveCheck(statement: { statement }, tables: []) { db in
      let fresh = try source.read(first: read.rows.count, db).content
      if fresh.hasMore != read.hasMore {
        return "it has hasMore \(read.hasMore), and the SELECT has hasMore \(fresh.hasMore)"
      }
      if isOrdered { return read.rows.difference(from: fresh.rows, comparesVersions: true) }
      if read.hasMore || read.rows.versionCounts == fresh.rows.versionCounts { return nil }
      return "it shows \(read.rows.count) rows, and the SELECT returns \(fresh.rows.count): the rows differ"
    }
  }
}

extension RowsDefinition: RerunRows {
  func readTables(_ db: Database) throws -> Set<String> {
    var tables = try db.tables(readBy: IdentifiedStatement(source).sql)
    for statement in try prefetched.flatMap({ try $0.compiled }) {
      tables.formUnion(try db.tables(readBy: statement))
    }
    return tables
  }

  func read(first count: Int, _ db: Database) throws -> RerunReading<Element> {
    let source = source
    return RerunReading(content: try firstRows(count, db)) {
      let statement = try IdentifiedStatement(source)
      // Without key columns, rows with equal orderings may come in any order.
      return (statement.sql, statement.keyCount > 0)
    }
  }

  /// Runs the query for its first rows.
  func firstRows(_ count: Int, _ db: Database) throws -> RowsContent<Element> {
    if count == .max { return try firstRows(count, of: IdentifiedStatement(source), db) }
    do {
      return try firstRows(count, of: IdentifiedStatement(source, first: count + 1), db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The plan for a few rows may evaluate a row at which SQLite fails. The plan of the whole query may not.
      return try firstRows(count, of: IdentifiedStatement(source), db)
    }
  }

  private func firstRows(_ count: Int, of statement: IdentifiedStatement, _ db: Database) throws -> RowsContent<Element>
  {
    let source = IdentifiedRowSource(statement, columnCount: columnCount, limit: count, db)
    do {
      let read = try StoreError.locating(Element.self) {
        try decodeAll(db, ResultRows(source: source, expectedCount: 0))
      }
      var rows = LoadedRows<Element>()
      for (index, element) in read.values.enumerated() {
        rows.append(source.stamp(index, read.fingerprints.isEmpty ? nil : read.fingerprints[index]), element)
      }
      return RowsContent(rows: rows.finishAll(), hasMore: source.hasMore)
    } catch let error where error.isAboutRow {
      return try firstRowsOneByOne(count, of: statement, db)
    }
  }

  /// Reads the first rows one by one, since some of them are unreadable.
  private func firstRowsOneByOne(
    _ count: Int, of statement: IdentifiedStatement, _ db: Database
  ) throws -> RowsContent<Element> {
    let source = IdentifiedRowSource(statement, columnCount: columnCount, limit: count, db)
    var rows = LoadedRows<Element>()
    try source.forEachRow { row in
      let index = rows.count
      do {
        let read = try StoreError.locating(Element.self) {
          try decodeAll(db, ResultRows(source: SingleRow(row), expectedCount: 1))
        }
        rows.append(source.stamp(index, read.fingerprints.first), read.values[0])
      } catch let error where error.isAboutRow {
        rows.append(.unreadable(UnreadableRow(source.stamp(index), statement.origin, error)))
      }
    }
    return RowsContent(rows: rows.finishAll(), hasMore: source.hasMore)
  }
}

/// One row of a running statement, for code that decodes the elements of several rows.
private final class SingleRow: ResultRowSource {
  private let row: ResultRow

  init(_ row: ResultRow) {
    self.row = row
  }

  func forEachRow(_ body: (ResultRow) throws -> Void) throws {
    try body(row)
  }
}

extension OrderedRows {
  /// The number of rows of each version, unreadable ones included.
  fileprivate var versionCounts: [UInt64: Int] {
    unreadable.reduce(into: readable.stamps.versionCounts) { $0[$1.row.stamp.version, default: 0] += 1 }
  }
}

extension PrefetchedRows {
  /// The statements for one key, as they are run.
  var compiled: [SQLStatement] {
    get throws {
      let key = association.firstColumns.map { _ in StorageValue.integer(0) }
      return try [SQLCompiler.prefetch(association, keys: [key], statement)] + nested.flatMap { try $0.compiled }
    }
  }
}
