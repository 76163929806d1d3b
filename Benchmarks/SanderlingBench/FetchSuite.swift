import Foundation
import GRDB
import SanderlingSQLite
import Sanderling

/// Reads many rows.
struct FetchSuite: CaseSuite {
  static let name = "fetch"
  private let store: Store
  private let connection: CConnection
  private let count: Int

  init(folder: String, isShort: Bool) async throws {
    count = isShort ? 1000 : 100_000
    let path = folder + "/fetch.sqlite"
    store = try Store(path: path, schema: [Item.self])
    let items = (1...count).map(Item.sample)
    try await store.write("fill") { try $0.insert(contentsOf: items) }
    connection = try CConnection(path)
  }

  var cases: [BenchmarkCase] {
    let store = store
    let query = Item.query
    let sql = "SELECT id, projectID, title, note, dueAt, isCompleted FROM item"
    return [
      // All versions run on the calling thread, so that they differ only in how they read rows.
      BenchmarkCase(
        name: "\(count) rows of 6 columns", unit: .milliseconds,
        sanderling: { try seconds { _ = try store.readBlocking { try $0.fetch(query) } } },
        limit: { [connection] in try seconds { _ = try Self.byHand(connection, sql) } },
        peers: [
          (
            "GRDB by index",
            { try seconds { _ = try store.writer.read { try GRDBItem.ByIndex.fetchAll($0, sql: sql) } } }
          ),
          (
            "GRDB by name", { try seconds { _ = try store.writer.read { try GRDBItem.ByName.fetchAll($0, sql: sql) } } }
          ),
          ("GRDB Codable", { try seconds { _ = try store.writer.read { try GRDBItem.Coded.fetchAll($0, sql: sql) } } }),
        ]),
      BenchmarkCase(
        name: "\(count) rows of 6 columns, from a task", unit: .milliseconds,
        sanderling: { try await seconds { _ = try await store.fetch(query) } },
        limit: nil,
        peers: [
          (
            "GRDB by index",
            {
              try await seconds {
                _ = try await store.writer.read { try GRDBItem.ByIndex.fetchAll($0, sql: sql).count }
              }
            }
          )
        ]),
    ]
  }

  private static func byHand(_ connection: CConnection, _ sql: String) throws -> [Item] {
    let statement = try connection.prepare(sql)
    defer { sqlite3_finalize(statement) }
    var items: [Item] = []
    while sqlite3_step(statement) == SQLITE_ROW { items.append(Item(columns: statement)) }
    return items
  }
}

extension Item {
  /// Reads the current row of a statement by hand.
  init(columns statement: OpaquePointer) {
    self.init(
      id: sqlite3_column_int64(statement, 0), projectID: sqlite3_column_int64(statement, 1), title: text(statement, 2),
      note: sqlite3_column_type(statement, 3) == SQLITE_NULL ? nil : text(statement, 3),
      dueAt: sqlite3_column_type(statement, 4) == SQLITE_NULL
        ? nil : Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, 4)),
      isCompleted: sqlite3_column_int64(statement, 5) != 0)
  }

  /// Binds all columns by hand.
  func bindByHand(to statement: OpaquePointer) {
    sqlite3_bind_int64(statement, 1, id)
    sqlite3_bind_int64(statement, 2, projectID)
    bindText(statement, 3, title)
    if let note { bindText(statement, 4, note) } else { sqlite3_bind_null(statement, 4) }
    if let dueAt {
      sqlite3_bind_double(statement, 5, dueAt.timeIntervalSinceReferenceDate)
    } else {
      sqlite3_bind_null(statement, 5)
    }
    sqlite3_bind_int64(statement, 6, isCompleted ? 1 : 0)
  }
}
