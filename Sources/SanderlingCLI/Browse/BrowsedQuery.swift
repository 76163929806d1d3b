import Foundation
import GRDB
import Sanderling

/// A query that is browsed: a SELECT by hand, or a view. Its rows have no key, so they are copied to a database of their own, in which each
/// has a number, and copied again when the database has changed.
///
/// The copy is a file in a temporary folder, which is removed with the object.
final class BrowsedQuery: Sendable {
  /// The names of what the query selects.
  let columns: [String]
  private let sql: String
  private let source: DatabaseQueue
  private let files: TemporaryStores
  /// Writes the copy; who shows it reads it by a connection of its own.
  private let copy: DatabaseQueue

  /// - Parameters:
  ///   - orders: Names of columns, each with ` desc` behind it for the greatest first.
  ///   - condition: SQL that a row has to satisfy.
  /// - Throws: ``BrowseError``, and what the system says when no file can be made.
  init(_ select: String, in source: DatabaseQueue, orders: [BrowsedOrder], condition: String?) throws {
    var sql = select
    if condition != nil || !orders.isEmpty {
      // The end of a line ends a comment that the query may end with.
      sql = "SELECT * FROM (\(select)\n)"
      if let condition { sql += " WHERE (\(condition)\n)" }
    }
    let selected = try Self.columns(of: sql, source)
    if !orders.isEmpty {
      let terms = try orders.map { order in
        let index = try order.index(in: selected, of: "the query")
        return "\(index + 1)" + (order.isDescending ? " DESC" : "")
      }
      sql += " ORDER BY " + terms.joined(separator: ", ")
    }
    (self.sql, self.source, columns) = (sql, source, selected)
    files = try TemporaryStores(for: "browse")
    copy = try DatabaseQueue(path: files.path(Self.fileName))
    let names = Self.copiedColumns(selected.count).joined(separator: ", ")
    try copy.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; CREATE TABLE result (\(names))")
    }
  }

  private static let fileName = "result.sqlite"

  private static func copiedColumns(_ count: Int) -> [String] { (1...count).map { "c\($0)" } }

  private static func columns(of sql: String, _ source: DatabaseQueue) throws -> [String] {
    try source.read { db in
      let statement: Statement
      do {
        statement = try db.makeStatement(sql: sql)
      } catch let error as DatabaseError {
        throw BrowseError.noRows(error.message ?? error.resultCode.description)
      }
      guard statement.columnCount > 0 else { throw BrowseError.selectsNothing }
      return statement.columnNames
    }
  }

  /// The file with the rows, for reading.
  var copied: DatabaseFile { DatabaseFile(path: files.path(Self.fileName)) }

  /// Calls a function with each row, or with those that have a text.
  func forEach(finding search: BrowsedSearch?, _ body: @escaping @Sendable ([StorageValue]) throws -> Void) async throws
  {
    var sql = sql
    if let search {
      // Two columns can be called the same.
      let names = Self.copiedColumns(columns.count)
      sql = """
        WITH result (\(names.joined(separator: ", "))) AS (\(sql)
        ) SELECT * FROM result WHERE \(search.condition(names).withTexts)
        """
    }
    try await source.read { [sql] db in
      let statement = try TextFunctions.registering(on: db) { try db.makeStatement(sql: sql) }
      let rows = try Row.fetchCursor(statement)
      while let row = try rows.next() { try body(row.databaseValues.map(StorageValue.init)) }
    }
  }

  /// Copies the rows as they are now.
  ///
  /// - Returns: A number that differs once somebody else has written to the database.
  @discardableResult
  func refresh() async throws -> Int {
    let (sql, copy, columnCount) = (sql, copy, columns.count)
    return try await source.read { db in
      let version = try Self.version(db)
      let rows = try Row.fetchCursor(db, sql: sql)
      try copy.write { copy in
        try copy.execute(sql: "DELETE FROM result")
        let places = repeatElement("?", count: columnCount).joined(separator: ", ")
        let insertion = try copy.makeStatement(sql: "INSERT INTO result VALUES (\(places))")
        while let row = try rows.next() { try insertion.execute(arguments: StatementArguments(row.databaseValues)) }
      }
      return version
    }
  }

  /// Copies the rows whenever the database has changed, and rests four times as long as that took.
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
