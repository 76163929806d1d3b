import Foundation
import SanderlingSQLite
import Sanderling

/// A record with a UUID as its key, as in apps that synchronise.
@Record
struct Label {
  var id: UUID
  var rank: Int
}

/// Searches for very many values in a table that has none of them, which measures the cost of the values themselves.
struct MembershipSuite: CaseSuite {
  static let name = "membership"
  private let store: Store
  private let connection: CConnection
  private let ids: [UUID]
  private let ranks: [Int]

  init(folder: String, isShort: Bool) async throws {
    let path = folder + "/membership.sqlite"
    store = try Store(path: path, schema: [Label.self])
    connection = try CConnection(path)
    let count = isShort ? 1000 : 100_000
    ids = (0..<count).map { _ in UUID() }
    ranks = (0..<count).map { ($0 &* 7919) % 1_000_003 }
  }

  var cases: [BenchmarkCase] {
    let (store, connection, ids, ranks) = (store, connection, ids, ranks)
    return [
      BenchmarkCase(
        name: "in 100,000 UUIDs, no rows", unit: .milliseconds,
        sanderling: {
          try seconds { _ = try store.readBlocking { tx in try tx.fetch(Label.where { $0.id.in(ids) }) } }
        },
        limit: {
          try seconds {
            var bytes = Data(capacity: 16 * ids.count)
            for id in ids { withUnsafeBytes(of: id.uuid) { bytes.append(contentsOf: $0) } }
            let statement = try connection.prepare(
              "SELECT id, rank FROM label WHERE id IN (SELECT substr(?2, key * 16 + 1, 16) FROM json_each(?1))")
            defer { sqlite3_finalize(statement) }
            let zeros = "[" + String(repeating: "0,", count: ids.count - 1) + "0]"
            sqlite3_bind_text(statement, 1, zeros, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            bytes.withUnsafeBytes { bytes in
              _ = sqlite3_bind_blob64(
                statement, 2, bytes.baseAddress, UInt64(bytes.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            }
            while sqlite3_step(statement) == SQLITE_ROW {}
          }
        },
        peers: [
          (
            "integers",
            { try seconds { _ = try store.readBlocking { tx in try tx.fetch(Label.where { $0.rank.in(ranks) }) } } }
          )
        ])
    ]
  }
}
