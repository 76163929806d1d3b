import Foundation
import Sanderling
import Testing

@Suite struct RangeTests {
  @Test func orderComparisons() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.weight > 0 && $0.weight <= 2.5 }.select { $0.weight },
      sql: """
        SELECT "item"."weight"
        FROM "item"
        WHERE ("item"."weight" > ?) AND ("item"."weight" <= ?)
        -- 0.0, 2.5
        """,
      rows: """
        2.5
        0.125
        """)
    try await store.expect(
      Item.where { $0.name < "b" }.select { $0.name },
      sql: """
        SELECT "item"."name"
        FROM "item"
        WHERE ("item"."name" < ?)
        -- 'b'
        """,
      rows: """
        anchor
        ANCHOR
        """)
    try await store.expect(
      Item.where { $0.rank >= 2 }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        WHERE ("item"."rank" >= ?)
        -- 2
        """,
      rows: """
        3
        2
        """)
    try await store.expect(
      Item.where { $0.grade > .low }.select { $0.grade },
      sql: """
        SELECT "item"."grade"
        FROM "item"
        WHERE ("item"."grade" > ?)
        -- 0
        """,
      rows: """
        high
        middle
        high
        """)
  }

  @Test func ranges() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.size.in(0...7) }.select { $0.size },
      sql: """
        SELECT "item"."size"
        FROM "item"
        WHERE ("item"."size" >= ?) AND ("item"."size" <= ?)
        -- 0, 7
        """,
      rows: """
        7
        0
        2
        """)
    try await store.expect(
      Item.where { $0.size.in(0..<7) }.select { $0.size },
      sql: """
        SELECT "item"."size"
        FROM "item"
        WHERE ("item"."size" >= ?) AND ("item"."size" < ?)
        -- 0, 7
        """,
      rows: """
        0
        2
        """)
    try await store.expect(
      Item.where { $0.rank.in(1...2) }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        WHERE ("item"."rank" >= ?) AND ("item"."rank" <= ?)
        -- 1, 2
        """,
      rows: """
        1
        2
        """)
    try await store.expect(
      Item.where { $0.rank.in(1..<2) }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        WHERE ("item"."rank" >= ?) AND ("item"."rank" < ?)
        -- 1, 2
        """,
      rows: """
        1
        """)
  }

  @Test func dates() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.where { $0.dueAt < Date(at: 20) }.select { ($0.title, $0.dueAt) },
      sql: """
        SELECT "todoTask"."title", "todoTask"."dueAt"
        FROM "todoTask"
        WHERE ("todoTask"."dueAt" < ?)
        -- 20.0
        """,
      rows: """
        mow | @10
        weed | @10
        """)
    try await store.expect(
      TodoTask.where { $0.dueAt.in(Date(at: 20)..<Date(at: 40)) }.select { ($0.title, $0.dueAt) },
      sql: """
        SELECT "todoTask"."title", "todoTask"."dueAt"
        FROM "todoTask"
        WHERE ("todoTask"."dueAt" >= ?) AND ("todoTask"."dueAt" < ?)
        -- 20.0, 40.0
        """,
      rows: """
        dig | @30
        bake | @20
        """)
  }
}
