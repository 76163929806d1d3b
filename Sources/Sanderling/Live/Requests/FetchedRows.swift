import GRDB
import SanderlingSQL

/// The rows of a GRDB request, for a live list.
///
/// GRDB fetches rows with their prefetched rows, and this type makes elements, identities and versions of them.
struct FetchedRows<Request: FetchRequest>: RerunRows where Request.RowDecoder: Sendable {
  typealias Element = Request.RowDecoder

  let request: Request
  /// The window that the app asked for.
  let window: Int

  func readTables(_ db: Database) throws -> Set<String> {
    try db.tables(readBy: request)
  }

  func read(first count: Int, _ db: Database) throws -> RerunReading<Element> {
    if let reason = window.windowObstacle { throw StoreError.invalidQuery(reason) }
    do {
      return try read(first: count, limit: count < .max ? count + 1 : nil, db)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
      // The SQL may allow no limit. Also, the plan for a few rows may evaluate a row at which SQLite fails.
      return try read(first: count, limit: nil, db)
    }
  }

  private func read(first count: Int, limit: Int?, _ db: Database) throws -> RerunReading<Element> {
    let reader = try FetchedRowReader<Element>(db)
    let limited = LimitedRequest(request, limit: limit)
    let fetched = try refusingWrites { try Row.fetchAll(db, limited) }
    let sql = limited.sql.take() ?? ""
    var (rows, occurrences) = (LoadedRows<Element>(), [RowKey: Int64]())
    for row in fetched.prefix(count) {
      let element = Result { try reader.element(row) }
      if case .failure(let error) = element, !error.isAboutRow { throw error }
      var (values, origin) = reader.identity(of: row, try? element.get())
      let occurrence = occurrences[RowKey(values), default: 0]
      occurrences[RowKey(values)] = occurrence + 1
      if occurrence > 0 || origin == .values { values.append(.integer(occurrence)) }
      let stamp = RowStamp(key: RowKey(values), version: row.fingerprint)
      switch element {
      case .success(let element): rows.append(stamp, element)
      case .failure(let error): rows.append(.unreadable(UnreadableRow(stamp, origin, error)))
      }
    }
    let content = RowsContent(rows: rows.finishAll(), hasMore: fetched.count > count)
    // GRDB doesn't tell whether the request orders all of its rows.
    return RerunReading(content: content) { (SQLStatement(sql: sql, arguments: []), false) }
  }
}

/// A request whose SQL ends with a limit, if it allows one.
struct LimitedRequest<Base: FetchRequest>: FetchRequest {
  typealias RowDecoder = Base.RowDecoder

  private let base: Base
  private let limit: Int?
  /// The SQL of the last run, without the added limit.
  let sql = LoadedValue<String>()

  init(_ base: Base, limit: Int?) {
    self.base = base
    self.limit = limit
  }

  var sqlSubquery: SQLSubquery { base.sqlSubquery }

  func fetchCount(_ db: Database) throws -> Int { try base.fetchCount(db) }

  func makePreparedRequest(_ db: Database, forSingleResult singleResult: Bool) throws -> PreparedRequest {
    var prepared = try base.makePreparedRequest(db, forSingleResult: singleResult)
    let text = prepared.statement.sql
    sql.put(text)
    if let limit, text.allowsLimit {
      // The new line ends a comment.
      let statement = try db.idleStatement(sql: "\(text)\nLIMIT \(limit)")
      statement.setUncheckedArguments(prepared.statement.arguments)
      prepared.statement = statement
    }
    return prepared
  }
}

extension String {
  /// Whether the text is a SELECT without a limit of its own. SQLite itself refuses a limit in the few other cases.
  fileprivate var allowsLimit: Bool {
    let tokens = SQLTokens(self)
    var allows = tokens.isWord("select", at: 0) || tokens.isWord("with", at: 0)
    tokens.forEachOutside(tokens.tokens.indices) { index in
      if tokens.isWord("limit", at: index) || tokens.isSymbol(";", at: index) { allows = false }
    }
    return allows
  }
}
