import Foundation
import Sanderling
import Testing

@Suite struct ComparisonTests {
  @Test func equalityWithAValue() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.size == 7 }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."size" = ?)
        -- 7
        """,
      rows: """
        1
        """)
    try await store.expect(
      Item.where { 7 != $0.size }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."size" <> ?)
        -- 7
        """,
      rows: """
        2
        3
        4
        5
        """)
    try await store.expect(
      Item.where { $0.grade == .low }.select { ($0.id, $0.grade) },
      sql: """
        SELECT "item"."id", "item"."grade"
        FROM "item"
        WHERE ("item"."grade" = ?)
        -- 0
        """,
      rows: """
        2 | low
        4 | low
        """)
  }

  @Test func equalityFollowsTheColumnsCollation() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.name == "Anchor" }.select { $0.name },
      sql: """
        SELECT "item"."name"
        FROM "item"
        WHERE ("item"."name" = ?)
        -- 'Anchor'
        """,
      rows: """
        anchor
        ANCHOR
        """)
    try await store.expect(
      Item.where { $0.name.collated(.binary) == "ANCHOR" }.select { $0.name },
      sql: """
        SELECT "item"."name"
        FROM "item"
        WHERE (("item"."name" COLLATE BINARY) = ?)
        -- 'ANCHOR'
        """,
      rows: """
        ANCHOR
        """)
  }

  @Test func nilIsNull() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.note == nil }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."note" IS NULL)
        """,
      rows: """
        1
        """)
    try await store.expect(
      Item.where { nil != $0.note }.select { $0.id },
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
    let absent: String? = nil
    try await store.expect(
      Item.where { $0.note == absent }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."note" IS NULL)
        """,
      rows: """
        1
        """)
  }

  @Test func aNullIsNeitherEqualNorDifferent() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.note != "red" }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."note" <> ?)
        -- 'red'
        """,
      rows: """
        3
        5
        """)
    try await store.expect(
      Item.where { $0.note.isDistinct(from: "red") }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."note" IS NOT ?)
        -- 'red'
        """,
      rows: """
        1
        3
        5
        """)
    try await store.expect(
      Item.where { $0.note.isDistinct(from: nil) }.select { $0.id },
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
  }

  @Test func fieldsWithFields() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.id == $0.rank }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."id" = "item"."rank")
        """,
      rows: "")
    try await store.expect(
      Item.where { $0.rank != $0.id }.select { ($0.id, $0.rank) },
      sql: """
        SELECT "item"."id", "item"."rank"
        FROM "item"
        WHERE ("item"."rank" <> "item"."id")
        """,
      rows: """
        1 | 3
        3 | 1
        4 | 2
        """)
    try await store.expect(
      Item.where { $0.id < $0.size }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."id" < "item"."size")
        """,
      rows: """
        1
        4
        """)
    try await store.expect(
      Item.where { $0.rank.isDistinct(from: $0.rank) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ("item"."rank" IS NOT "item"."rank")
        """,
      rows: "")
  }

  /// Truth values are written as literals, because SQLite doesn't use an index with `WHERE isCompleted = 0` for
  /// `isCompleted = ?`.
  @Test func truthValues() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.where { $0.isCompleted }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE ("todoTask"."isCompleted" = 1)
        """,
      rows: """
        mow
        Wash
        pay 50% rent
        """)
    try await store.expect(
      TodoTask.where { $0.isCompleted == false && $0.dueAt == nil }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE ("todoTask"."isCompleted" = 0) AND ("todoTask"."dueAt" IS NULL)
        """,
      rows: """
        sow
        """)
    try await store.expect(
      TodoTask.where { $0.isCompleted != true && $0.dueAt != nil }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE ("todoTask"."isCompleted" <> 1) AND ("todoTask"."dueAt" IS NOT NULL)
        """,
      rows: """
        dig
        bake
        weed
        """)
  }

  @Test func comparisonsAsValues() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.select { ($0.id, $0.size > 0, $0.weight == $0.weight, !($0.size > 0)) },
      sql: """
        SELECT "item"."id", "item"."size" > ?, "item"."weight" = "item"."weight", NOT ("item"."size" > ?)
        FROM "item"
        -- 0, 0
        """,
      rows: """
        1 | true | true | false
        2 | false | true | true
        3 | false | true | true
        4 | true | true | false
        5 | true | true | false
        """)
  }
}
