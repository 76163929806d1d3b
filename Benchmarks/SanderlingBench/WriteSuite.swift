import Foundation
import GRDB
import SanderlingSQLite
import Sanderling

/// Writing: many rows in one transaction, and one row in a transaction of its own.
struct WriteSuite: CaseSuite {
  static let name = "write"
  private let folder: String
  private let items: [Item]
  private let repetitions: Int

  init(folder: String, isShort: Bool) async throws {
    self.folder = folder
    items = (1...(isShort ? 1000 : 100_000)).map(Item.sample)
    repetitions = isShort ? 20 : 500
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)-\(UUID().uuidString).sqlite" }

  private static let insert =
    "INSERT INTO item (id, projectID, title, note, dueAt, isCompleted) VALUES (?, ?, ?, ?, ?, ?)"
  private static let create = """
    CREATE TABLE item (id INTEGER PRIMARY KEY NOT NULL, projectID INTEGER NOT NULL, title TEXT NOT NULL, note TEXT, dueAt, \
    isCompleted INTEGER NOT NULL)
    """

  var cases: [BenchmarkCase] {
    [bulk] + [Durability.normal, .full].map(single)
  }

  private var bulk: BenchmarkCase {
    let items = items
    return BenchmarkCase(
      name: "\(items.count) inserts in one transaction", unit: .milliseconds,
      sanderling: {
        let store = try Store(path: path("sanderling"), schema: [Item.self])
        defer { try? store.close() }
        return try await seconds { _ = try await store.write("insert") { try $0.insert(contentsOf: items) } }
      },
      limit: {
        let connection = try CConnection(path("limit"))
        try connection.execute(Self.create)
        return try seconds {
          let statement = try connection.prepare(Self.insert)
          defer { sqlite3_finalize(statement) }
          try connection.execute("BEGIN IMMEDIATE")
          for item in items {
            item.bindByHand(to: statement)
            sqlite3_step(statement)
            sqlite3_reset(statement)
          }
          try connection.execute("COMMIT")
        }
      },
      peers: [
        (
          "GRDB statement",
          {
            try withPool(path("grdb")) { pool in
              try seconds {
                try pool.write { db in
                  let statement = try db.makeStatement(sql: Self.insert)
                  for item in items {
                    try statement.execute(arguments: [
                      item.id, item.projectID, item.title, item.note, item.dueAt?.timeIntervalSinceReferenceDate,
                      item.isCompleted,
                    ])
                  }
                }
              }
            }
          }
        ),
        (
          "GRDB Codable record",
          {
            try withPool(path("grdb")) { pool in
              let records = items.map(GRDBItem.Coded.init)
              return try seconds { try pool.write { db in for record in records { try record.insert(db) } } }
            }
          }
        ),
      ])
  }

  /// One-row transactions, from a task's call to its return. The limit by hand is a loop on one thread.
  private func single(_ durability: Durability) -> BenchmarkCase {
    let (items, repetitions) = (items, repetitions)
    return BenchmarkCase(
      name: "one-row transaction, durability \(durability)", unit: .microseconds,
      sanderling: {
        let store = try Store(path: path("sanderling"), schema: [Item.self], durability: durability)
        defer { try? store.close() }
        return try await seconds {
          for item in items.prefix(repetitions) { try await store.write("insert") { try $0.insert(item) } }
        } / Double(repetitions)
      },
      limit: {
        let connection = try CConnection(path("limit"), durable: durability == .full)
        try connection.execute(Self.create)
        let statements = try ["BEGIN IMMEDIATE", Self.insert, "COMMIT"].map(connection.prepare)
        defer { statements.forEach { sqlite3_finalize($0) } }
        return seconds {
          for item in items.prefix(repetitions) {
            item.bindByHand(to: statements[1])
            for statement in statements {
              sqlite3_step(statement)
              sqlite3_reset(statement)
            }
          }
        } / Double(repetitions)
      },
      peers: [
        (
          "Sanderling, blocking",
          {
            let store = try Store(path: path("sanderling"), schema: [Item.self], durability: durability)
            defer { try? store.close() }
            return try seconds {
              for item in items.prefix(repetitions) { try store.writeBlocking("insert") { try $0.insert(item) } }
            } / Double(repetitions)
          }
        ),
        (
          "Sanderling, main actor",
          {
            let store = try Store(path: path("sanderling"), schema: [Item.self], durability: durability)
            defer { try? store.close() }
            return try await Self.insertOnMainActor(items.prefix(repetitions), into: store) / Double(repetitions)
          }
        ),
        (
          "GRDB async",
          {
            let pool = try Self.pool(path("grdb"), durability)
            defer { try? pool.close() }
            let records = items.prefix(repetitions).map(GRDBItem.Coded.init)
            return try await seconds {
              for record in records { try await pool.write { try record.insert($0) } }
            } / Double(repetitions)
          }
        ),
      ])
  }

  /// Inserts on the main actor, as a view model does.
  @MainActor private static func insertOnMainActor(_ items: ArraySlice<Item>, into store: Store) async throws -> Double
  {
    let start = ContinuousClock.now
    for item in items { try await store.write("insert") { try $0.insert(item) } }
    return start.duration(to: .now).inSeconds
  }

  private func withPool(_ path: String, _ body: (DatabasePool) throws -> Double) throws -> Double {
    let pool = try Self.pool(path, .normal)
    defer { try? pool.close() }
    return try body(pool)
  }

  private static func pool(_ path: String, _ durability: Durability) throws -> DatabasePool {
    let pool = try DatabasePool(path: path)
    try pool.writeWithoutTransaction { db in
      if durability == .full { try db.execute(sql: "PRAGMA synchronous = FULL") }
      try db.execute(sql: create)
    }
    return pool
  }
}
