import Foundation
import SanderlingSQLite
import Sanderling

/// A table with columns of every affinity and collation. Its rows hold values of every storage class in each column.
@Record("specimen")
struct EvaluationSpecimen {
  var id: Int64
  var integer: Int64?
  var otherInteger: Int64?
  var real: Double?
  var text: String?
  var otherText: String?
  @Stored(collation: .nocase) var nocase: String?
  @Stored(collation: .rtrim) var rtrim: String?
  var blob: Data?
}

extension EvaluationSpecimen {
  static func column(_ property: String) -> Term {
    guard let index = table.columns.firstIndex(where: { $0.property == property }) else {
      return .invalid("there is no property \(property)")
    }
    return _terms[index].term
  }

  static let columns = _terms.dropFirst().map(\.term)
}

/// A row as read back from SQLite, with one value for each column.
struct EvaluationRow: EvaluationContext {
  let values: [StorageValue]

  func value(of column: ColumnTerm) throws -> StorageValue { values[column.index] }
}

/// SQLite without GRDB, which would end texts at NUL characters.
final class EvaluationDatabase {
  struct Failure: Error {
    let message: String
  }

  private let connection: OpaquePointer

  init() throws {
    var connection: OpaquePointer?
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK, let connection else {
      throw Failure(message: "no connection")
    }
    self.connection = connection
    let columns = EvaluationSpecimen.table.columns.map { column in
      "\(column.name.quotedIdentifier) \(column.type.rawValue) COLLATE \(column.collation.rawValue)"
    }
    try run("CREATE TABLE specimen (\(columns.joined(separator: ", ")))")
  }

  deinit {
    sqlite3_close_v2(connection)
  }

  /// Inserts rows without their keys, which count from 1, and returns the stored rows.
  func insert(_ rows: [[StorageValue]]) throws -> [EvaluationRow] {
    for (index, row) in rows.enumerated() {
      let parameters = repeatElement("?", count: row.count + 1).joined(separator: ", ")
      try run("INSERT INTO specimen VALUES (\(parameters))", [.integer(Int64(index + 1))] + row)
    }
    return try run("SELECT * FROM specimen ORDER BY id").map(EvaluationRow.init)
  }

  @discardableResult
  func run(_ sql: String, _ arguments: [StorageValue] = []) throws -> [[StorageValue]] {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw Failure(message: "\(String(cString: sqlite3_errmsg(connection))): \(sql)")
    }
    defer { sqlite3_finalize(statement) }
    for (index, argument) in arguments.enumerated() {
      try ParameterBinder(statement: statement).bind(argument, at: Int32(index) + 1)
    }
    var rows: [[StorageValue]] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        let row = ResultRow(statement: statement)
        rows.append((0..<sqlite3_column_count(statement)).map { row.storageValue(at: $0) })
      case SQLITE_DONE: return rows
      default: throw Failure(message: String(cString: sqlite3_errmsg(connection)))
      }
    }
  }

  /// Returns the terms' values for each row, by default in the order of the keys.
  func select(
    _ terms: [Term], where condition: Term? = nil, orderedBy orderings: [Ordering]? = nil
  ) throws -> [[StorageValue]] {
    var statement = SelectStatement(source: .table(RecordType(EvaluationSpecimen.self)), columns: terms)
    statement.condition = condition
    statement.orderings = orderings ?? [Ordering(term: EvaluationSpecimen.column("id"))]
    let compiled = try SQLCompiler.compile(statement)
    return try run(compiled.sql, compiled.arguments)
  }
}
