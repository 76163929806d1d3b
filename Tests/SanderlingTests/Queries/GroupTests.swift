import Foundation
import Sanderling
import Testing

@Suite struct GroupTests {
  @Test func aggregatesOfAllRows() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.select { ($0.count(), $0.rank.count(), $0.note.countDistinct(), $0.size.sum(), $0.rank.sum()) },
      sql: """
        SELECT COUNT(*), COUNT("item"."rank"), COUNT(DISTINCT "item"."note"), coalesce(SUM("item"."size"), 0),
        coalesce(SUM("item"."rank"), 0)
        FROM "item"
        """,
      rows: """
        5 | 3 | 3 | 11 | 6
        """)
    try await store.expect(
      Item.where { $0.id != 4 }.select { ($0.weight.average(), $0.rank.average(), $0.name.min(), $0.note.max()) },
      sql: """
        SELECT AVG("item"."weight"), AVG("item"."rank"), MIN("item"."name"), MAX("item"."note")
        FROM "item"
        WHERE ("item"."id" <> ?)
        -- 4
        """,
      rows: """
        0.53125 | 2.0 | anchor | red
        """)
    try await store.expect(
      Item.where { $0.id == 0 }.select {
        ($0.count(), $0.size.sum(), $0.weight.sum(), $0.size.max(), $0.size.average())
      },
      sql: """
        SELECT COUNT(*), coalesce(SUM("item"."size"), 0), coalesce(SUM("item"."weight"), 0.0),
        MAX("item"."size"), AVG("item"."size")
        FROM "item"
        WHERE ("item"."id" = ?)
        -- 0
        """,
      rows: """
        0 | 0 | 0.0 | nil | nil
        """)
  }

  @Test func groups() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.group(by: { $0.isCompleted }).order { $0.isCompleted }.select {
        ($0.isCompleted, $0.count(), $0.dueAt.max())
      },
      sql: """
        SELECT "todoTask"."isCompleted", COUNT(*), MAX("todoTask"."dueAt")
        FROM "todoTask"
        GROUP BY "todoTask"."isCompleted"
        ORDER BY "todoTask"."isCompleted"
        """,
      rows: """
        false | 4 | @30
        true | 3 | @40
        """)
    try await store.expect(
      TodoTask.group(by: { $0.projectID }).having { $0.count() > 1 }.order { $0.count().descending }
        .select { ($0.project.name, $0.count()) },
      sql: """
        SELECT "project"."name", COUNT(*)
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        GROUP BY "todoTask"."projectID"
        HAVING COUNT(*) > ?
        ORDER BY COUNT(*) DESC, "todoTask"."projectID" DESC
        -- 1
        """,
      rows: """
        garden | 3
        Kitchen | 2
        """)
  }

  @Test func groupsOfSeveralFields() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.group(by: { ($0.project.name, $0.isCompleted) }).order { ($0.project.name, $0.isCompleted) }
        .select { ($0.project.name, $0.isCompleted, $0.title.min()) },
      sql: """
        SELECT "project"."name", "todoTask"."isCompleted", MIN("todoTask"."title")
        FROM "todoTask"
        LEFT JOIN "project" ON "project"."id" = "todoTask"."projectID"
        GROUP BY "project"."name", "todoTask"."isCompleted"
        ORDER BY "project"."name", "todoTask"."isCompleted"
        """,
      rows: """
        Kitchen | false | bake
        Kitchen | true | Wash
        beds | false | weed
        garden | false | dig
        garden | true | mow
        home | true | pay 50% rent
        """)
  }

  @Test func conditionsOnRowsAndOnGroups() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.size > -9 }.group(by: { $0.grade }).having { $0.count() == 2 }.having { $0.weight.sum() > 2 }
        .order { $0.grade }.limit(1, offset: 1).select { ($0.grade, $0.weight.sum()) },
      sql: """
        SELECT "item"."grade", coalesce(SUM("item"."weight"), 0.0)
        FROM "item"
        WHERE ("item"."size" > ?)
        GROUP BY "item"."grade"
        HAVING (COUNT(*) = ?) AND (coalesce(SUM("item"."weight"), 0.0) > ?)
        ORDER BY "item"."grade"
        LIMIT 1 OFFSET ?
        -- -9, 2, 2.0, 1
        """,
      rows: """
        high | 2.625
        """)
  }

  @Test func differentValues() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.select { $0.note }.distinct().order { $0.note },
      sql: """
        SELECT DISTINCT "item"."note"
        FROM "item"
        ORDER BY "item"."note"
        """,
      rows: """
        nil

        Röd
        red
        """)
    try await store.expect(
      Item.select { ($0.note, $0.rank == nil) }.distinct().order { ($0.note, $0.rank == nil) }.limit(3),
      sql: """
        SELECT DISTINCT "item"."note", "item"."rank" IS NULL
        FROM "item"
        ORDER BY "item"."note", "item"."rank" IS NULL
        LIMIT 3
        """,
      rows: """
        nil | false
         | false
        Röd | true
        """)
  }
}
