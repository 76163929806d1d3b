import Foundation
import Sanderling
import Testing

/// To-one associations are joins on a key, which never multiply rows.
@Suite struct ToOneTests {
  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func inAConditionAndAnOrdering() async throws {
    try await store.expect(
      TodoTask.where { $0.project.name == "garden" && !$0.isCompleted }.order { $0.title }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        WHERE ("project"."name" = ?) AND ("todoTask"."isCompleted" = 0)
        ORDER BY "todoTask"."title", "todoTask"."id"
        -- 'garden'
        """,
      rows: """
        dig
        sow
        """)
    try await store.expect(
      TodoTask.where { !$0.isCompleted }.order { ($0.project.name.descending, $0.title) }
        .select { ($0.project.name, $0.title) },
      sql: """
        SELECT "project"."name", "todoTask"."title"
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        WHERE ("todoTask"."isCompleted" = 0)
        ORDER BY "project"."name" DESC, "todoTask"."title", "todoTask"."id"
        """,
      rows: """
        garden | dig
        garden | sow
        beds | weed
        Kitchen | bake
        """)
  }

  /// A project without a parent is returned, with NULL for its parent's fields.
  @Test func optional() async throws {
    try await store.expect(
      Project.order { $0.name }.select { ($0.name, $0.parent.name, $0.parent.exists) },
      sql: """
        SELECT "project"."name", "project2"."name", "project2"."id" IS NOT NULL
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | home | true
        beds | garden | true
        café | nil | false
        garden | home | true
        home | nil | false
        """)
    try await store.expect(
      Project.where { $0.parent.name == nil }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE ("project2"."name" IS NULL)
        """,
      rows: """
        home
        café
        """)
    try await store.expect(
      Project.where { !$0.parent.exists || $0.parent.name < "h" }.order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE (("project2"."id" IS NULL) OR ("project2"."name" < ?))
        ORDER BY "project"."name", "project"."id"
        -- 'h'
        """,
      rows: """
        beds
        café
        home
        """)
  }

  @Test func twoSteps() async throws {
    try await store.expect(
      TodoTask.where { $0.project.parent.name == "home" }.order { $0.title }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE ("project2"."name" = ?)
        ORDER BY "todoTask"."title", "todoTask"."id"
        -- 'home'
        """,
      rows: """
        Wash
        bake
        dig
        mow
        sow
        """)
    try await store.expect(
      Project.order { $0.name }.select { ($0.name, $0.parent.name, $0.parent.parent.name) },
      sql: """
        SELECT "project"."name", "project2"."name", "project3"."name"
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        LEFT JOIN "project" AS "project3" ON "project3"."id" = "project2"."parentID"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | home | nil
        beds | garden | home
        café | nil | nil
        garden | home | nil
        home | nil | nil
        """)
    try await store.expect(
      Comment.where { $0.task.project.name == "beds" && $0.project.parent.name == "garden" }.order { $0.text }
        .select { ($0.text, $0.task.title, $0.task.project.parent.name) },
      sql: """
        SELECT "comment"."text", "todoTask"."title", "project4"."name"
        FROM "comment"
        LEFT JOIN "project" ON "project"."id" = "comment"."projectID"
        LEFT JOIN "todoTask" ON "todoTask"."id" = "comment"."taskID"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        LEFT JOIN "project" AS "project3" ON "project3"."id" = "todoTask"."projectID"
        LEFT JOIN "project" AS "project4" ON "project4"."id" = "project3"."parentID"
        WHERE ("project3"."name" = ?) AND ("project2"."name" = ?)
        ORDER BY "comment"."text", "comment"."id"
        -- 'beds', 'garden'
        """,
      rows: """
        again | weed | garden
        and again | weed | garden
        """)
  }

  /// Associations of an associated row that may not exist.
  @Test func toManyBehindToOne() async throws {
    try await store.expect(
      Project.order { $0.name }.select { ($0.name, $0.parent.tasks.count, $0.parent.children.max { $0.name }) },
      sql: """
        SELECT "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project2"."id"), (SELECT MAX("project3"."name")
        FROM "project" AS "project3" WHERE "project3"."parentID" = "project2"."id")
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 1 | garden
        beds | 3 | beds
        café | 0 | nil
        garden | 1 | garden
        home | 0 | nil
        """)
    try await store.expect(
      TodoTask.where { $0.project.comments.count > 1 }.order { $0.title }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        WHERE ((SELECT COUNT(*) FROM "comment" WHERE "comment"."projectID" = "project"."id") > ?)
        ORDER BY "todoTask"."title", "todoTask"."id"
        -- 1
        """,
      rows: """
        dig
        mow
        sow
        weed
        """)
  }

  @Record
  struct Visit {
    var id: Int
    var projectID: UUID
    static let project = belongsTo(Project.self, by: \.projectID)
    static let nested = belongsTo(Project.self, by: \.projectID).filter { $0.parentID != nil }
    static let atHome = belongsTo(Project.self, by: \.projectID).filter { $0.parent.name == "home" }
  }

  /// A parent that doesn't satisfy the association's condition counts as missing.
  @Test func filtered() async throws {
    let store = try Store(inMemory: [Project.self, TodoTask.self, Comment.self, Visit.self])
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [
        Project(id: UUID(1), name: "home", parentID: nil), Project(id: UUID(2), name: "garden", parentID: UUID(1)),
        Project(id: UUID(4), name: "beds", parentID: UUID(2)),
      ])
      for (id, project) in [UInt64(1), 2, 4].enumerated() { try tx.insert(Visit(id: id, projectID: UUID(project))) }
    }
    try await store.expect(
      Visit.order { $0.id }.select { ($0.project.name, $0.nested.name, $0.atHome.name) },
      sql: """
        SELECT "project"."name", "project2"."name", "project3"."name"
        FROM "visit"
        LEFT JOIN "project" ON "project"."id" = "visit"."projectID"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "visit"."projectID"
        AND ("project2"."parentID" IS NOT NULL)
        LEFT JOIN "project" AS "project3" ON "project3"."id" = "visit"."projectID"
        AND ("project3"."id") IN (SELECT "project4"."id" FROM "project" AS "project4" LEFT JOIN "project" AS
        "project5" ON "project5"."id" = "project4"."parentID" WHERE ("project5"."name" = ?))
        ORDER BY "visit"."id"
        -- 'home'
        """,
      rows: """
        home | nil | nil
        garden | garden | garden
        beds | beds | nil
        """)
    try await store.expect(
      Visit.where { !$0.nested.exists }.select { $0.project.name },
      sql: """
        SELECT "project"."name"
        FROM "visit"
        LEFT JOIN "project" ON "project"."id" = "visit"."projectID"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "visit"."projectID"
        AND ("project2"."parentID" IS NOT NULL)
        WHERE ("project2"."id" IS NULL)
        """,
      rows: """
        home
        """)
  }
}
