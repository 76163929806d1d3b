import Foundation
import Sanderling
import Testing

@Suite struct ArithmeticTests {
  @Test func integers() async throws {
    let store = try await Store.items()
    let query = Item.where { $0.id <= 2 }
    try await store.expect(
      query.select { ($0.size + 1, $0.size - $0.id, 10 - $0.size, $0.size * 3, -$0.size) },
      sql: """
        SELECT "item"."size" + ?, "item"."size" - "item"."id", ? - "item"."size", "item"."size" * ?, -
        "item"."size"
        FROM "item"
        WHERE ("item"."id" <= ?)
        -- 1, 10, 3, 2
        """,
      rows: """
        8 | 6 | 3 | 21 | -7
        -6 | -9 | 17 | -21 | 7
        """)
    try await store.expect(
      Item.where { ($0.size + 1) * 2 > $0.id * $0.id }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE ((("item"."size" + ?) * ?) > ("item"."id" * "item"."id"))
        -- 1, 2
        """,
      rows: """
        1
        4
        """)
  }

  /// Division truncates towards zero, the remainder has the sign of the dividend, and a division by zero is NULL.
  @Test func division() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.id <= 3 }.select { ($0.size / 2, $0.size % 2, $0.id / $0.size, $0.id % $0.size, $0.weight / 0) },
      sql: """
        SELECT "item"."size" / ?, "item"."size" % ?, "item"."id" / "item"."size", "item"."id" % "item"."size",
        "item"."weight" / ?
        FROM "item"
        WHERE ("item"."id" <= ?)
        -- 2, 2, 0.0, 3
        """,
      rows: """
        3 | 1 | 0 | 1 | nil
        -3 | -1 | 0 | 2 | nil
        0 | 0 | nil | nil | nil
        """)
  }

  @Test func reals() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.where { $0.id != 4 }.select { ($0.weight * 2 + 0.5, -$0.weight, $0.weight / 2) },
      sql: """
        SELECT ("item"."weight" * ?) + ?, - "item"."weight", "item"."weight" / ?
        FROM "item"
        WHERE ("item"."id" <> ?)
        -- 2.0, 0.5, 2.0, 4
        """,
      rows: """
        5.5 | -2.5 | 1.25
        -0.5 | 0.5 | -0.25
        0.5 | 0.0 | 0.0
        0.75 | -0.125 | 0.0625
        """)
    try await store.expect(
      Item.where { $0.id == 5 }.select { ($0.weight.rounded(), $0.weight.rounded(toPlaces: 2)) },
      sql: """
        SELECT round("item"."weight", 0), round("item"."weight", 2)
        FROM "item"
        WHERE ("item"."id" = ?)
        -- 5
        """,
      rows: """
        0.0 | 0.13
        """)
    try await store.expect(
      Item.where { $0.size.magnitude == 7 && $0.weight.magnitude < 1 }.select { $0.size.magnitude },
      sql: """
        SELECT abs("item"."size")
        FROM "item"
        WHERE (abs("item"."size") = ?) AND (abs("item"."weight") < ?)
        -- 7, 1.0
        """,
      rows: """
        7
        """)
  }

  @Test func valuesInPlaceOfNull() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.select { ($0.id, $0.rank ?? -1, $0.rank ?? $0.size, $0.note ?? "none") },
      sql: """
        SELECT "item"."id", coalesce("item"."rank", ?), coalesce("item"."rank", "item"."size"),
        coalesce("item"."note", ?)
        FROM "item"
        -- -1, 'none'
        """,
      rows: """
        1 | 3 | 3 | none
        2 | -1 | -7 | red
        3 | 1 | 1 | 
        4 | 2 | 2 | red
        5 | -1 | 2 | Röd
        """)
    try await store.expect(
      Item.where { ($0.rank ?? 9) > 2 }.order { ($0.rank ?? 0, $0.id) }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        WHERE (coalesce("item"."rank", ?) > ?)
        ORDER BY coalesce("item"."rank", ?), "item"."id"
        -- 9, 2, 0
        """,
      rows: """
        2
        5
        1
        """)
  }

  /// SQLite converts an integer result that exceeds 64 bits to a real. Reading it is an error: no rounded number is
  /// returned.
  @Test func overflow() async throws {
    let store = try await Store.items()
    await #expect(
      throws: StoreError.unreadableValue(
        table: nil, column: #""item"."size" + ?"#, reason: "expected a value of type Int, found real")
    ) {
      try await store.fetch(Item.where { $0.id == 1 }.select { $0.size + Int.max })
    }
  }
}
