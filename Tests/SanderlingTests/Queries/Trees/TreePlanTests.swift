import Foundation
import Testing

@testable import Sanderling

/// Trees find the children of a record by the index of the column that holds their parent.
@Suite("Query plans of trees")
struct TreePlanTests {
  @Record(indexes: [.on(\.parentID)])
  struct Node {
    var id: UUID
    @References(Node.self) var parentID: UUID?
    var name: String
    static let nodes = hasMany(Node.self, by: \.parentID)
  }

  /// A record without a foreign key, so that its parent may be missing.
  @Record(indexes: [.on(\.parentID)])
  struct Loose {
    var id: UUID
    var parentID: UUID?
    static let nodes = hasMany(Loose.self, by: \.parentID)
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Node.self, Loose.self])
  }

  private func plan<Root, Output>(_ query: Selection<Root, Output>) async throws -> [String] {
    try await plan(query.sql)
  }

  /// Returns a query plan without the names of subqueries, and without the word that marks covering indexes.
  private func plan(_ statement: SQLStatement) async throws -> [String] {
    try await store.plan(statement).filter { !$0.contains("subquery") && !$0.contains("sanderling_") }
      .map { $0.replacing("COVERING ", with: "") }
  }

  private let byKey = "SEARCH node USING INDEX sqlite_autoindex_node_1 (id=?)"
  private let byParent = "SEARCH node USING INDEX node_on_parentID (parentID=?)"

  @Test func subtrees() async throws {
    #expect(try await plan(Node.nodes.tree(from: UUID(1)).orderSiblings { $0.name }) == [byKey, byParent, byKey])
    #expect(try await plan(Node.nodes.tree(from: UUID(1)).limit(10)) == [byKey, byParent, byKey])
    #expect(try await plan(Node.nodes.tree(from: UUID(1)).statement.countStatement) == [byKey, byParent, byKey])
    #expect(
      try await plan(Node.nodes.tree(from: UUID(1)).order { $0.name })
        == [byKey, byParent, byKey, "USE TEMP B-TREE FOR ORDER BY"])
  }

  @Test func forests() async throws {
    #expect(try await plan(Node.nodes.tree()) == [byParent, byParent, byKey])
    #expect(
      try await plan(Loose.nodes.tree()) == [
        "SCAN loose", "SEARCH loose2 USING INDEX sqlite_autoindex_loose_1 (id=?)",
        "SEARCH loose USING INDEX loose_on_parentID (parentID=?)",
        "SEARCH loose USING INDEX sqlite_autoindex_loose_1 (id=?)",
      ])
  }

  @Test func ancestors() async throws {
    #expect(try await plan(Node.nodes.ancestors(of: UUID(1))) == [byKey, byKey, byKey])
  }

  @Test func prefetched() async throws {
    let below = Node.nodes.recursive().association
    let keys: [[StorageValue]] = [[.blob(Data([1]))], [.blob(Data([2]))]]
    func plan(_ query: Selection<Node, Node>) async throws -> [String] {
      try await self.plan(SQLCompiler.prefetch(below, keys: keys, query.statement))
    }
    #expect(try await plan(Node.query) == [byParent, byParent, byKey])
    #expect(
      try await plan(Node.order { $0.name }.limit(2)).filter { $0.contains("node") } == [
        byParent, byParent, byKey, byKey,
      ])
  }
}
