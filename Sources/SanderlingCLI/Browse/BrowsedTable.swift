import Foundation
import GRDB
import Sanderling

/// The table or the query of a database that is browsed, by its name or by a SELECT.
struct Browsed {
  enum Content {
    case table(BrowsedTable)
    case query(BrowsedQuery)
  }

  let content: Content
  /// Notes on the parts of it that aren't shown, as sentences.
  let notes: [String]

  /// - Parameters:
  ///    - text: The name of a table or a view, or a SELECT; nil for the only table.
  ///    - orders: Names of columns, each followed by ` desc` for the greatest first.
  ///    - condition: SQL that each row must satisfy.
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

  /// - Returns: The table or the SELECT, and the objects that would be browsed too, could they be read.
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

/// The table of a database that is browsed, and in which order.
struct BrowsedTable {
  let store: Store
  /// The columns that are shown.
  let columns: [String]
  /// How many values come before them in a row: the rowid, where the table has no key.
  let hiddenCount: Int
  let query: Selection<BrowsedRow, BrowsedRow>
  /// The term that the rows are sorted by first, for jumps to a place.
  let firstOrdering: String
  /// The names in SQL of the columns that are shown.
  private let searchedColumns: [String]
  let wanted: WantedSearch
  /// Notes on the parts of the table that aren't shown, as sentences.
  let notes: [String]
  /// Whether each of the columns that are shown is declared to hold blobs.
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
    // The end of a line ends a comment that the condition may end with.
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

  /// Finds out before anything is shown whether SQLite understands a condition.
  private static func check(_ condition: String, of table: FoundTable, _ database: DatabaseQueue) throws {
    try database.read { db in
      do {
        _ = try db.makeStatement(sql: "SELECT 1 FROM main.\(table.name.quotedIdentifier) WHERE (\(condition)\n)")
      } catch let error as DatabaseError {
        throw BrowseError.badCondition(reason: BrowseError.reason(error), table.columns.map(\.name))
      }
    }
  }

  /// The copied rows of a query, in its order.
  init(copyOf query: BrowsedQuery) throws {
    let table = try query.copied.opened { database in
      let found = try database.read { try FoundSchema($0, rows: 0).tables }
      return try BrowsedTable(found[0], database, orders: [], condition: nil)
    }
    (store, self.query, hiddenCount, firstOrdering) = (table.store, table.query, table.hiddenCount, "row")
    (columns, searchedColumns, wanted) = (query.columns, table.searchedColumns, table.wanted)
    (notes, holdsBlobs) = ([], query.holdsBlobs)
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
