import Foundation
import Sanderling
import Testing

@Projection(of: TodoTask.self)
struct ProjectLoad: Hashable {
  var projectID: UUID
  var tasks: Int
  var open: Int
  static let tasks = aggregate { $0.count() }
  static let open = aggregate { $0.count(where: !$0.isCompleted) }
}

/// Aggregates over the rows of a query or group that satisfy a condition, and joined texts.
@Suite struct ConditionalSummaryTests {
  @Test func countsAndSumsOfGroups() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.group(by: { $0.projectID }).order { $0.projectID }.select {
        ($0.projectID, $0.count(), $0.count(where: !$0.isCompleted), $0.count(where: $0.dueAt < Date(at: 25)))
      },
      sql: """
        SELECT "todoTask"."projectID", COUNT(*), COUNT(CASE WHEN "todoTask"."isCompleted" = 0 THEN 1 END),
        COUNT(CASE WHEN "todoTask"."dueAt" < ? THEN 1 END)
        FROM "todoTask" GROUP BY "todoTask"."projectID" ORDER BY "todoTask"."projectID"
        -- 25.0
        """,
      rows: """
        #1 | 1 | 0 | 0
        #2 | 3 | 2 | 1
        #3 | 2 | 1 | 1
        #4 | 1 | 1 | 1
        """)
  }

  @Test func valuesOfRowsWithACondition() async throws {
    let store = try await Store.items()
    let summaries = Item.select {
      ($0.size.sum(where: $0.rank != nil), $0.rank.sum(where: $0.size > 1), $0.weight.sum(where: $0.id < 0))
    }
    let means = Item.select { ($0.size.average(where: $0.rank != nil), $0.rank.average(where: $0.size > 100)) }
    let rows = try await store.fetch(Item.query)
    let ranked = rows.filter { $0.rank != nil }
    let large = rows.filter { $0.size > 1 }
    try await store.expect(
      summaries, rows: ["\(ranked.map(\.size).reduce(0, +)) | \(large.compactMap(\.rank).reduce(0, +)) | 0.0"])
    let mean = Double(ranked.map(\.size).reduce(0, +)) / Double(ranked.count)
    try await store.expect(means, rows: ["\(mean) | nil"])
  }

  @Test func textsInTheirOrder() async throws {
    let store = try await Store.todo()
    try await store.expect(
      Project.order { $0.name }.select {
        ($0.name, $0.tasks.filter { !$0.isCompleted }.joined(separator: "+", \.title))
      },
      sql: """
        SELECT "project"."name", coalesce((SELECT group_concat("sanderling_text", ?) FROM
        (SELECT "todoTask"."title" AS "sanderling_text" FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 0) ORDER BY "sanderling_text", "sanderling_text" COLLATE BINARY)), '')
        FROM "project" ORDER BY "project"."name", "project"."id"
        -- '+'
        """,
      rows: """
        Kitchen | bake
        beds | weed
        café |\(" ")
        garden | dig+sow
        home |\(" ")
        """)
    try await store.expect(
      Project.where { $0.comments.exists }.order { $0.name }.select { ($0.name, $0.comments.joined { $0.task.title }) },
      rows: ["beds | weed, weed", "garden | dig"])
    try await store.expect(
      Project.where { $0.tasks.joined(\.title) == "bake, Wash" }.select { $0.count() }, rows: ["0"])
    try await store.expect(
      Project.where { $0.tasks.joined(\.title) == "Wash, bake" }.select { $0.count() }, rows: ["1"])
  }

  @Test func existsIsTheOppositeOfIsEmpty() {
    #expect(Project.where { !$0.tasks.exists } == Project.where { $0.tasks.isEmpty })
    #expect(
      Project.where { $0.tasks.filter { $0.isCompleted }.exists }
        == Project.where { $0.tasks.contains { $0.isCompleted } })
  }

  @Test @MainActor func liveSummariesStayExactWhileRowsChange() async throws {
    let store = try await Store.todo()
    let counts = TodoTask.group(by: { $0.projectID }).order { $0.projectID }.select {
      ($0.projectID, $0.count(where: !$0.isCompleted), $0.dueAt.max())
    }
    let total = TodoTask.select { ($0.count(where: !$0.isCompleted), $0.count(where: $0.title.hasPrefix("w"))) }
    let joined = Project.order { ($0.name, $0.id) }.select { ($0.name, $0.tasks.joined(\.title)) }
    #expect(try await total.explainLive(store).isMaintained)
    #expect(try await joined.explainLive(store).isMaintained)
    let loads = TodoTask.group(by: { $0.projectID }).order { $0.projectID }.select(ProjectLoad.self)
    #expect(try await loads.explainLive(store).isMaintained)
    let (list, groups, value) = (store.liveList(joined), store.liveList(counts), store.liveValue(total))
    let projections = store.liveList(loads)
    try await projections.caughtUp()
    try await list.caughtUp()
    try await groups.caughtUp()
    try await value.caughtUp()
    var random = SeededGenerator(seed: 5)
    for step in 0..<60 {
      let id = UUID(UInt64(100 + Int.random(in: 0..<12, using: &random)))
      let task = TodoTask(
        id: id, projectID: UUID(UInt64.random(in: 1...5, using: &random)),
        title: ["wax", "Wax", "oil", "dust"][step % 4],
        isCompleted: .random(using: &random), dueAt: step % 3 == 0 ? nil : Date(at: Double(step)))
      let isRemoved = Int.random(in: 0..<4, using: &random) == 0
      try await store.write("change") { tx in
        if isRemoved { try tx.delete(TodoTask.where { $0.id == id }) } else { try tx.upsert(task) }
      }
      try await list.caughtUp()
      try await groups.caughtUp()
      try await value.caughtUp()
      #expect(list.elements.map(line) == (try await store.fetch(joined).map(line)))
      #expect(groups.elements.map(line) == (try await store.fetch(counts).map(line)))
      try await projections.caughtUp()
      #expect(projections.elements == (try await store.fetch(loads)))
      #expect(line(value.value as Any) == (try await store.fetch(total).map(line)[0]))
    }
  }
}
