import Foundation
import Sanderling
import Testing

/// A field of an outer row keeps its meaning in the closures of associations, even if both rows are of one table.
@Suite struct OuterFieldTests {
  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func ofTheRoot() async throws {
    try await store.expect(
      Project.where { project in project.children.contains { $0.name > project.name } }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "project" AS "project2" WHERE "project2"."parentID" = "project"."id"
        AND ("project2"."name" > "project"."name"))
        """,
      rows: "")
    try await store.expect(
      Project.where { project in project.tasks.contains { $0.project.id == project.id && $0.title < project.name } }
        .order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "todoTask" LEFT JOIN "project" AS "project2" ON "project2"."id" =
        "todoTask"."projectID" WHERE "todoTask"."projectID" = "project"."id"
        AND ("project2"."id" = "project"."id") AND ("todoTask"."title" < "project"."name"))
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        garden
        """)
  }

  @Test func throughAToOneAssociation() async throws {
    try await store.expect(
      Project.where { project in project.tasks.contains { $0.title.optional < project.parent.name } }.order { $0.name }
        .select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."title" < "project2"."name"))
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen
        garden
        """)
  }

  @Test func ofARowInBetween() async throws {
    try await store.expect(
      Project.where { project in
        project.children.contains { child in
          child.tasks.contains { $0.title > child.name && $0.title != project.name }
        }
      }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "project" AS "project2" WHERE "project2"."parentID" = "project"."id"
        AND EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project2"."id"
        AND ("todoTask"."title" > "project2"."name") AND ("todoTask"."title" <> "project"."name")))
        """,
      rows: """
        home
        garden
        """)
  }

  /// Two nested closures over the same association are two levels: pairs of tasks, one due before the other.
  @Test func ofTheSameAssociation() async throws {
    try await store.expect(
      Project.where { project in
        project.tasks.contains { first in project.tasks.contains { $0.dueAt < first.dueAt && $0.title > first.title } }
      }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id" AND EXISTS
        (SELECT 1 FROM "todoTask" AS "todoTask2" WHERE "todoTask2"."projectID" = "project"."id"
        AND ("todoTask2"."dueAt" < "todoTask"."dueAt") AND ("todoTask2"."title" > "todoTask"."title")))
        """,
      rows: """
        garden
        """)
    try await store.expect(
      Project.order { $0.name }.select { project in
        (
          project.name,
          project.tasks.filter { task in project.tasks.allSatisfy { $0.title <= task.title } }.max { $0.title }
        )
      },
      sql: """
        SELECT "project"."name", (SELECT MAX("todoTask"."title") FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND (NOT EXISTS (SELECT 1
        FROM "todoTask" AS "todoTask2" WHERE "todoTask2"."projectID" = "project"."id"
        AND (NOT ("todoTask2"."title" <= "todoTask"."title")))))
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | bake
        beds | weed
        café | nil
        garden | sow
        home | pay 50% rent
        """)
  }

  /// SQL treats an aggregate of outer columns alone as an aggregate of the outer query, which would reduce that query
  /// to one row.
  @Test func aggregatesOfTheOuterRowAlone() async throws {
    try await store.expect(
      Project.order { $0.name }.select { project in (project.name, project.tasks.sum { _ in project.name.length }) },
      sql: """
        SELECT "project"."name", coalesce((SELECT SUM(CASE WHEN "todoTask"."id" IS "todoTask"."id" THEN
        length("project"."name") END) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"), 0)
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 14
        beds | 4
        café | 0
        garden | 18
        home | 4
        """)
    try await store.expect(
      Project.where { project in project.children.contains { $0.tasks.max { _ in project.name } == "garden" } }
        .select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "project" AS "project2" WHERE "project2"."parentID" = "project"."id"
        AND ((SELECT MAX(CASE WHEN "todoTask"."id" IS "todoTask"."id" THEN "project"."name" END)
        FROM "todoTask" WHERE "todoTask"."projectID" = "project2"."id") = ?))
        -- 'garden'
        """,
      rows: """
        garden
        """)
  }

  /// Rows that were named outside a closure can be used inside it.
  @Test func ofRowsNamedOutside() async throws {
    try await store.expect(
      Project.where { project in
        let open = project.tasks.filter { !$0.isCompleted }
        return project.children.contains { open.count > $0.tasks.count && open.contains { $0.title == "dig" } }
      }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "project" AS "project2" WHERE "project2"."parentID" = "project"."id"
        AND ((SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 0)) > (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project2"."id")) AND EXISTS (SELECT 1 FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)
        AND ("todoTask"."title" = ?)))
        -- 'dig'
        """,
      rows: """
        garden
        """)
    try await store.expect(
      Project.where { project in
        let open = project.tasks.filter { !$0.isCompleted }
        return project.comments.contains { comment in open.filter { $0.id == comment.taskID }.count == 1 }
      }.order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "comment" WHERE "comment"."projectID" = "project"."id"
        AND ((SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 0) AND ("todoTask"."id" = "comment"."taskID")) = ?))
        ORDER BY "project"."name", "project"."id"
        -- 1
        """,
      rows: """
        beds
        garden
        """)
  }

  @Test func ofARecursiveAssociation() async throws {
    try await store.expect(
      Project.order { $0.name }.select { project in
        (project.name, project.descendants.filter { $0.name < project.name }.count)
      },
      sql: """
        SELECT "project"."name", (WITH RECURSIVE "sanderling_descendants"("k0") AS (SELECT "project2"."id"
        FROM "project" AS "project2" WHERE "project2"."parentID" = "project"."id"
        UNION SELECT "project2"."id" FROM "sanderling_descendants" CROSS JOIN "project" AS "project2" ON
        "project2"."parentID" = "sanderling_descendants"."k0") SELECT COUNT(*)
        FROM "sanderling_descendants" CROSS JOIN "project" AS "project2" ON "project2"."id" =
        "sanderling_descendants"."k0" WHERE ("project2"."name" < "project"."name"))
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 0
        beds | 0
        café | 0
        garden | 1
        home | 3
        """)
  }
}

extension Project.Fields {
  fileprivate var descendants: ToMany<Project> { _scope.toMany(Project.children.recursive()) }
}
