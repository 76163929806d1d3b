import Foundation
import GRDB
import Sanderling
import SanderlingSQLite

/// A browsed query: a SELECT or a view. Its rows have no key, so they are copied to a separate database and numbered
/// there. They are copied again when the database has changed.
///
/// The copy is a file in a temporary folder, which is removed with this object.
final class BrowsedQuery: Sendable {
  /// The names of the selected columns.
  let columns: [String]
  /// The forms of the tables' columns that they are, and of computed values.
  let forms: [ColumnForm]
  private let sql: String
  private let source: DatabaseQueue
  private let files: TemporaryStores
  /// Writes the copy. The browser reads it through another connection.
  private let copy: DatabaseQueue

  /// - Parameters:
  ///   - orders: The columns to sort by, ascending unless marked otherwise.
  ///   - condition: An SQL condition that a row has to satisfy.
  /// - Throws: ``BrowseError``, and the system's error if no file can be created.
  init(_ select: String, in source: DatabaseQueue, orders: [BrowsedOrder], condition: String?) throws {
    var sql = select
    var (selected, forms) = try Self.columns(of: sql, source) { .badQuery(reason: $0) }
    if condition != nil || !orders.isEmpty {
      // The line break ends a comment at the end of the query.
      sql = "SELECT * FROM (\(select)\n)"
      if let condition { sql += " WHERE (\(condition)\n)" }
      // SQLite renames columns that share a name.
      (selected, forms) = try Self.columns(of: sql, source) { [selected] in .badCondition(reason: $0, selected) }
    }
    if !orders.isEmpty {
      let terms = try orders.map { order in
        let index = try order.index(in: selected, of: "the query")
        return "\(index + 1)" + (order.isDescending ? " DESC" : "")
      }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    (self.sql, self.source, columns, self.forms) = (sql, source, selected, forms)
    files = try TemporaryStores(for: "browse")
    copy = try DatabaseQueue(path: files.path(Self.fileName))
    let names = Self.copiedColumns(selected.count).joined(separator: ", ")
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE result (\(names))")
    }
  }

  private static let fileName = "result.sqlite"

  private static func copiedColumns(_ count: Int) -> [String] { (1...count).map { "c\($0)" } }

  private static func columns(
    of sql: String, _ source: DatabaseQueue, refused: (String) -> BrowseError
  ) throws -> ([String], [ColumnForm]) {
    try source.read { db in
      let statement: Statement
      do {
        statement = try db.makeStatement(sql: sql)
      } catch let error as DatabaseError {
        throw refused(BrowseError.reason(error))
      }
      guard statement.columnCount > 0 else { throw BrowseError.selectsNothing }
      let types = (0..<Int32(statement.columnCount)).map { index in
        sqlite3_column_decltype(statement.sqliteStatement, index).map { String(cString: $0) } ?? ""
      }
      return (statement.columnNames, types.map { ColumnForm(declaredType: $0, inStrictTable: nil) })
    }
  }

  /// The file of the copied rows, for reading.
  var copied: DatabaseFile { DatabaseFile(path: files.path(Self.fileName)) }

  /// Calls a function with each row, or with each match of a search.
  func forEach(finding search: BrowsedSearch?, _ body: @escaping @Sendable (BrowsedValues) throws -> Void) async throws
  {
    var sql = sql
    if let search {
      // Two columns can have the same name, so the columns get names of their own.
      let names = Self.copiedColumns(columns.count)
      sql = """
        WITH result (\(names.joined(separator: ", "))) AS (\(sql)
        ) SELECT * FROM result WHERE \(search.condition(names).withTexts)
        """
    }
    try await source.read { [sql] db in
      let statement = try TextFunctions.registering(on: db) { try db.makeStatement(sql: sql) }
      let rows = try Row.fetchCursor(statement)
      let row = ResultRow(statement: statement.sqliteStatement)
      while try rows.next() != nil { try body(BrowsedValues(row, count: statement.columnCount)) }
    }
  }

  /// Replaces the copy by the current rows.
  ///
  /// - Returns: The data version of the database. It changes with each commit of another connection.
  @discardableResult
  func refresh() async throws -> Int {
    let (sql, copy, columnCount) = (sql, copy, columns.count)
    return try await source.read { db in
      let version = try Self.version(db)
      let selection = try db.makeStatement(sql: sql)
      let rows = try Row.fetchCursor(selection)
      try copy.write { copy in
        try copy.execute(sql: "DELETE FROM result")
        let places = repeatElement("?", count: columnCount).joined(separator: ", ")
        let insertion = try copy.makeStatement(sql: "INSERT INTO result VALUES (\(places))")
        while try rows.next() != nil {
          try Self.insert(Int32(columnCount), from: selection.sqliteStatement, insertion.sqliteStatement, copy)
        }
      }
      return version
    }
  }

  /// Copies a row by SQLite's values, because GRDB ends texts at their first NUL.
  private static func insert(
    _ count: Int32, from selection: OpaquePointer, _ insertion: OpaquePointer, _ db: Database
  ) throws {
    for index in 0..<count { sqlite3_bind_value(insertion, index + 1, sqlite3_column_value(selection, index)) }
    let code = sqlite3_step(insertion)
    sqlite3_reset(insertion)
    guard code == SQLITE_DONE else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: String(cString: sqlite3_errmsg(db.sqliteConnection)))
    }
  }

  /// Copies the rows again whenever the database has changed, and then rests four times as long as the copying took.
  func follow() async throws {
    let clock = ContinuousClock()
    var version = 0
    var rest = Duration.zero
    while true {
      try await Task.sleep(for: max(.milliseconds(250), rest))
      if try await source.read(Self.version) == version { continue }
      let start = clock.now
      version = try await refresh()
      rest = start.duration(to: clock.now) * 4
    }
  }

  private static func version(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0
  }
}
