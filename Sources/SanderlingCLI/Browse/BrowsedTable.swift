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
  private let writer: DatabaseQueue

  /// - Parameters:
  ///   - name: The table's name; nil for the only one.
  ///   - orders: Names of columns, each with ` desc` behind it for the greatest first.
  ///   - condition: SQL that a row has to satisfy.
  /// - Throws: ``BrowseError``.
  init(databaseAt path: String, table name: String?, orders: [String], condition: String?) throws {
    let (writer, found) = try Self.open(path, name)
    let keyNames = found.keyColumns.map(\.name)
    var columns = found.columns.map { RecordColumn($0.definition) }
    var key = keyNames
    if keyNames.isEmpty {
      let names = Set(found.columns.map { $0.name.lowercased() })
      guard found.kind == .table, let rowID = ["rowid", "_rowid_", "oid"].first(where: { !names.contains($0) }) else {
        throw BrowseError.hasNoKey(found.name)
      }
      columns.insert(RecordColumn(rowID: rowID), at: 0)
      key = [rowID]
    }
    BrowsedRow.setTable(
      RecordTable(
        BrowsedRow.self, name: found.name, columns: columns, key: key, assignsKey: false, references: [], indexes: []))
    self.writer = writer
    store = try Store(writer, schema: [], audit: .off)
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

  private static func open(_ path: String, _ name: String?) throws -> (DatabaseQueue, FoundTable) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw BrowseError.noFile(path) }
    if isFolder.boolValue { throw BrowseError.isFolder(path) }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      let writer = try DatabaseQueue(path: path, configuration: configuration)
      let tables = try writer.read { try FoundTable.all(in: $0, rows: 1) }.filter { !$0.columns.isEmpty }
      let names = tables.map(\.name)
      guard let name else {
        guard tables.count == 1 else { throw BrowseError.whichTable(path, names) }
        return (writer, tables[0])
      }
      guard let found = tables.first(where: { $0.name.lowercased() == name.lowercased() }) else {
        throw BrowseError.noTable(name, names)
      }
      return (writer, found)
    } catch let error as DatabaseError where error.resultCode == .SQLITE_NOTADB {
      throw BrowseError.notADatabase(path)
    } catch let error as DatabaseError {
      throw BrowseError.unreadable(path: path, reason: error.message ?? error.resultCode.description)
    }
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

/// Why `sanderling browse` can't show a table.
enum BrowseError: CommandError, Equatable {
  case noFile(String)
  case isFolder(String)
  case notADatabase(String)
  case unreadable(path: String, reason: String)
  case whichTable(String, [String])
  case noTable(String, [String])
  case noColumn(String, table: String, [String])
  case hasNoKey(String)
  case noRows(String)

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name an SQLite database."
    case .isFolder(let path): "\(path.printable) is a folder. Name an SQLite database."
    case .notADatabase(let path):
      "\(path.printable) is no SQLite database, or is encrypted. Name an SQLite database without a key."
    case .unreadable(let path, let reason):
      "\(path.printable) can't be read: \(reason.printable). Check its permissions, and that no other program has locked it."
    case .whichTable(let path, let names) where names.isEmpty: "\(path.printable) has no tables to show."
    case .whichTable(let path, let names): "\(path.printable) has several tables. Name one: \(Self.list(names))."
    case .noTable(let name, let names): "There is no table \(name.printable). Name one of \(Self.list(names))."
    case .noColumn(let name, let table, let names):
      "\(table.printable) has no column \(name.printable). Order by one of \(Self.list(names))."
    case .hasNoKey(let name):
      "\(name.printable) has no key by which its rows are known. Browse a table, or copy it into one with a primary key."
    case .noRows(let reason): "The rows can't be read: \(reason.printable)."
    }
  }

  private static func list(_ names: [String]) -> String { names.map(\.printable).joined(separator: ", ") }
}
