import Foundation
import Sanderling
import Testing

@Suite struct RawSQLTests {
  let store: Store

  init() async throws {
    store = try await Store.todo()
  }

  @Test func records() async throws {
    let pattern = "*i*"
    let matching = TodoTask.raw("SELECT * FROM \(TodoTask.self) WHERE \"title\" GLOB \(pattern)")
    try await store.expect(
      matching.filter { !$0.isCompleted }.order { $0.project.name.descending }.select { ($0.title, $0.project.name) },
      sql: """
        SELECT "todoTask"."title", "project"."name"
        FROM (SELECT * FROM "todoTask" WHERE "title" GLOB ?) AS "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        WHERE ("todoTask"."isCompleted" = 0)
        ORDER BY "project"."name" DESC, "todoTask"."id" DESC
        -- '*i*'
        """,
      rows: """
        dig | garden
        """)
    #expect(try await store.count(matching) == 1)
    #expect(try await store.exists(matching))
  }

  /// Columns of a raw query are found by name, whatever their order.
  @Test func columnsByName() async throws {
    let query = Project.raw("SELECT upper(name) AS name, 'x' AS other, parentID, id FROM project WHERE name = 'beds'")
    #expect(
      try await store.fetch(query).map(line) == ["#4 | BEDS | #2"])
  }

  @Test func tuplesAndValues() async throws {
    let query = RawQuery(
      "SELECT name, (SELECT COUNT(*) FROM todoTask WHERE projectID = project.id), parentID FROM project ORDER BY name",
      as: String.self, Int.self, UUID?.self)
    #expect(
      try await store.fetch(query).map(line) == [
        "Kitchen | 2 | #1", "beds | 1 | #2", "café | 0 | nil", "garden | 3 | #1", "home | 1 | nil",
      ])
    #expect(try await store.fetch(RawQuery("SELECT \(1) + \(2.5)", as: Double.self)) == [3.5])
  }

  @Test func expressionsWithFields() async throws {
    try await store.expect(
      TodoTask.where { .raw("\($0.title) GLOB \("[a-d]*")") }.order { $0.title }
        .select { Field<String>.raw("replace(\($0.title), \("i"), \($0.project.name))") },
      sql: """
        SELECT replace("todoTask"."title", ?, "project"."name")
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        WHERE ("todoTask"."title" GLOB ?)
        ORDER BY "todoTask"."title", "todoTask"."id"
        -- 'i', '[a-d]*'
        """,
      rows: """
        bake
        dgardeng
        """)
    try await store.expect(
      Project.where { project in project.tasks.contains { .raw("length(\($0.title)) > length(\(project.name))") } }
        .select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        WHERE EXISTS (SELECT 1 FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id"
        AND (length("todoTask"."title") > length("project"."name")))
        """,
      rows: """
        home
        """)
    try await store.expect(
      Project.order { Field<Int>.raw("\($0.tasks.count) % 2") }.limit(2).select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM "project"
        ORDER BY (SELECT COUNT(*) FROM "todoTask" WHERE "todoTask"."projectID" = "project"."id") % 2, "project"."id"
        LIMIT 2
        """,
      rows: """
        Kitchen
        café
        """)
  }

  @Test func lists() async throws {
    let names = ["home", "café", "it's"]
    try await store.expect(
      Project.raw("SELECT * FROM project WHERE name IN \(list: names)").order { $0.name }.select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM (SELECT * FROM project WHERE name IN (?, ?, ?)) AS "project"
        ORDER BY "project"."name", "project"."id"
        -- 'home', 'café', 'it''s'
        """,
      rows: """
        café
        home
        """)
    try await store.expect(
      Project.raw("SELECT * FROM project WHERE name IN \(list: [String]())").select { $0.name },
      sql: """
        SELECT "project"."name"
        FROM (SELECT * FROM project WHERE name IN ()) AS "project"
        """,
      rows: "")
  }

  /// Interpolated texts are always values and never SQL.
  @Test(arguments: ["' OR 1 = 1 --", "'; DROP TABLE project; --", "\"", "?", "\\", "a\u{0}' OR 1 = 1", "%", "1) OR (1"])
  func injection(_ text: String) async throws {
    try await store.write("add") { try $0.insert(Project(id: UUID(99), name: text, parentID: nil)) }
    let raw = Project.raw("SELECT * FROM \(Project.self) WHERE name = \(text)")
    #expect(try await store.fetch(raw).map(\.name) == [text])
    #expect(try raw.sql.arguments == [.text(text)])
    #expect(try await store.fetch(RawQuery("SELECT \(text)", as: String.self)) == [text])
    #expect(try await store.fetch(Project.where { .raw("\($0.name) = \(text)") }).count == 1)
    #expect(try await store.fetch(Project.where { $0.name == text || $0.name.hasPrefix(text) }).count == 1)
    #expect(try await store.fetch(Project.where { $0.name.in([text]) && $0.name.contains(text) }).count == 1)
    #expect(try await store.count(Project.query) == 6)
  }

  @Test func fragments() async throws {
    let condition: RawSQL = "name > \("d")"
    let direction = "DESC"
    let query = Project.raw("SELECT * FROM project WHERE \(condition) ORDER BY name \(raw: direction) LIMIT \(1)")
    #expect(try query.sql.arguments == [.text("d"), .integer(1)])
    #expect(try await store.fetch(query).map(\.name) == ["home"])
  }
}
