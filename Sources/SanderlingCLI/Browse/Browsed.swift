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
    let orders = orders.map { BrowsedOrder($0) }
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
