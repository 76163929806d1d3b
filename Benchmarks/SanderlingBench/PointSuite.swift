import GRDB
import SanderlingSQLite
import Sanderling

/// Reads one row by its key, inside a read transaction.
struct PointSuite: CaseSuite {
  static let name = "point"
  private let store: Store
  private let connection: CConnection
  private let count: Int
  private let repetitions: Int

  init(folder: String, isShort: Bool) async throws {
    count = isShort ? 1000 : 100_000
    repetitions = isShort ? 100 : 10_000
    let path = folder + "/point.sqlite"
    store = try Store(path: path, schema: [Item.self])
    let items = (1...count).map(Item.sample)
    try await store.write("fill") { try $0.insert(contentsOf: items) }
    connection = try CConnection(path)
  }

  /// A key; consecutive numbers give keys all over the table.
  private func key(_ number: Int) -> Int64 { Int64((number &* 7919) % count + 1) }

  var cases: [BenchmarkCase] {
    let (store, connection, repetitions) = (store, connection, repetitions)
    func each(_ body: (Int64) throws -> Void) throws -> Double {
      try seconds { for number in 0..<repetitions { try body(key(number)) } } / Double(repetitions)
    }
    return [
      BenchmarkCase(
        name: "one record by key", unit: .microseconds,
        sanderling: {
          try store.readBlocking { tx in try each { _ = try tx.fetch(Item.self, key: $0) } }
        },
        limit: {
          let statement = try connection.prepare(
            "SELECT id, projectID, title, note, dueAt, isCompleted FROM item WHERE id = ?")
          defer { sqlite3_finalize(statement) }
          try connection.execute("BEGIN")
          defer { try? connection.execute("COMMIT") }
          return try each { key in
            sqlite3_bind_int64(statement, 1, key)
            if sqlite3_step(statement) == SQLITE_ROW { _ = Item(columns: statement) }
            sqlite3_reset(statement)
          }
        },
        peers: [
          (
            "GRDB request",
            { try store.writer.read { db in try each { _ = try GRDBItem.Coded.fetchOne(db, key: $0) } } }
          ),
          (
            "GRDB cached statement, by index",
            {
              try store.writer.read { db in
                let statement = try db.cachedStatement(
                  sql: "SELECT id, projectID, title, note, dueAt, isCompleted FROM item WHERE id = ?")
                return try each { _ = try GRDBItem.ByIndex.fetchOne(statement, arguments: [$0]) }
              }
            }
          ),
        ]),
      BenchmarkCase(
        name: "one record by key, statements recorded", unit: .microseconds,
        sanderling: { try await store.recording { tx in try each { _ = try tx.fetch(Item.self, key: $0) } } },
        limit: nil,
        peers: [
          ("not recorded", { try store.readBlocking { tx in try each { _ = try tx.fetch(Item.self, key: $0) } } })
        ]),
    ]
  }
}

extension Store {
  /// Runs reads while every statement is recorded.
  fileprivate func recording(_ body: (ReadTransaction) throws -> Double) async throws -> Double {
    try await record { try readBlocking(body) }.value
  }
}
