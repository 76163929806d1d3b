import Foundation
import SanderlingSQLite
import Sanderling

/// A subtree of 10,000 records among 100,000, in the order of an outline.
struct TreeSuite: CaseSuite {
  static let name = "tree"
  private let store: Store
  private let connection: CConnection

  @Record(indexes: [.on(\.parentID)])
  struct Node {
    var id: Int
    @References(Node.self) var parentID: Int?
    var name: String
    var note: String
    static let nodes = hasMany(Node.self, by: \.parentID)
  }

  /// A row, as code by hand represents it.
  private struct Place {
    let node: Node
    let depth: Int
    let path: [Int]
  }

  init(folder: String, isShort: Bool) async throws {
    let count = isShort ? 1_000 : 100_000
    let path = folder + "/tree.sqlite"
    store = try Store(path: path, schema: [Node.self])
    // One record in ten is below record 1 and all others are below record 2. Each has about six children.
    let nodes = (1...count).map { id in
      Node(
        id: id, parentID: id <= 2 ? nil : id % 10 == 1 ? max(1, id / 60 * 10 + 1) : id <= 20 ? 2 : id / 60 * 10 + 2,
        name: "node \(id * 7919 % count)", note: String(repeating: "x", count: 40))
    }
    try await store.write("fill") {
      try $0.insert(contentsOf: nodes.sorted { ($0.parentID ?? 0) < ($1.parentID ?? 0) })
    }
    connection = try CConnection(path)
  }

  var cases: [BenchmarkCase] {
    let store = store
    let tree = Node.nodes.tree(from: 1).orderSiblings { $0.name }
    let (names, first) = (tree.select { ($0.name, $0.depth) }, tree.limit(50))
    return [
      BenchmarkCase(
        name: "rows with depth and path", unit: .milliseconds,
        sanderling: { try seconds { _ = try store.readBlocking { try $0.fetch(tree) } } },
        limit: { [connection] in try seconds { _ = try Self.byHand(connection) } }, peers: []),
      BenchmarkCase(
        name: "names and depths", unit: .milliseconds,
        sanderling: { try seconds { _ = try store.readBlocking { try $0.fetch(names) } } }, limit: nil, peers: []),
      BenchmarkCase(
        name: "the first 50 rows", unit: .microseconds,
        sanderling: { try seconds { _ = try store.readBlocking { try $0.fetch(first) } } },
        limit: { [connection] in try seconds { _ = try Self.byHand(connection, first: 50) } }, peers: []),
      BenchmarkCase(
        name: "how many", unit: .milliseconds,
        sanderling: { try seconds { _ = try store.readBlocking { try $0.count(tree) } } }, limit: nil, peers: []),
    ]
  }

  /// One recursive SELECT with all columns in its queue, as in SQLite's documentation. The path follows from the
  /// depths.
  private static func byHand(_ connection: CConnection, first count: Int = -1) throws -> [Place] {
    let statement = try connection.prepare(
      """
      WITH RECURSIVE tree(id, parentID, name, note, depth) AS (
        SELECT id, parentID, name, note, 0 FROM node WHERE id = 1
        UNION ALL
        SELECT node.id, node.parentID, node.name, node.note, depth + 1 FROM tree JOIN node ON node.parentID = tree.id
        ORDER BY 5 DESC, 3)
      SELECT * FROM tree LIMIT \(count)
      """)
    defer { sqlite3_finalize(statement) }
    var places: [Place] = []
    var path: [Int] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      let depth = Int(sqlite3_column_int64(statement, 4))
      let node = Node(
        id: Int(sqlite3_column_int64(statement, 0)),
        parentID: sqlite3_column_type(statement, 1) == SQLITE_NULL ? nil : Int(sqlite3_column_int64(statement, 1)),
        name: text(statement, 2), note: text(statement, 3))
      path = path[..<depth] + [node.id]
      places.append(Place(node: node, depth: depth, path: path))
    }
    return places
  }
}
