import Foundation
import GRDB
import Sanderling

/// What of a database is browsed, by its name or by a SELECT.
enum Browsed {
  case table(BrowsedTable)
  case query(BrowsedQuery)

  /// - Parameters:
  ///   - text: The name of a table or a view, or a SELECT; nil for the only table.
  ///   - orders: Names of columns, each with ` desc` behind it for the greatest first.
  ///   - condition: SQL that a row has to satisfy.
  /// - Throws: ``BrowseError``, ``DatabaseFileError``.
  init(databaseAt path: String, _ text: String?, orders: [String], condition: String?) throws {
    let orders = orders.map(BrowsedOrder.init)
    self = try DatabaseFile(path: path).opened { database in
      let select: String
      switch try Self.found(text, in: database, path) {
      case .table(let found) where found.kind == .view: select = "SELECT * FROM \(found.name.quotedIdentifier)"
      case .table(let found): return .table(try BrowsedTable(found, database, orders: orders, condition: condition))
      case .select(let text): select = text
      }
      return .query(try BrowsedQuery(select, in: database, orders: orders, condition: condition))
    }
  }

  private enum Found {
    case table(FoundTable)
    case select(String)
  }

  private static func found(_ text: String?, in database: DatabaseQueue, _ path: String) throws -> Found {
    let tables = try database.read { try FoundTable.all(in: $0, rows: 1) }.filter { !$0.columns.isEmpty }
    let names = tables.map(\.name)
    guard let text else {
      guard tables.count == 1 else { throw BrowseError.whichTable(path, names) }
      return .table(tables[0])
    }
    if let found = tables.first(where: { $0.name.lowercased() == text.lowercased() }) { return .table(found) }
    guard text.contains(#/^\s*(?i:SELECT|WITH|VALUES)\b/#) else { throw BrowseError.noTable(text, names) }
    return .select(text)
  }
}

/// The table of a database that is browsed, and in which order.
struct BrowsedTable {
  let store: Store
  /// The columns that are shown.
  let columns: [String]
  /// How many values come before them in a row: the rowid, where the table has no key.
  let hiddenCount: Int
  let query: Selection<BrowsedRow, BrowsedRow>
  /// What the rows are sorted by first, by which a place is asked for.
  let firstOrdering: String
  /// What the columns that are shown are called in SQL.
  private let searchedColumns: [String]
  let wanted: WantedSearch

  /// - Throws: ``BrowseError``.
  init(_ found: FoundTable, _ database: DatabaseQueue, orders: [BrowsedOrder], condition: String?) throws {
    let keyNames = found.keyColumns.map(\.name)
    var columns = found.columns.map { RecordColumn($0.definition) }
    var key = keyNames
    if keyNames.isEmpty {
      guard found.kind == .table, let rowID = found.columns.map(\.definition).freeRowIDName else {
        throw BrowseError.hasNoKey(found.name)
      }
      columns.insert(RecordColumn(rowID: rowID), at: 0)
      key = [rowID]
    }
    BrowsedRow.setTable(
      RecordTable(
        BrowsedRow.self, name: found.name, columns: columns, key: key, assignsKey: false, references: [], indexes: []))
    store = try Store(database, schema: [], audit: .off)
    self.columns = found.columns.map(\.name)
    hiddenCount = columns.count - found.columns.count
    var statement = SelectStatement(
      source: .table(RecordType(BrowsedRow.self)), columns: BrowsedRow._terms.map(\.term))
    statement.orderings = try orders.map { order in
      let index = try order.index(in: columns.map(\.name), of: found.name)
      return Ordering(term: BrowsedRow._terms[index].term, isDescending: order.isDescending)
    }
    // The end of a line ends a comment that the condition may end with.
    if let condition { statement.condition = .raw([.sql(ExactText("(\(condition)\n)"))]) }
    searchedColumns = self.columns
    wanted = WantedSearch(database)
    firstOrdering = orders.first?.name ?? key[0]
    query = Selection(
      statement: statement, decode: { try BrowsedRow(_reading: $0) },
      decodeAll: { rows in
        var result: [BrowsedRow] = []
        try rows.forEach { result.append(try BrowsedRow(_reading: $0)) }
        return result
      })
  }

  /// The copied rows of a query, in its order.
  init(copyOf query: BrowsedQuery) throws {
    let table = try query.copied.opened { database in
      let found = try database.read { try FoundTable.all(in: $0, rows: 1) }
      return try BrowsedTable(found[0], database, orders: [], condition: nil)
    }
    (store, self.query, hiddenCount, firstOrdering) = (table.store, table.query, table.hiddenCount, "row")
    (columns, searchedColumns, wanted) = (query.columns, table.searchedColumns, table.wanted)
  }

  /// The rows that have a text.
  func query(finding search: BrowsedSearch) -> Selection<BrowsedRow, BrowsedRow> {
    var found = query
    found.statement.add(condition: .raw(search.condition(searchedColumns)))
    return found
  }

  /// The same, as long as no other search is wanted.
  func query(whileFinding search: BrowsedSearch) -> Selection<BrowsedRow, BrowsedRow> {
    var found = query
    found.statement.add(condition: .raw(wanted.condition))
    found.statement.add(condition: .raw(search.condition(searchedColumns)))
    return found
  }
}
