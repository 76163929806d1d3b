import Foundation
import Sanderling
import Testing

@Suite struct MembershipTests {
  /// Listed members are sorted, without duplicates, and filled up to a power of two, so that similar sets share a
  /// statement.
  @Test func values() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.id.in([5, 1, 3, 1]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."id" IN (?, ?, ?, ?))
        -- 1, 3, 5, 5
        """,
      rows: """
        1
        3
        5
        """)
    try await store.expect(
      Item.where { !$0.name.in(["BUOY", "CLEAT"]) }.select { $0.name },
      sql: """
        SELECT "item"."name"
        FROM "item"
        WHERE (NOT ("item"."name" IN (?, ?)))
        -- 'BUOY', 'CLEAT'
        """,
      rows: """
        anchor
        ANCHOR
        dinghy
        """)
    try await store.expect(
      Item.where { $0.grade.in([.low, .middle]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."grade" IN (?, ?))
        -- 0, 1
        """,
      rows: """
        2
        3
        4
        """)
  }

  @Test func none() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.id.in([]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."id" IN ())
        """,
      rows: "")
    try await store.expect(
      Item.where { !$0.note.in([]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT ("item"."note" IN ()))
        """,
      rows: """
        1
        2
        3
        4
        5
        """)
  }

  /// `nil` among the members matches NULL. Without it, NULL is neither in the set nor outside it.
  @Test func null() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.note.in(["red", nil]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (("item"."note" IN (?)) OR ("item"."note" IS NULL))
        -- 'red'
        """,
      rows: """
        1
        2
        4
        """)
    try await store.expect(
      Item.where { !$0.note.in(["red", nil]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT (("item"."note" IN (?)) OR ("item"."note" IS NULL)))
        -- 'red'
        """,
      rows: """
        3
        5
        """)
    try await store.expect(
      Item.where { !$0.note.in(["red"]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT ("item"."note" IN (?)))
        -- 'red'
        """,
      rows: """
        3
        5
        """)
    try await store.expect(
      Item.where { $0.note.in([nil]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (("item"."note" IN ()) OR ("item"."note" IS NULL))
        """,
      rows: """
        1
        """)
  }

  @Test func valuesOfAQuery() async throws {
    let store = try await Store.todo()
    let busy = TodoTask.where { !$0.isCompleted }.select { $0.projectID }
    try await store.expect(
      Project.where { $0.id.in(busy) }.order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE ("project"."id" IN (SELECT "todoTask"."projectID" FROM "todoTask"
        WHERE ("todoTask"."isCompleted" = 0)))
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen
        beds
        garden
        """)
    try await store.expect(
      Project.where { !$0.id.in(busy) && $0.tasks.isEmpty }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE (NOT ("project"."id" IN (SELECT "todoTask"."projectID" FROM "todoTask"
        WHERE ("todoTask"."isCompleted" = 0)))) AND (NOT EXISTS (SELECT 1 FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id"))
        """,
      rows: """
        café
        """)
    let latest = TodoTask.order { ($0.dueAt.descending, $0.id) }.select { $0.projectID }.limit(2, offset: 1)
    try await store.expect(
      Project.where { $0.id.in(latest) }.order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE ("project"."id" IN (SELECT "todoTask"."projectID"
        FROM "todoTask" ORDER BY "todoTask"."dueAt" DESC, "todoTask"."id" LIMIT 2 OFFSET ?))
        ORDER BY "project"."name", "project"."id"
        -- 1
        """,
      rows: """
        Kitchen
        garden
        """)
    try await store.expect(
      Project.where { $0.id.in(Project.where { $0.name == "home" }.select { $0.id }) }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE ("project"."id" IN (SELECT "project2"."id" FROM "project" AS "project2"
        WHERE ("project2"."name" = ?)))
        -- 'home'
        """,
      rows: """
        home
        """)
    try await store.expect(
      Project.where { $0.parentID.in(Project.where { $0.parent.name == "home" }.select { $0.id.optional }) }
        .select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE ("project"."parentID" IN (SELECT "project2"."id"
        FROM "project" AS "project2" LEFT JOIN "project" AS "project3" ON "project3"."id" =
        "project2"."parentID" WHERE ("project3"."name" = ?)))
        -- 'home'
        """,
      rows: """
        beds
        """)
  }
}
