import GRDB
import Sanderling
import SanderlingSQL

/// A browsed table of a database, with its order.
struct BrowsedTable {
  let store: Store
  /// The visible columns.
  let columns: [String]
  /// The number of values before the visible ones in a row: the rowid, if the table has no key or the key may be NULL.
  let hiddenCount: Int
  /// All rows, with whole values.
  let query: Selection<BrowsedRow, BrowsedRow>
  /// The column that the rows are sorted by first, for jumps to a value.
  let firstOrdering: String
  /// The names of the table's columns in SQL: the visible ones, and all of a row.
  private let searchedColumns: [String]
  private let storedColumns: [String]
  let wanted: WantedSearch
  /// Sentences about the columns that are left out.
  let notes: [String]
  /// The form of each visible column.
  let forms: [ColumnForm]
  /// The visible columns that are the key.
  let keyColumns: [Int]
  /// The visible columns that an index sorts, or the key.
  let sortedColumns: Set<Int>

  /// - Throws: ``BrowseError``.
  init(_ found: FoundTable, _ database: DatabaseQueue, orders: [BrowsedOrder], condition: String?) throws {
    let keyNames = found.keyColumns.map(\.name)
    let readable = found.columns.filter { $0.obstacle == nil }
    notes = found.columns.compactMap { column in
      column.obstacle.map {
        "\(found.name.printableName).\(column.name.printableName) is left out, since it can't be computed: \($0.printable)"
      }
    }
    forms = readable.map(\.form)
    var columns = readable.map { RecordColumn($0.definition) }
    var key = keyNames
    if !found.hasWholeKey, found.kind == .table, let rowID = found.columns.map(\.definition).freeRowIDName {
      columns.insert(RecordColumn(rowID: rowID), at: 0)
      key = [rowID]
    }
    if key.isEmpty { throw BrowseError.hasNoKey(found.name) }
    BrowsedRow.setTable(
      RecordTable(
        BrowsedRow.self, name: found.name, columns: columns, key: key, assignsKey: false, references: [], indexes: []))
    store = try Store(database, schema: [], audit: .off)
    self.columns = readable.map(\.name)
    keyColumns = readable.indices.filter { readable[$0].keyPosition > 0 }
    sortedColumns = Set(readable.indices.filter { found.isSorted(by: readable[$0]) })
    hiddenCount = columns.count - readable.count
    storedColumns = columns.map(\.name)
    var statement = SelectStatement(
      source: .table(RecordType(BrowsedRow.self)), columns: BrowsedRow._terms.map(\.term))
    // A table whose key may be NULL is sorted by its key all the same. Only an app has the order of its own collation.
    let isSortable = found.keyColumns.allSatisfy { Collation(rawValue: $0.collation) != nil }
    let sorted = orders.isEmpty && key != keyNames && isSortable ? keyNames.map { BrowsedOrder(name: $0) } : orders
    statement.orderings = try sorted.map { order in
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
    firstOrdering = sorted.first?.name ?? key[0]
    query = Self.selection(statement) { try BrowsedRow(_reading: $0) }
  }

  private static func selection(
    _ statement: SelectStatement, _ decode: @escaping @Sendable (ResultRow) throws -> BrowsedRow
  ) -> Selection<BrowsedRow, BrowsedRow> {
    Selection(
      statement: statement, decode: decode,
      decodeAll: { rows in
        var result: [BrowsedRow] = []
        try rows.forEach { result.append(try decode($0)) }
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
    (storedColumns, keyColumns, sortedColumns) = (table.storedColumns, table.keyColumns, table.sortedColumns)
    (notes, forms) = ([], query.forms)
  }

  /// Returns the query of the rows that match a search, with whole values.
  func query(finding search: BrowsedSearch) -> Selection<BrowsedRow, BrowsedRow> {
    var found = query
    found.statement.add(condition: .raw(search.condition(searchedColumns)))
    return found
  }

  /// Returns the query of an arrangement's rows, with cut values. If the query may read all rows before it returns one,
  /// it fails once another arrangement replaces this one.
  func query(_ arrangement: BrowsedArrangement) -> Selection<BrowsedRow, BrowsedRow> {
    var statement = query.statement
    if let order = arrangement.order {
      let term = BrowsedRow._terms[order.column + hiddenCount].term
      statement.orderings = [Ordering(term: term, isDescending: order.isDescending)]
    }
    if arrangement.search != nil || mustSort(arrangement) { statement.add(condition: .raw(wanted.condition)) }
    if let search = arrangement.search { statement.add(condition: .raw(search.condition(searchedColumns))) }
    return Self.selection(statement) { try BrowsedRow(cutting: $0) }
  }

  /// Whether SQLite has to read and sort all rows, because no index has the order.
  func mustSort(_ arrangement: BrowsedArrangement) -> Bool {
    arrangement.order.map { !sortedColumns.contains($0.column) } ?? false
  }

  /// Reads a row with its whole values.
  ///
  /// - Returns: Its visible values; nil if there is no row with the key.
  func wholeRow(_ key: BrowsedRow.Key) async throws -> [StorageValue]? {
    var statement = query.statement
    (statement.condition, statement.orderings) = (nil, [])
    var condition: [RawFragment] = []
    for (index, value) in zip(BrowsedRow.table.key, key.values) {
      condition.append(
        .sql(ExactText("\(condition.isEmpty ? "" : " AND ")\(storedColumns[index].quotedIdentifier) IS ")))
      condition.append(.value(value))
    }
    statement.condition = .raw(condition)
    let selection = Self.selection(statement) { try BrowsedRow(_reading: $0) }
    return try await store.read { [hiddenCount] tx in
      var found: [StorageValue]?
      try tx.forEach(selection) { found = Array($0.values.dropFirst(hiddenCount)) }
      return found
    }
  }
}

extension FoundTable {
  /// Whether the table has a key, and no row without it.
  fileprivate var hasWholeKey: Bool { !keyColumns.isEmpty && !allowsRowWithoutKey }

  /// Whether the key or an index has the rows in the order of a column.
  fileprivate func isSorted(by column: Column) -> Bool {
    if column.keyPosition == 1 { return true }
    return indexes.contains { index in
      guard !index.isPartial, let first = index.terms.first else { return false }
      return first.column?.folded == column.name.folded && first.collation.uppercased() == column.collation
    }
  }
}
