import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Handwritten SELECT statements whose columns are found by name.
@Suite struct NamedRawQueryTests {
  @Record struct List {
    var id: Int64
    @Stored("list_name") var name: String
    @Stored(as: .dateText) var dueAt: Date?
    static let items = hasMany(Item.self, by: \.listID)
  }

  @Record struct Item {
    var id: Int64?
    @References(List.self) var listID: Int64
    var `default`: Bool
  }

  @Projection(of: List.self) struct Summary: Equatable {
    var name: String
    var items: Int
    var dueAt: Date?
    static let items = aggregate { $0.items.count }
  }

  private func store() throws -> Store {
    try Store(inMemory: [List.self, Item.self]) { tx in
      for id in 1...3 as ClosedRange<Int64> {
        try tx.insert(
          List(id: id, name: "List \(id)", dueAt: id == 2 ? nil : Date(timeIntervalSinceReferenceDate: Double(id))))
        for _ in 0..<id { try tx.insert(Item(id: nil, listID: id, default: id == 1)) }
      }
    }
  }

  @Test func theOrderOfColumnsIsOfNoMatter() async throws {
    let store = try store()
    let lists = try await store.fetch(RawQuery("SELECT dueAt, LIST_NAME, id FROM list ORDER BY id DESC", as: List.self))
    #expect(lists.map(\.id) == [3, 2, 1])
    #expect(lists.map(\.name) == ["List 3", "List 2", "List 1"])
    let (name, limit) = ("List 1", 5)
    let all = try await store.fetch(
      RawQuery(
        "WITH x AS (SELECT * FROM list WHERE list_name > \(name)) SELECT * FROM x ORDER BY list_name DESC LIMIT \(limit)",
        as: List.self))
    #expect(all.map(\.id) == [3, 2])
    #expect(
      try await store.fetch(RawQuery("SELECT * FROM item ORDER BY id", as: Item.self)).map(\.default).prefix(2) == [
        true, false,
      ])
    #expect(try await store.fetch(RawQuery("SELECT * FROM item WHERE 0", as: Item.self)).isEmpty)
  }

  /// Rows keep the order of the handwritten SELECT, whatever SQLite does with the SELECT around it.
  @Test(arguments: [
    "SELECT * FROM list ORDER BY -id", "SELECT DISTINCT * FROM list ORDER BY id DESC LIMIT 10",
    "SELECT id, list_name, dueAt FROM list UNION ALL SELECT id + 10, list_name, dueAt FROM list ORDER BY 1 DESC",
    "SELECT list.* FROM list JOIN item ON item.listID = list.id GROUP BY list.id ORDER BY COUNT(*) DESC",
  ])
  func rowsKeepTheirOrder(sql: String) async throws {
    let store = try store()
    let rows = try await store.fetch(RawQuery("\(raw: sql)", as: List.self))
    let expected = try await store.writer.read {
      try Int64.fetchAll($0, sql: "SELECT id FROM (\(sql)) ORDER BY 1 DESC")
    }
    #expect(rows.map(\.id) == expected && rows.count >= 3)
  }

  @Test func projections() async throws {
    let store = try store()
    let rows = try await store.fetch(
      RawQuery(
        "SELECT (SELECT COUNT(*) FROM item WHERE listID = l.id) AS items, list_name, dueAt FROM list AS l ORDER BY id",
        as: Summary.self))
    #expect(rows == (try await store.fetch(List.order { $0.id }.select(Summary.self))))
  }

  @Test(arguments: [
    ("SELECT list_name, dueAt FROM list", #"the column "items" that Summary reads is missing"#),
    ("SELECT 1 AS items", #"the columns "list_name", "dueAt" that Summary reads are missing"#),
    (
      "SELECT 1 AS items, l.*, 5 FROM list AS l",
      #"the columns "id", "5" have no property in Summary"#
    ),
    ("SELECT 1 AS items, 2 AS ITEMS, list_name, dueAt FROM list", #"the column "items" appears twice"#),
    (
      #"SELECT 1 AS "it""ems", list_name, dueAt FROM list"#,
      #"the column "items" that Summary reads is missing; the column "it""ems" has no property in Summary"#
    ),
  ])
  func columnsThatDontFit(sql: String, problem: String) async throws {
    let store = try store()
    await #expect(throws: StoreError.invalidQuery("\(problem): name the columns of the SELECT with AS")) {
      try await store.fetch(RawQuery("\(raw: sql)", as: Summary.self))
    }
  }

  @Test func aNullIsNamed() async throws {
    let store = try store()
    await #expect(
      throws: StoreError.unreadableValue(
        table: nil, column: "items", reason: "expected a value of type Int, found NULL")
    ) {
      try await store.fetch(RawQuery("SELECT NULL AS items, list_name, dueAt FROM list", as: Summary.self))
    }
    await #expect(
      throws: StoreError.unreadableValue(
        table: "list", column: "list_name", reason: "expected a value of type String, found NULL, in the row with id 1")
    ) {
      try await store.fetch(RawQuery("SELECT id, NULL AS list_name, dueAt FROM list", as: List.self))
    }
  }

  // MARK: Structs without a macro

  struct Count: Decodable, Equatable {
    var name: String
    var n: Int
    var last: Date?
    var id: UUID?
  }

  @Test func decodableStructs() async throws {
    let store = try store()
    let rows = try await store.fetch(
      RawQuery(
        """
        SELECT COUNT(*) AS n, list_name AS NAME, NULL AS id, MAX(CASE WHEN list.id > 1 THEN 5.5 END) AS last
        FROM list JOIN item ON listID = list.id GROUP BY list.id ORDER BY 1
        """, decoding: Count.self))
    let last = Date(timeIntervalSinceReferenceDate: 5.5)
    #expect(
      rows == [
        Count(name: "List 1", n: 1), Count(name: "List 2", n: 2, last: last), Count(name: "List 3", n: 3, last: last),
      ])
  }

  @Test(arguments: [
    ("SELECT 'a' AS name, 1 AS n, 2.5 AS last", #"the column "id" that Count reads is missing"#),
    ("SELECT 1 AS n, 2.5 AS last, NULL AS id", #"the column "name" that Count reads is missing"#),
    (
      "SELECT 'a' AS name, 1 AS n, 2.5 AS last, NULL AS id, 1 AS x, 2 AS y",
      #"the columns "x", "y" have no property in Count"#
    ),
    ("SELECT 'a' AS name, 1 AS n, 2.5 AS last, NULL AS id, 1 AS N", #"the column "n" appears twice"#),
    (
      "SELECT 1 AS x",
      #"the columns "name", "n", "last", "id" that Count reads are missing; the column "x" has no property in Count"#
    ),
  ])
  func columnsThatDontFitAStruct(sql: String, problem: String) async throws {
    let store = try store()
    await #expect(throws: StoreError.invalidQuery("\(problem): name the columns of the SELECT with AS")) {
      try await store.fetch(RawQuery("\(raw: sql)", decoding: Count.self))
    }
  }

  struct Choice: Decodable {
    var name: String
    var number: Int
    enum CodingKeys: CodingKey { case name, first, other }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      name = try container.decode(String.self, forKey: .name)
      number = try container.decode(Int.self, forKey: name == "a" ? .first : .other)
    }
  }

  @Test func aRowThatAsksForMore() async throws {
    let store = try store()
    let one = RawQuery("SELECT 'a' AS name, 1 AS first UNION ALL SELECT 'a', 2", decoding: Choice.self)
    #expect(try await store.fetch(one).map(\.number) == [1, 2])
    await #expect(
      throws: StoreError.invalidQuery(
        #"the column "other" that Choice reads is missing: name the columns of the SELECT with AS"#)
    ) {
      try await store.fetch(RawQuery("SELECT 'a' AS name, 1 AS first UNION ALL SELECT 'b', 2", decoding: Choice.self))
    }
  }

  enum Mood: String, ColumnValue, Decodable { case good }
  struct Day: Decodable { var n: Int; var mood: Mood; var id: Int }

  /// A value of the app's own type can't be replaced by a placeholder, so that the columns after it are unknown. The
  /// error names the columns up to it.
  @Test func theColumnsUpToOneOfATypeOfTheApps() async throws {
    let store = try store()
    await #expect(
      throws: StoreError.invalidQuery(
        #"the columns "n", "mood" that Day reads are missing: name the columns of the SELECT with AS"#)
    ) { try await store.fetch(RawQuery("SELECT 1 AS x", decoding: Day.self)) }
  }

  @Test func aNullIsNamedInAStruct() async throws {
    let store = try store()
    await #expect(
      throws: StoreError.unreadableValue(table: nil, column: "n", reason: "expected a value of type Int, found NULL")
    ) {
      try await store.fetch(RawQuery("SELECT 'a' AS name, NULL AS n, 2.5 AS last, NULL AS id", decoding: Count.self))
    }
  }

  struct Nested: Decodable { var name: Count }

  @Test func typesThatNoColumnHolds() async throws {
    let store = try store()
    await #expect(
      throws: StoreError.invalidQuery(
        #"the property "name" of Nested has the type Count, which a column can't store: conform Count to ColumnValue"#)
    ) { try await store.fetch(RawQuery("SELECT 1 AS name", decoding: Nested.self)) }
    await #expect(throws: StoreError.self) { try await store.fetch(RawQuery("SELECT 1 AS name", decoding: [Int].self)) }
  }

  @Test @MainActor func liveQueriesByName() async throws {
    let store = try store()
    let lists = store.liveList(RawQuery("SELECT dueAt, list_name, id FROM list ORDER BY id", as: List.self))
    let counts = store.liveList(
      RawQuery(
        "SELECT list_name AS name, COUNT(*) AS n, NULL AS last, NULL AS id FROM list JOIN item ON listID = list.id GROUP BY list.id",
        decoding: Count.self))
    _ = (lists.rows, counts.rows)
    await store.settled()
    #expect(lists.elements.map(\.id) == [1, 2, 3] && counts.elements.map(\.n) == [1, 2, 3])
    try await store.write("add") { tx in
      try tx.insert(Item(id: nil, listID: 1, default: false))
      try tx.update(List.where { $0.id == 2 }, .set(\.name, to: "Other"))
    }
    await store.settled()
    #expect(lists.elements.map(\.name) == ["List 1", "Other", "List 3"])
    #expect(counts.elements.map(\.n) == [2, 2, 3] && counts.elements.map(\.name) == ["List 1", "Other", "List 3"])
  }

  @Test(arguments: ["SELECT", "SELECT * FROM nothing", "DELETE FROM list", "SELECT 1 AS items; SELECT 2"])
  func badSQL(sql: String) async throws {
    let store = try store()
    await #expect(throws: (any Error).self) { try await store.fetch(RawQuery("\(raw: sql)", as: Summary.self)) }
    #expect(try await store.count(List.query) == 3)
  }

  /// Only the SELECT itself runs, and it has the plan that it has alone.
  @Test func thePlanIsThatOfTheSelect() async throws {
    let store = try store()
    let query = RawQuery("SELECT * FROM list WHERE id = \(2 as Int64)", as: List.self)
    let (lists, statements) = try await store.record { try await store.fetch(query) }
    #expect(lists.map(\.id) == [2] && statements.count == 1)
    let plan = try await store.writer.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + (try query.sql.sql), arguments: [2]).map {
        $0["detail"] as String
      }
    }
    #expect(plan == ["SEARCH list USING INTEGER PRIMARY KEY (rowid=?)"])
  }
}
