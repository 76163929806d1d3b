import Foundation
import GRDB
import Sanderling

/// A table or query of a database to browse, given by name or as a SELECT.
struct Browsed {
  enum Content {
    case table(BrowsedTable)
    case query(BrowsedQuery)
  }

  let content: Content
  /// Sentences about the parts that are left out.
  let notes: [String]

  /// - Parameters:
  ///   - text: The name of a table or a view, or a SELECT; nil for the only table.
  ///   - orders: Names of columns, each optionally followed by ` desc` for a descending order.
  ///   - condition: An SQL condition that a row has to satisfy.
  /// - Throws: ``BrowseError``, ``DatabaseFileError``.
  init(databaseAt path: String, _ text: String?, orders: [String], condition: String?) throws {
    let orders = orders.map(BrowsedOrder.init)
    (content, notes) = try DatabaseFile(path: path).opened { database in
      let (found, unusable) = try Self.found(text, in: database, path)
      let notes = unusable.map { $0.sentence + "." }
      guard case .table(let table) = found, table.kind == .table else {
        let query = try BrowsedQuery(found.select, in: database, orders: orders, condition: condition)
        return (.query(query), notes)
      }
      let browsed = try BrowsedTable(table, database, orders: orders, condition: condition)
      return (.table(browsed), notes + browsed.notes)
    }
  }

  private enum Found {
    case table(FoundTable)
    case select(String)

    var select: String {
      switch self {
      case .table(let table): "SELECT * FROM main.\(table.name.quotedIdentifier)"
      case .select(let text): text
      }
    }
  }

  /// - Returns: The table or the SELECT. If no text names one, also the tables and views that can't be read.
  private static func found(
    _ text: String?, in database: DatabaseQueue, _ path: String
  ) throws -> (Found, [UnusableObject]) {
    let schema = try database.read { try FoundSchema($0, rows: 0) }
    let names = schema.tables.map(\.name)
    guard let text else {
      guard schema.tables.count == 1 else { throw BrowseError.whichTable(path, names, schema.unusable) }
      return (.table(schema.tables[0]), schema.unusable)
    }
    if let found = schema.tables.first(where: { $0.name.folded == text.folded }) { return (.table(found), []) }
    if let object = schema.unusable.first(where: { $0.name.folded == text.folded }) {
      throw BrowseError.unusable(object, names)
    }
    guard text.contains(#/^\s*(?i:SELECT|WITH|VALUES)\b/#) else {
      throw names.isEmpty ? BrowseError.whichTable(path, [], schema.unusable) : BrowseError.noTable(text, names)
    }
    return (.select(text), [])
  }
}

/// A browsed table of a database, with its order.
struct BrowsedTable {
  let store: Store
  /// The visible columns.
  let columns: [String]
  /// The number of values before the visible ones in a row: the rowid, if the table has no key.
  let hiddenCount: Int
  let query: Selection<BrowsedRow, BrowsedRow>
  /// The column that the rows are sorted by first, for jumps to a value.
  let firstOrdering: String
  /// The visible columns' names in SQL.
  private let searchedColumns: [String]
  let wanted: WantedSearch
  /// Sentences about the columns that are left out.
  let notes: [String]
  /// Whether each visible column is declared to hold blobs.
  let holdsBlobs: [Bool]

  /// - Throws: ``BrowseError``.
  init(_ found: FoundTable, _ database: DatabaseQueue, orders: [BrowsedOrder], condition: String?) throws {
    let keyNames = found.keyColumns.map(\.name)
    let readable = found.columns.filter { $0.obstacle == nil }
    notes = found.columns.compactMap { column in
      column.obstacle.map {
        "\(found.name.printableName).\(column.name.printableName) is left out, since it can't be computed: \($0.printable)"
      }
    }
    holdsBlobs = readable.map(\.holdsBlobs)
    var columns = readable.map { RecordColumn($0.definition) }
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
    self.columns = readable.map(\.name)
    hiddenCount = columns.count - readable.count
    var statement = SelectStatement(
      source: .table(RecordType(BrowsedRow.self)), columns: BrowsedRow._terms.map(\.term))
    statement.orderings = try orders.map { order in
      let index = try order.index(in: columns.map(\.name), of: found.name)
      return Ordering(term: BrowsedRow._terms[index].term, isDescending: order.isDescending)
    }
    // The line break ends a comment at the end of the condition.
    if let condition {
      try Self.check(condition, of: found, database)
      statement.condition = .raw([.sql(ExactText("(\(condition)\n)"))])
    }
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

  /// Checks a condition before any row is shown.
  private static func check(_ condition: String, of table: FoundTable, _ database: DatabaseQueue) throws {
    try database.read { db in
      do {
        _ = try db.makeStatement(sql: "SELECT 1 FROM main.\(table.name.quotedIdentifier) WHERE (\(condition)\n)")
      } catch let error as DatabaseError {
        throw BrowseError.badCondition(reason: BrowseError.reason(error), table.columns.map(\.name))
      }
    }
  }

  /// Browses the copied rows of a query, in the query's order.
  init(copyOf query: BrowsedQuery) throws {
    let table = try query.copied.opened { database in
      let found = try database.read { try FoundSchema($0, rows: 0).tables }
      return try BrowsedTable(found[0], database, orders: [], condition: nil)
    }
    (store, self.query, hiddenCount, firstOrdering) = (table.store, table.query, table.hiddenCount, "row")
    (columns, searchedColumns, wanted) = (query.columns, table.searchedColumns, table.wanted)
    (notes, holdsBlobs) = ([], query.holdsBlobs)
  }

  /// Returns the query of the rows that match a search.
  func query(finding search: BrowsedSearch) -> Selection<BrowsedRow, BrowsedRow> {
    var found = query
    found.statement.add(condition: .raw(search.condition(searchedColumns)))
    return found
  }

  /// Returns the same query, which fails once another search replaces this one.
  func query(whileFinding search: BrowsedSearch) -> Selection<BrowsedRow, BrowsedRow> {
    var found = query
    found.statement.add(condition: .raw(wanted.condition))
    found.statement.add(condition: .raw(search.condition(searchedColumns)))
    return found
  }
}
