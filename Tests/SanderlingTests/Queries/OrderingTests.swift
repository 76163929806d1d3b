import Foundation
import Sanderling
import Testing

@Suite struct OrderingTests {
  @Test func singleKey() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.order { $0.size }.select { $0.size },
      sql: """
        SELECT "item"."size"
        FROM "item"
        ORDER BY "item"."size", "item"."id"
        """,
      rows: """
        -7
        0
        2
        7
        9
        """)
    try await store.expect(
      Item.order { $0.weight.descending }.select { $0.weight },
      sql: """
        SELECT "item"."weight"
        FROM "item"
        ORDER BY "item"."weight" DESC, "item"."id" DESC
        """,
      rows: """
        1e+300
        2.5
        0.125
        0.0
        -0.5
        """)
  }

  @Test func mixedKeys() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.order { ($0.name, $0.size.descending) }.select { ($0.name, $0.size) },
      sql: """
        SELECT "item"."name", "item"."size"
        FROM "item"
        ORDER BY "item"."name", "item"."size" DESC, "item"."id" DESC
        """,
      rows: """
        ANCHOR | 9
        anchor | 7
        Buoy | -7
        cleat | 0
        dinghy | 2
        """)
    try await store.expect(
      Item.order { ($0.grade.descending, $0.name.collated(.binary), $0.id) }.select { ($0.grade, $0.name) },
      sql: """
        SELECT "item"."grade", "item"."name"
        FROM "item"
        ORDER BY "item"."grade" DESC, "item"."name" COLLATE BINARY, "item"."id"
        """,
      rows: """
        high | anchor
        high | dinghy
        middle | cleat
        low | ANCHOR
        low | Buoy
        """)
  }

  @Test func nulls() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.order { ($0.rank, $0.id) }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        ORDER BY "item"."rank", "item"."id"
        """,
      rows: """
        nil
        nil
        1
        2
        3
        """)
    try await store.expect(
      Item.order { ($0.rank.descending, $0.id) }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        ORDER BY "item"."rank" DESC, "item"."id"
        """,
      rows: """
        3
        2
        1
        nil
        nil
        """)
    try await store.expect(
      Item.order { ($0.rank.ascending.nullsLast, $0.id) }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        ORDER BY "item"."rank" NULLS LAST, "item"."id"
        """,
      rows: """
        1
        2
        3
        nil
        nil
        """)
    try await store.expect(
      Item.order { ($0.rank.descending.nullsFirst, $0.id) }.select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        ORDER BY "item"."rank" DESC NULLS FIRST, "item"."id"
        """,
      rows: """
        nil
        nil
        3
        2
        1
        """)
    try await store.expect(
      Item.order { ($0.rank.ascending.nullsFirst, $0.rank.descending.nullsLast) }.limit(3).select { $0.rank },
      sql: """
        SELECT "item"."rank"
        FROM "item"
        ORDER BY "item"."rank", "item"."id"
        LIMIT 3
        """,
      rows: """
        nil
        nil
        1
        """)
  }

  @Test func reversed() async throws {
    let store = try await Store.items()
    let query = Item.order { ($0.rank.ascending.nullsLast, $0.grade.descending, $0.id) }
    try await store.expect(
      query.reversed().select { ($0.rank, $0.id) },
      sql: """
        SELECT "item"."rank", "item"."id"
        FROM "item"
        ORDER BY "item"."rank" DESC NULLS FIRST, "item"."grade", "item"."id" DESC
        """,
      rows: """
        nil | 2
        nil | 5
        3 | 1
        2 | 4
        1 | 3
        """)
    #expect(query.reversed().reversed() == query)
    #expect(try await store.fetch(query.reversed()).map(\.id) == store.fetch(query).map(\.id).reversed())
    #expect(Item.query.reversed() == Item.query)
  }

  @Test func expressions() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.order { ($0.size % 2, -$0.id) }.select { ($0.size, $0.id) },
      sql: """
        SELECT "item"."size", "item"."id"
        FROM "item"
        ORDER BY "item"."size" % ?, - "item"."id", "item"."id"
        -- 2
        """,
      rows: """
        -7 | 2
        2 | 5
        0 | 3
        9 | 4
        7 | 1
        """)
    try await store.expect(
      Item.order { ($0.note == nil, $0.note) }.select { $0.note },
      sql: """
        SELECT "item"."note"
        FROM "item"
        ORDER BY "item"."note" IS NULL, "item"."note", "item"."id"
        """,
      rows: """

        Röd
        red
        red
        nil
        """)
  }

  /// Texts are sorted by their bytes, unlike in Swift.
  @Test func texts() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.order { $0.title }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        ORDER BY "todoTask"."title", "todoTask"."id"
        """,
      rows: """
        Wash
        bake
        dig
        mow
        pay 50% rent
        sow
        weed
        """)
  }

  @Test func chosenAtRunTime() async throws {
    let store = try await Store.items()
    let fields = Item.fields
    let keys: [String: Ordering] = ["size": fields.size.ascending, "name": fields.name.descending]
    try await store.expect(
      Item.query.order(["name", "size"].compactMap { keys[$0] }).select { ($0.name, $0.size) },
      sql: """
        SELECT "item"."name", "item"."size"
        FROM "item"
        ORDER BY "item"."name" DESC, "item"."size", "item"."id"
        """,
      rows: """
        dinghy | 2
        cleat | 0
        Buoy | -7
        anchor | 7
        ANCHOR | 9
        """)
    try await store.expect(
      Item.order { $0.size }.order([]).limit(1).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        LIMIT 1
        """,
      rows: """
        1
        """)
  }

  @Test func theLastOrderingCounts() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.order { $0.size }.order { $0.id.descending }.select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        ORDER BY "item"."id" DESC
        """,
      rows: """
        5
        4
        3
        2
        1
        """)
  }
}
