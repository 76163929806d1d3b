import Foundation
import GRDB
import Sanderling

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

  /// - Parameters:
  ///   - name: The table's name; nil for the only one.
  ///   - orders: Names of columns, each with ` desc` behind it for the greatest first.
  ///   - condition: SQL that a row has to satisfy.
  /// - Throws: ``BrowseError``, ``DatabaseFileError``.
  init(databaseAt path: String, table name: String?, orders: [String], condition: String?) throws {
    let (database, found) = try DatabaseFile(path: path).opened { ($0, try Self.found(name, in: $0, path)) }
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
    statement.orderings = try orders.map { try Self.ordering($0, columns, in: found.name) }
    if let condition { statement.condition = .raw([.sql(ExactText(condition))]) }
    firstOrdering = statement.orderings.isEmpty ? key[0] : orders[0]
    query = Selection(
      statement: statement, decode: { try BrowsedRow(_reading: $0) },
      decodeAll: { rows in
        var result: [BrowsedRow] = []
        try rows.forEach { result.append(try BrowsedRow(_reading: $0)) }
        return result
      })
  }

  private static func found(_ name: String?, in database: DatabaseQueue, _ path: String) throws -> FoundTable {
    let tables = try database.read { try FoundTable.all(in: $0, rows: 1) }.filter { !$0.columns.isEmpty }
    let names = tables.map(\.name)
    guard let name else {
      guard tables.count == 1 else { throw BrowseError.whichTable(path, names) }
      return tables[0]
    }
    guard let found = tables.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw BrowseError.noTable(name, names)
    }
    return found
  }

  private static func ordering(_ order: String, _ columns: [RecordColumn], in table: String) throws -> Ordering {
    let words = order.split(separator: " ")
    let isDescending = words.count > 1 && words[words.count - 1].lowercased() == "desc"
    let isAscending = words.count > 1 && words[words.count - 1].lowercased() == "asc"
    let name = isDescending || isAscending ? words.dropLast().joined(separator: " ") : order
    guard let index = columns.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw BrowseError.noColumn(name, table: table, columns.map(\.name))
    }
    return Ordering(term: BrowsedRow._terms[index].term, isDescending: isDescending)
  }
}
