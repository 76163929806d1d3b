import Sanderling
import SanderlingTesting
import Testing

struct PlanExpectationTests {
  @Record(indexes: [.on(\.kind, \.weight), .on(\.name)]) struct Stone {
    var id: Int64
    var kind: Int
    var weight: Double
    var name: String
    var place: String
  }

  private let store: Store

  init() throws {
    store = try Store.seeded([Stone.self]) { tx in
      try tx.insert(contentsOf: (1...50).map { Stone(id: $0, kind: 1, weight: 2, name: "n", place: "p") })
    }
  }

  @Test func expectedPlanPasses() async throws {
    try await store.expectPlan(of: Stone.where { $0.kind == 1 }.order { $0.weight }) {
      $0.usesIndex("stone_on_kind_weight")
      $0.searches("stone")
      $0.doesNotSort
      $0.doesNotScan
      $0.makesNoIndex
    }
    try await store.expectPlan(of: Stone.select { $0.name }.order { $0.name }) { $0.isCovered(by: "stone_on_name") }
  }

  @Test func unexpectedPlanThrowsAllUnmetExpectations() async throws {
    let failure = await #expect(throws: ExpectationFailure.self) {
      try await store.expectPlan(of: Stone.where { $0.place == "p" }.order { $0.weight }) {
        $0.usesIndex("stone_on_kind_weight")
        $0.doesNotScan
        $0.doesNotSort
      }
    }
    let text = try #require(failure).description
    let wanted = "uses the index stone_on_kind_weight and does not scan a table and does not sort"
    #expect(text.hasPrefix("Expected a plan that \(wanted), and found:"))
    #expect(text.contains("USE TEMP B-TREE FOR ORDER BY"))
    #expect(text.contains("SELECT"))
  }

  @Test func searchByKeyIsNoScan() async throws {
    try await store.expectPlan(of: Stone.where { $0.id == 7 }) { $0.searches("stone") }
    await #expect(throws: ExpectationFailure.self) {
      try await store.expectPlan(of: Stone.where { $0.place == "x" }) { $0.searches("stone") }
    }
  }

  @Test func workWithinItsCostPasses() async throws {
    let stones = try await store.expectCost(statements: 1, steps: 1_000) {
      try await store.fetch(Stone.where { $0.kind == 1 }.order { $0.weight }.limit(5))
    }
    #expect(stones.count == 5)
    try await store.expectCost(statements: 1) {
      try await store.write("rename") { try $0.update(Stone.where { $0.id == 1 }, .set(\.name, to: "m")) }
    }
  }

  @Test func workBeyondItsCostIsThrownWithItsStatements() async throws {
    let tooMany = await #expect(throws: ExpectationFailure.self) {
      try await store.expectCost(statements: 1) {
        for id in Int64(1)...3 { _ = try await store.fetchFirst(Stone.where { $0.id == id }) }
      }
    }
    #expect(try #require(tooMany).description.hasPrefix("3 statements ran, and at most 1 may run:\n"))
    await #expect(throws: ExpectationFailure.self) {
      try await store.expectCost(steps: 20) { try await store.fetch(Stone.where { $0.place == "p" }) }
    }
  }
}
