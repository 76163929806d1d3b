import Foundation
import Testing

@testable import Sanderling

/// Every statement of a page uses the index that was made for its order.
@Suite struct PagePlanTests {
  @Record(indexes: [
    .on(\.projectID, \.dueAt, \.title, \.id), .on(.descending(\.dueAt), \.rank, \.id), .on(\.createdAt),
    .on(\.title, \.id),
  ])
  struct Errand {
    var id: UUID
    var projectID: UUID
    var title: String
    var rank: Int
    var dueAt: Date?
    var createdAt: Date
  }

  @Record(indexes: [.on(\.projectID), .on(\.createdAt)])
  struct Entry {
    var id: Int64?
    var projectID: Int
    var createdAt: Date
    var text: String
  }

  let store: Store

  init() throws {
    store = try Store(inMemory: [Errand.self, Entry.self])
  }

  /// Expects the query plans of the first page's statement and of the following pages' statements, with one line for
  /// each step.
  private func expect<Root, Output>(
    _ query: Selection<Root, Output>, first: String, following: [String], backward: [String]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let form = try PageForm(query.statement)
    func plans(_ direction: PageForm.Direction, hasEdge: Bool) async throws -> [String] {
      var plans: [String] = []
      let statements = try await store.writer.read { try form.explained(direction, hasEdge: hasEdge, count: 51, $0) }
      for statement in statements {
        #expect(
          statement.sql.hasSuffix(" LIMIT 51") && !statement.sql.contains("OFFSET"), sourceLocation: sourceLocation)
        plans.append(try await store.plan(statement).joined(separator: "; "))
      }
      return plans
    }
    #expect(try await plans(.forward, hasEdge: false) == [first], sourceLocation: sourceLocation)
    #expect(try await plans(.backward, hasEdge: false) == [first], sourceLocation: sourceLocation)
    #expect(try await plans(.forward, hasEdge: true) == following, sourceLocation: sourceLocation)
    #expect(try await plans(.backward, hasEdge: true) == backward ?? following, sourceLocation: sourceLocation)
    let explanation = try await store.pages(of: query, size: 50).explain()
    #expect(
      explanation.isServed && explanation.missingIndex == nil && explanation.reason == nil,
      sourceLocation: sourceLocation)
    #expect(explanation.description == "An index serves the order: a page costs the same wherever it is.")
  }

  @Test func byTheKey() async throws {
    try await expect(
      Errand.query, first: "SCAN errand USING INDEX sqlite_autoindex_errand_1",
      following: ["SEARCH errand USING INDEX sqlite_autoindex_errand_1 (id>?)"],
      backward: ["SEARCH errand USING INDEX sqlite_autoindex_errand_1 (id<?)"])
    try await expect(
      Entry.query, first: "SCAN entry", following: ["SEARCH entry USING INTEGER PRIMARY KEY (rowid>?)"],
      backward: ["SEARCH entry USING INTEGER PRIMARY KEY (rowid<?)"])
  }

  @Test func byAColumn() async throws {
    let index = "entry USING INDEX entry_on_createdAt"
    try await expect(
      Entry.order { $0.createdAt.descending }, first: "SCAN \(index)",
      following: ["SEARCH \(index) (createdAt=? AND rowid<?)", "SEARCH \(index) (createdAt<?)"],
      backward: ["SEARCH \(index) (createdAt=? AND rowid>?)", "SEARCH \(index) (createdAt>?)"])
    try await expect(
      Entry.where { $0.projectID == 1 }, first: "SEARCH entry USING INDEX entry_on_projectID (projectID=?)",
      following: ["SEARCH entry USING INDEX entry_on_projectID (projectID=? AND rowid>?)"],
      backward: ["SEARCH entry USING INDEX entry_on_projectID (projectID=? AND rowid<?)"])
  }

  @Test func byColumnsAndTheKey() async throws {
    let index = "errand USING INDEX errand_on_projectID_dueAt_title_id"
    func search(_ constraint: String) -> String { "SEARCH \(index) (projectID=? AND \(constraint))" }
    try await expect(
      Errand.where { $0.projectID == UUID(1) }.order { ($0.dueAt, $0.title) }, first: "SEARCH \(index) (projectID=?)",
      following: [
        search("dueAt=? AND title=? AND id>?"), search("dueAt=? AND title>?"), search("dueAt>?"),
      ],
      // NULLs come first in the order. Read backward, they are a range of their own after the dates.
      backward: [
        search("dueAt=? AND title=? AND id<?"), search("dueAt=? AND title<?"), search("dueAt<?"), search("dueAt=?"),
      ])
  }

  @Test func inMixedDirections() async throws {
    let index = "errand USING INDEX errand_on_dueAt_desc_rank_id"
    try await expect(
      Errand.order { ($0.dueAt.descending, $0.rank) }, first: "SCAN \(index)",
      following: [
        "SEARCH \(index) (dueAt=? AND rank=? AND id>?)", "SEARCH \(index) (dueAt=? AND rank>?)",
        "SEARCH \(index) (dueAt<?)",
        "SEARCH \(index) (dueAt=?)",
      ],
      backward: [
        "SEARCH \(index) (dueAt=? AND rank=? AND id<?)", "SEARCH \(index) (dueAt=? AND rank<?)",
        "SEARCH \(index) (dueAt>?)",
      ])
  }

  /// Pages of groups and of distinct values use the index of their order as well.
  @Test func groupsAndDistinctValues() async throws {
    let index = "errand USING COVERING INDEX errand_on_title_id"
    try await expect(
      Errand.group { $0.title }.order { $0.title }.select { ($0.title, $0.count()) }, first: "SCAN \(index)",
      following: ["SEARCH \(index) (title>?)"], backward: ["SEARCH \(index) (title<?)"])
    try await expect(
      Errand.order { $0.title }.select { $0.title }.distinct(), first: "SCAN \(index)",
      following: ["SEARCH \(index) (title>?)"], backward: ["SEARCH \(index) (title<?)"])
  }

  /// The row with a key is found by the index of the key.
  @Test func aRowByItsKey() async throws {
    let form = try PageForm(Errand.order { $0.title }.statement)
    let statement = try form.statement(ofRow: Errand.terms(of: UUID(1)))
    #expect(try await store.plan(statement) == ["SEARCH errand USING INDEX sqlite_autoindex_errand_1 (id=?)"])
  }

  @Test func statementsAsTheyAreRun() async throws {
    let pages = store.pages(of: Entry.where { $0.projectID == 1 }.order { $0.createdAt.descending }, size: 2)
    try await store.write("fill") { tx in
      for number in 0..<5 {
        try tx.insert(Entry(projectID: 1, createdAt: Date(at: Double(number / 2)), text: ""))
      }
    }
    let (page, statements) = try await store.record { try await pages.first() }
    #expect(page.rows.map(\.id) == [5, 4])
    #expect(
      statements.map(\.sql) == [
        """
        SELECT "entry"."id", "entry"."projectID", "entry"."createdAt", "entry"."text" FROM "entry" WHERE ("entry"."projectID" = ?) \
        ORDER BY "entry"."createdAt" DESC, "entry"."id" DESC LIMIT 3
        """
      ])
    let (second, following) = try await store.record(includingValues: true) {
      try await pages.page(after: #require(page.next))
    }
    #expect(second.rows.map(\.id) == [3, 2])
    // The first statement returned a row. The second looked for NULL keys. The third returned the missing row and the
    // row after it.
    #expect(following.map(\.rowCount) == [1, 0, 2])
    #expect(following.map(\.counters.fullScanSteps) == [0, 0, 0])
    #expect(try await pages.page(after: #require(second.next)).rows.map(\.id) == [1])
  }
}
