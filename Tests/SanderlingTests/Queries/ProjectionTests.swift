import Foundation
import Sanderling
import Testing

@Suite struct ProjectionTests {
  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func columnsAndAggregates() async throws {
    try await store.expect(
      ProjectSummary.where { $0.name > "c" }.order { $0.name },
      sql: """
        SELECT "project"."id", "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)),
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1)), (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id")
        FROM "project"
        WHERE ("project"."name" > ?)
        ORDER BY "project"."name", "project"."id"
        -- 'c'
        """,
      rows: """
        #5 | café | 0 | 0 | 0
        #2 | garden | 2 | 1 | 2
        #1 | home | 0 | 1 | 0
        """)
  }

  /// Aggregates of the projection and fields of its record can be combined in conditions and orderings.
  @Test func conditionsAndOrderings() async throws {
    try await store.expect(
      ProjectSummary.where { $0.openTasks > 0 && $0.parent.exists }.order { ($0.openTasks.descending, $0.name) },
      sql: """
        SELECT "project"."id", "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)),
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1)), (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id")
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE ((SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 0)) > ?) AND ("project2"."id" IS NOT NULL)
        ORDER BY 3 DESC, "project"."name", "project"."id"
        -- 0
        """,
      rows: """
        #2 | garden | 2 | 1 | 2
        #3 | Kitchen | 1 | 1 | 0
        #4 | beds | 1 | 0 | 2
        """)
    try await store.expect(
      ProjectSummary.order { $0.name }.select { ($0.name, $0.openTasks + $0.completedTasks) },
      sql: """
        SELECT "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)) +
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1))
        FROM "project"
        ORDER BY "project"."name", "project"."id"
        """,
      rows: """
        Kitchen | 2
        beds | 1
        café | 0
        garden | 3
        home | 1
        """)
  }

  @Test func ofAQuery() async throws {
    try await store.expect(
      Project.where { $0.parent.name == "home" }.order { $0.name }.select(ProjectSummary.self),
      sql: """
        SELECT "project"."id", "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)),
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1)), (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id")
        FROM "project"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE ("project2"."name" = ?)
        ORDER BY "project"."name", "project"."id"
        -- 'home'
        """,
      rows: """
        #3 | Kitchen | 1 | 1 | 0
        #2 | garden | 2 | 1 | 2
        """)
  }

  /// A limited query chooses the keys of its rows before their aggregates are counted.
  @Test func keysFirst() async throws {
    try await store.expect(
      ProjectSummary.order { $0.name }.limit(2, offset: 1),
      sql: """
        SELECT "project"."id", "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)),
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1)), (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id")
        FROM (SELECT "project"."id" AS "k0", "project"."name" AS "o0"
        FROM "project" ORDER BY "project"."name", "project"."id" LIMIT 2 OFFSET ?) AS "chosen"
        CROSS JOIN "project" ON "project"."id" = "chosen"."k0"
        ORDER BY "chosen"."o0", "chosen"."k0"
        -- 1
        """,
      rows: """
        #4 | beds | 1 | 0 | 2
        #5 | café | 0 | 0 | 0
        """)
    try await store.expect(
      ProjectSummary.where { $0.parent.name == "home" }.order { ($0.comments.descending, $0.parent.name, $0.name) }
        .limit(9),
      sql: """
        SELECT "project"."id", "project"."name", (SELECT COUNT(*) FROM "todoTask"
        WHERE "todoTask"."projectID" = "project"."id" AND ("todoTask"."isCompleted" = 0)),
        (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND ("todoTask"."isCompleted" = 1)), "chosen"."o0"
        FROM (SELECT "project"."id" AS "k0", (SELECT COUNT(*) FROM "comment"
        WHERE "comment"."projectID" = "project"."id") AS "o0", "project2"."name" AS "o1", "project"."name" AS
        "o2" FROM "project" LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE ("project2"."name" = ?) ORDER BY 2 DESC, "project2"."name", "project"."name", "project"."id" LIMIT 9) AS "chosen"
        CROSS JOIN "project" ON "project"."id" = "chosen"."k0"
        ORDER BY "chosen"."o0" DESC, "chosen"."o1", "chosen"."o2", "chosen"."k0"
        -- 'home'
        """,
      rows: """
        #2 | garden | 2 | 1 | 2
        #3 | Kitchen | 1 | 1 | 0
        """)
  }

  @Projection(of: TodoTask.self)
  struct TaskRow {
    var title: String
    var project: String
    var grandparent: String?
    var isLate: Bool
    static let project = aggregate { $0.project.name }
    static let grandparent = aggregate { $0.project.parent.name }
    static let isLate = aggregate { !$0.isCompleted && ($0.dueAt ?? Date(at: 1e9)) < Date(at: 20) }
  }

  @Test func traversalsAndCalculations() async throws {
    try await store.expect(
      TaskRow.where { $0.isLate || $0.grandparent == "home" }.order { ($0.project, $0.title) },
      sql: """
        SELECT "todoTask"."title", "project"."name", "project2"."name", ("todoTask"."isCompleted" = 0)
        AND (coalesce("todoTask"."dueAt", ?) < ?)
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        LEFT JOIN "project" AS "project2" ON "project2"."id" = "project"."parentID"
        WHERE ((("todoTask"."isCompleted" = 0) AND (coalesce("todoTask"."dueAt", ?) < ?)) OR ("project2"."name"
        = ?))
        ORDER BY "project"."name", "todoTask"."title", "todoTask"."id"
        -- 1000000000.0, 20.0, 1000000000.0, 20.0, 'home'
        """,
      rows: """
        Wash | Kitchen | home | false
        bake | Kitchen | home | false
        weed | beds | garden | true
        dig | garden | home | false
        mow | garden | home | false
        sow | garden | home | false
        """)
  }
}
