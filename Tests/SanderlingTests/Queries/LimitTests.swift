import Foundation
import Testing

@testable import Sanderling

@Suite struct LimitTests {
  static let cases: [(Selection<Item, Item>, Int)] = [
    (Item.query, 5), (Item.where { $0.note == "red" }, 2), (Item.where { $0.id == 0 }, 0), (Item.query.limit(3), 3),
    (Item.query.limit(3, offset: 4), 1), (Item.query.limit(0), 0), (Item.order { $0.name }.limit(9, offset: 9), 0),
    (Item.query.distinct(), 5), (Item.group(by: { $0.note }), 4),
    (Item.group(by: { $0.note }).having { $0.count() > 1 }, 1),
  ]

  @Test func limitAndOffset() async throws {
    let store = try await Store.items()
    try await store.expect(
      Item.order { $0.id }.limit(2).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        ORDER BY "item"."id"
        LIMIT 2
        """,
      rows: """
        1
        2
        """)
    try await store.expect(
      Item.order { $0.id }.limit(2, offset: 3).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        ORDER BY "item"."id"
        LIMIT 2 OFFSET ?
        -- 3
        """,
      rows: """
        4
        5
        """)
    try await store.expect(
      Item.order { $0.id }.limit(2, offset: 5).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        ORDER BY "item"."id"
        LIMIT 2 OFFSET ?
        -- 5
        """,
      rows: "")
    try await store.expect(
      Item.order { $0.id }.limit(0).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        ORDER BY "item"."id"
        LIMIT 0
        """,
      rows: "")
    try await store.expect(
      Item.order { $0.id }.limit(1).limit(4, offset: 3).select { $0.id },
      sql: """
        SELECT "item"."id"
        FROM "item"
        ORDER BY "item"."id"
        LIMIT 4 OFFSET ?
        -- 3
        """,
      rows: """
        4
        5
        """)
  }

  @Test func theFirstRow() async throws {
    let store = try await Store.items()
    #expect(try await store.fetchFirst(Item.order { $0.size }.select { $0.size }) == -7)
    #expect(try await store.fetchFirst(Item.order { $0.size }.limit(4, offset: 2).select { $0.size }) == 2)
    #expect(try await store.fetchFirst(Item.order { $0.size }.limit(0).select { $0.size }) == nil)
    #expect(try await store.fetchFirst(Item.where { $0.size == 1 }) == nil)
  }

  @Test(arguments: cases)
  func countsAndExistence(_ query: Selection<Item, Item>, count: Int) async throws {
    let store = try await Store.items()
    #expect(try await store.fetch(query).count == count, "\(query.statement)")
    #expect(try await store.count(query) == count, "\(query.statement)")
    #expect(try await store.exists(query) == (count > 0), "\(query.statement)")
  }

  /// A count leaves out the order of the rows and the selected columns, which don't change the number.
  @Test func countsLeaveOutOrderAndColumns() throws {
    let query = Item.order { $0.name }.limit(2).select { $0.size }
    #expect(
      try query.statement.countStatement.sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        == #"SELECT COUNT(*) FROM (SELECT 1 FROM "item" LIMIT 2)"#)
  }

  @Test func countsOfDistinctValues() async throws {
    let store = try await Store.items()
    let notes = Item.select { $0.note }.distinct()
    #expect(try await store.count(notes) == 4)
    #expect(try await store.count(notes.limit(9, offset: 3)) == 1)
    #expect(try await store.exists(notes.limit(9, offset: 3)))
    #expect(try await store.exists(notes.limit(9, offset: 4)) == false)
  }

  /// A query for an aggregate of a whole table has one row, even if the table is empty.
  @Test func countsOfAggregates() async throws {
    let store = try await Store.items()
    let total = Item.where { $0.id == 0 }.select { $0.size.sum() }
    #expect(try await store.fetch(total) == [0])
    #expect(try await store.count(total) == 1)
    #expect(try await store.exists(total))
  }
}
