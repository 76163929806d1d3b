import Foundation
import Sanderling
import Testing

@Suite struct LogicTests {
  @Test func andOrNot() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.size > 0 && $0.weight > 1 || $0.note == "" }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ((("item"."size" > ?) AND ("item"."weight" > ?)) OR ("item"."note" = ?))
        -- 0, 1.0, ''
        """,
      rows: """
        1
        3
        4
        """)
    try await store.expect(
      Item.where { $0.size > 0 && ($0.weight > 1 || $0.note == "Röd") }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."size" > ?) AND (("item"."weight" > ?) OR ("item"."note" = ?))
        -- 0, 1.0, 'Röd'
        """,
      rows: """
        1
        4
        5
        """)
    try await store.expect(
      Item.where { !($0.size > 0 || $0.weight < 0) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT (("item"."size" > ?) OR ("item"."weight" < ?)))
        -- 0, 0.0
        """,
      rows: """
        3
        """)
  }

  /// NOT of an unknown condition is unknown: the item without a note satisfies neither condition.
  @Test func notOfAnUnknown() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { !($0.note == "red") }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT ("item"."note" = ?))
        -- 'red'
        """,
      rows: """
        3
        5
        """)
    try await store.expect(
      Item.where { !($0.note == nil) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."note" IS NOT NULL)
        """,
      rows: """
        2
        3
        4
        5
        """)
    try await store.expect(
      Item.where { !(!($0.note == "red")) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT (NOT ("item"."note" = ?)))
        -- 'red'
        """,
      rows: """
        2
        4
        """)
  }

  @Test func truthColumnsInConditions() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.where { !$0.isCompleted || $0.title == "mow" }.order { $0.title }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE (("todoTask"."isCompleted" = 0) OR ("todoTask"."title" = ?))
        ORDER BY "todoTask"."title", "todoTask"."id"
        -- 'mow'
        """,
      rows: """
        bake
        dig
        mow
        sow
        weed
        """)
    try await store.expect(
      TodoTask.where { $0.isCompleted == ($0.dueAt == nil) }.order { $0.title }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE ("todoTask"."isCompleted" = ("todoTask"."dueAt" IS NULL))
        ORDER BY "todoTask"."title", "todoTask"."id"
        """,
      rows: """
        Wash
        bake
        dig
        weed
        """)
  }

  @Test func filtersAddUp() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.size > 0 }.filter { $0.note != nil }.where { $0.grade == .high }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."size" > ?) AND ("item"."note" IS NOT NULL) AND ("item"."grade" = ?)
        -- 0, 2
        """,
      rows: """
        5
        """)
  }

  @Test func conditionsComposedAtRunTime() async throws {
    let store = try await Store.items()
    let large = Condition<Item> { $0.size > 1 }
    let red = Condition<Item> { $0.note == "red" }
    try await store.expect(
      Item.where(.all([large, red])).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."size" > ?) AND ("item"."note" = ?)
        -- 1, 'red'
        """,
      rows: """
        4
        """)
    try await store.expect(
      Item.where(.any([large, red])).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (("item"."size" > ?) OR ("item"."note" = ?))
        -- 1, 'red'
        """,
      rows: """
        1
        2
        4
        5
        """)
    try await store.expect(
      Item.where(large.or(red).negated).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (NOT (("item"."size" > ?) OR ("item"."note" = ?)))
        -- 1, 'red'
        """,
      rows: """
        3
        """)
    try await store.expect(
      Item.where { $0.rank == nil }.filter(large.and(red).or(red)).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."rank" IS NULL) AND ((("item"."size" > ?) AND ("item"."note" = ?)) OR ("item"."note" = ?))
        -- 1, 'red', 'red'
        """,
      rows: """
        2
        """)
  }

  @Test func noConditionsAtAll() async throws {
    let store = try await Store.items()
    let none: [Condition<Item>] = []
    try await store.expect(
      Item.where(.all(none)).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        """,
      rows: """
        1
        2
        3
        4
        5
        """)
    try await store.expect(
      Item.where(.any(none)).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE 0
        """,
      rows: "")
    try await store.expect(
      Item.where(Condition.all(none).negated).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE 0
        """,
      rows: "")
    try await store.expect(
      Item.where(.any([.all(none), Condition { $0.id == 1 }])).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (1 OR ("item"."id" = ?))
        -- 1
        """,
      rows: """
        1
        2
        3
        4
        5
        """)
    try await store.expect(
      Item.where { item in .all([1, 2, 3].map { item.id != $0 }) && .any([4, 5].map { item.id == $0 }) }.select {
        $0.id
      },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."id" <> ?) AND ("item"."id" <> ?) AND ("item"."id" <> ?)
        AND (("item"."id" = ?) OR ("item"."id" = ?))
        -- 1, 2, 3, 4, 5
        """,
      rows: """
        4
        5
        """)
    try await store.expect(
      Item.where { _ in .all([]) && !.any([]) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE 1 AND (NOT 0)
        """,
      rows: """
        1
        2
        3
        4
        5
        """)
  }
}
