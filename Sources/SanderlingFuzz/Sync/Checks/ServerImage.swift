import Foundation
import GRDB
import Sanderling

/// The server's final rows, and its known history.
struct ServerImage {
  let rule: FuzzServer.Rule
  let problem: String?
  /// The values of cells, by record, key and column.
  let cells: [[String]: String]
  /// The versions of rows, by record and key.
  let versions: [[String]: String]
  let history: ([DeviceJournal]) throws -> CellHistory
  /// Whether the history has the authors of all values, in order.
  let knowsWriters: Bool

  init(_ server: FuzzServer) throws {
    rule = server.rule
    knowsWriters = true
    (problem, cells, versions) = try server.read { db in
      var cells: [[String]: String] = [:]
      var versions: [[String]: String] = [:]
      for (record, columns) in DeviceRecords.columns {
        for (key, row) in try ServerTables.rows(record, db) {
          for column in columns { cells[[record, key, column]] = row[column]?.description ?? "NULL" }
          versions[[record, key]] = try ServerTables.row(record, key, db).map { "\($0.version)" }
        }
      }
      return (try String.fetchOne(db, sql: "SELECT what FROM problems"), cells, versions)
    }
    history = { _ in try server.read { db in try CellHistory(db) } }
  }

  /// - Parameters:
  ///   - tidied: The cells of rows that the server's owner deleted.
  ///   - told: All values that the server ever sent.
  init(_ server: RealServer, tidied: [[String]: String], told: ToldCells) async throws {
    (rule, problem, knowsWriters) = (server.access.rule, nil, false)
    var cells: [[String]: String] = [:]
    var versions: [[String]: String] = [:]
    for row in try await server.rows() {
      for column in DeviceRecords.columns.first(where: { $0.0 == row.record })?.1 ?? [] {
        cells[[row.record, row.key, column]] =
          column == "id" ? row.key : row.values[column].map { WireValue($0).description } ?? "NULL"
      }
      versions[[row.record, row.key]] = row.version
    }
    let present = cells
    (self.cells, self.versions) = (cells, versions)
    let mayLose = server.kind == .kinto
    history = { CellHistory($0, present, tidied: tidied, told, mayLose: mayLose) }
  }
}
