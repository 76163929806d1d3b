import Foundation
import Sanderling
import Testing

/// Each aggregate over a to-many association is a separate subquery.
@Suite struct ToManyTests {
  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func counts() async throws {
    try await store.expect(
      Project.order { $0.name }.select { ($0.name, $0.tasks.count, $0.comments.count) },
      sql: """
        SELECT "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"), (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id")
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 2 | 0
        beds | 1 | 2
        café | 0 | 0
        garden | 3 | 2
        home | 1 | 0
        """)
    try await store.expect(
      Project.where { $0.tasks.filter { !$0.isCompleted }.count > 1 && $0.comments.count == 2 }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE ((SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 0)) > ?) AND ((SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id") = ?)
        -- 1, 2
        """,
      rows: """
        garden
        """)
  }

  @Test func existence() async throws {
    try await store.expect(
      Project.where { $0.tasks.contains { $0.title.hasPrefix("w") } }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."title" >= ? AND "todoTask"."title" < ?))
        -- 'w', 'x'
        """,
      rows: """
        beds
        """)
    try await store.expect(
      Project.where { $0.tasks.isEmpty }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE (NOT EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"))
        """,
      rows: """
        café
        """)
    try await store.expect(
      Project.where { !$0.tasks.filter { $0.isCompleted }.isEmpty }.order { $0.name }
        .select { ($0.name, $0.children.isEmpty) },
      sql: """
        SELECT "project"."name", NOT EXISTS (SELECT 1 FROM "project" AS "project2"
        WHERE "project2"."parentID" = "project"."id")
        FROM "project"
        WHERE (NOT (NOT EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1))))
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | true
        garden | false
        home | false
        """)
  }

  /// `allSatisfy` is false only if a row is known not to satisfy the condition. The task "sow" has no date and doesn't
  /// exclude its project, and a project without tasks satisfies it.
  @Test func allSatisfy() async throws {
    try await store.expect(
      Project.where { $0.tasks.allSatisfy { $0.dueAt < Date(at: 35) } }.order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE (NOT EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND (NOT ("todoTask"."dueAt" < ?))))
        ORDER BY "project"."name", "project"."id"
        -- 35.0
        """,
      rows: """
        Kitchen
        beds
        café
        garden
        """)
    try await store.expect(
      Project.where { $0.tasks.allSatisfy { !$0.isCompleted } && !$0.tasks.isEmpty }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE (NOT EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND (NOT ("todoTask"."isCompleted" = 0)))) AND (NOT (NOT EXISTS (SELECT 1 FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id")))
        """,
      rows: """
        beds
        """)
  }

  @Test func extremesAndDifferentValues() async throws {
    try await store.expect(
      Project.order { $0.name }.select {
        (
          $0.name, $0.tasks.min(\.dueAt), $0.tasks.max(\.dueAt), $0.tasks.max { $0.title },
          $0.tasks.countDistinct(\.isCompleted)
        )
      },
      sql: """
        SELECT "project"."name", (SELECT MIN("todoTask"."dueAt") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"), (SELECT MAX("todoTask"."dueAt") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"), (SELECT MAX("todoTask"."title") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"), (SELECT COUNT(DISTINCT "todoTask"."isCompleted")
        FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id")
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | @20 | @20 | bake | 2
        beds | @10 | @10 | weed | 1
        café | nil | nil | nil | 0
        garden | @10 | @30 | sow | 2
        home | @40 | @40 | pay 50% rent | 1
        """)
  }

  @Test func sumsAndMeans() async throws {
    try await store.expect(
      Project.order { $0.name }.select {
        (
          $0.name, $0.tasks.sum { $0.title.length }, $0.tasks.average { $0.title.length },
          $0.comments.sum { $0.task.title.length }
        )
      },
      sql: """
        SELECT "project"."name", coalesce((SELECT SUM(length("todoTask"."title")) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"), 0), (SELECT AVG(length("todoTask"."title"))
        FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"), coalesce((SELECT
        SUM(length("todoTask"."title")) FROM "comment" LEFT JOIN "todoTask" ON "todoTask"."id" =
        "comment"."taskID" WHERE "comment"."projectID" = "project"."id"), 0)
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 8 | 4.0 | 0
        beds | 4 | 4.0 | 8
        café | 0 | nil | 0
        garden | 9 | 3.0 | 3
        home | 12 | 12.0 | 0
        """)
  }

  @Test func aggregatesComparedWithEachOther() async throws {
    try await store.expect(
      Project.where { $0.comments.count >= $0.tasks.filter { !$0.isCompleted }.count }.order { $0.name }
        .select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE ((SELECT COUNT(*) FROM "comment" WHERE "comment"."projectID" = "project"."id") >=
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 0)))
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        beds
        café
        garden
        home
        """)
    try await store.expect(
      Project.where { $0.tasks.min(\.dueAt) != $0.tasks.max(\.dueAt) }
        .select { ($0.name, $0.tasks.count * 2 + $0.comments.count) },
      sql: """
        SELECT "project"."name", ((SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id") * ?) + (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id")
        FROM "project"
        WHERE ((SELECT MIN("todoTask"."dueAt") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id") <> (SELECT MAX("todoTask"."dueAt") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"))
        -- 2
        """,
      rows: """
        garden | 8
        """)
  }

  @Test func orderedByAnAggregate() async throws {
    try await store.expect(
      Project.order { ($0.tasks.count.descending, $0.name) }.select { ($0.name, $0.tasks.count) },
      sql: """
        SELECT "project"."name", (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id")
        FROM "project"
        ORDER BY 2 DESC, "project"."name", "project"."id"
        """,
      rows: """
        garden | 3
        Kitchen | 2
        beds | 1
        home | 1
        café | 0
        """)
    try await store.expect(
      Project.order { ($0.tasks.max(\.dueAt).descending.nullsFirst, $0.name) }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        ORDER BY (SELECT MAX("todoTask"."dueAt") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id") DESC NULLS FIRST, "project"."name", "project"."id"
        """,
      rows: """
        café
        home
        garden
        Kitchen
        beds
        """)
  }

  @Test func aggregatesOfAggregates() async throws {
    try await store.expect(
      Project.order { $0.name }.select {
        ($0.name, $0.children.sum { $0.tasks.count }, $0.children.max { $0.tasks.count })
      },
      sql: """
        SELECT "project"."name", coalesce((SELECT SUM((SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project2"."id")) FROM "project" AS "project2"
        WHERE "project2"."parentID" = "project"."id"), 0), (SELECT MAX((SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project2"."id")) FROM "project" AS "project2"
        WHERE "project2"."parentID" = "project"."id")
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 0 | nil
        beds | 0 | nil
        café | 0 | nil
        garden | 1 | 1
        home | 5 | 3
        """)
    try await store.expect(
      Project.where { $0.tasks.contains { $0.comments.count > 1 } }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ((SELECT COUNT(*) FROM "comment" WHERE "comment"."taskID" = "todoTask"."id") > ?))
        -- 1
        """,
      rows: """
        beds
        """)
    try await store.expect(
      Project.where { $0.children.contains { $0.children.contains { $0.tasks.count == 1 } } }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "project" AS "project2" WHERE "project2"."parentID" = "project"."id"
        AND EXISTS (SELECT 1 FROM "project" AS "project3" WHERE "project3"."parentID" = "project2"."id"
        AND ((SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project3"."id") = ?)))
        -- 1
        """,
      rows: """
        home
        """)
  }
}
