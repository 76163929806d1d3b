import GRDB

/// The rows of a query that row changes can't maintain: it is run again after a change of any table that it reads.
final class RequeriedRows<Element: Sendable>: LiveQuery {
  let following: QueryFollowing
  private let definition: RowsDefinition<Element>
  private var read: RowsContent<Element>?
  private var loaded = LoadSlot<RowsContent<Element>>()

  init(definition: RowsDefinition<Element>, reason: RequeryReason) {
    self.definition = definition
    following = .runAgain(reason)
  }

  func content(window: Int) -> RowsContent<Element>? {
    read.map { read in
      let rows = read.rows.slice(0..<min(window, read.rows.count))
      return RowsContent(rows: rows, hasMore: read.hasMore || read.rows.count > rows.count)
    }
  }

  func readTables(_ db: Database) throws -> Set<String> {
    var tables = try db.tables(readBy: IdentifiedStatement(definition.source).sql)
    for statement in try definition.prefetched.flatMap({ try $0.compiled }) {
      tables.formUnion(try db.tables(readBy: statement))
    }
    return tables
  }

  func beginLoad(window: Int) -> @Sendable (Database) throws -> Void {
    let (definition, loaded) = (definition, loaded.begin())
    return { db in loaded.put(try definition.firstRows(window, db)) }
  }

  func endLoad(window: Int) -> QueryOutcome {
    read = loaded.take()
    return .news
  }

  func windowChanged(to window: Int) -> QueryOutcome {
    guard let read else { return .unchanged }
    return read.hasMore && read.rows.count < window ? .reload : .unchanged
  }

  func check(window: Int) -> LiveCheck? {
    guard let read, let statement = try? IdentifiedStatement(definition.source), !statement.sql.mayDifferByItself
    else { return nil }
    let definition = definition
    return LiveCheck(statement: { statement.sql }, tables: []) { db in
      let fresh = try definition.firstRows(read.rows.count, db)
      if fresh.hasMore != read.hasMore {
        return "it shows that there are more rows, or that there are none, and is wrong"
      }
      if statement.keyCount > 0 { return read.rows.stamps.difference(from: fresh.rows.stamps, comparesVersions: true) }
      // Rows without keys come in any order.
      if read.hasMore || read.rows.stamps.versionCounts == fresh.rows.stamps.versionCounts { return nil }
      return "it shows \(read.rows.count) rows, and the SELECT returns \(fresh.rows.count), or others"
    }
  }
}

extension RowsDefinition {
  /// Runs the query.
  func firstRows(_ count: Int, _ db: Database) throws -> RowsContent<Element> {
    if count == .max { return try firstRows(count, of: IdentifiedStatement(source), db) }
    do {
      return try firstRows(count, of: IdentifiedStatement(source, first: count + 1), db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The plan for a few rows may come to a row at which SQLite fails, and that of the query itself may not.
      return try firstRows(count, of: IdentifiedStatement(source), db)
    }
  }

  private func firstRows(_ count: Int, of statement: IdentifiedStatement, _ db: Database) throws -> RowsContent<Element>
  {
    let source = IdentifiedRowSource(statement, columnCount: columnCount, limit: count, db)
    let read = try StoreError.locating(Element.self) {
      try decodeAll(db, ResultRows(source: source, expectedCount: 0))
    }
    let rows = read.values.indices.map { index in
      let (key, version) = source.read[index]
      let fingerprint = read.fingerprints.isEmpty ? nil : read.fingerprints[index]
      return LiveRow(
        id: RowID(key: key), element: read.values[index],
        version: fingerprint.map { RowHash.combining(version, $0) } ?? version)
    }
    return RowsContent(rows: LiveRows(rows), hasMore: source.hasMore)
  }
}

extension PrefetchedRows {
  /// The statements as they are run, for one key.
  var compiled: [SQLStatement] {
    get throws {
      let key = association.firstColumns.map { _ in StorageValue.integer(0) }
      return try [SQLCompiler.prefetch(association, keys: [key], statement)] + nested.flatMap { try $0.compiled }
    }
  }
}
