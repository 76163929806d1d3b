import Foundation
import Testing

@testable import Sanderling

/// Conditions and expressions of any length work or are errors. None overflows the stack of a thread.
@Suite struct LongConditionTests {
  /// A way to write a query with a given number of parts.
  struct Chain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let query: @Sendable (Int) -> Selection<Item, Item>

    init(_ name: String, _ query: @escaping @Sendable (Int) -> Selection<Item, Item>) {
      testDescription = name
      self.query = query
    }

    /// Makes a chain in which each number adds a part to a condition.
    static func growing(
      _ name: String, _ step: @escaping @Sendable (Field<Bool>, Item.Fields, Int) -> Field<Bool>
    ) -> Chain {
      Chain(name) { count in
        Item.where { item in (0..<count).reduce(item.size != -1) { step($0, item, $1) } }
      }
    }

    /// Makes a chain in which each number adds a part to a numeric expression.
    static func growing(
      number name: String, _ step: @escaping @Sendable (Field<Int>, Item.Fields, Int) -> Field<Int>
    ) -> Chain {
      Chain(name) { count in
        Item.where { item in (0..<count).reduce(item.size) { step($0, item, $1) } > 3 }
      }
    }

    /// Makes a chain in which each number adds a part to a text expression.
    static func growing(
      text name: String, _ step: @escaping @Sendable (Field<String>, Item.Fields, Int) -> Field<String>
    ) -> Chain {
      Chain(name) { count in
        Item.where { item in (0..<count).reduce(item.name) { step($0, item, $1) } > "b" }
      }
    }
  }

  /// Chains that work with any number of parts up to the limit.
  static let flat = [
    Chain.growing("all && part") { $0 && $1.size != $2 },
    Chain.growing("part && all") { $1.size != $2 && $0 },
    Chain.growing("all || part") { $0 || $1.size == $2 },
    Chain.growing("part || all") { $1.size == $2 || $0 },
    Chain("Field.all") { count in Item.where { item in .all((0..<count).map { item.size != $0 }) } },
    Chain("Field.any") { count in Item.where { item in .any((0..<count).map { item.size == $0 }) } },
    Chain("Condition.all") { count in
      Item.where(.all((0..<count).map { number in Condition { $0.size != number } }))
    },
    Chain("Condition.any") { count in
      Item.where(.any((0..<count).map { number in Condition { $0.size == number } }))
    },
    Chain("Condition &&") { count in
      Item.where(
        (0..<count).reduce(Condition { $0.size != -1 }) { all, number in all.and(Condition { $0.size != number }) })
    },
    Chain("filter") { count in
      (0..<count).reduce(Item.query) { query, number in query.filter { $0.size != number } }
    },
  ]

  /// Chains in which each part contains the previous parts.
  static let nested = [
    Chain.growing("|| and &&") { $2.isMultiple(of: 2) ? $0 || $1.size == $2 : $0 && $1.size != $2 },
    Chain.growing("!") { condition, _, _ in !condition },
    Chain.growing("! and &&") { !($0 && $1.size != $2) },
    Chain.growing("==") { $0 == ($1.size != $2) },
    Chain("Condition !") { count in
      Item.where((0..<count).reduce(Condition { $0.size != -1 }) { condition, _ in condition.negated })
    },
    Chain("Condition ! and ||") { count in
      Item.where(
        (0..<count).reduce(Condition { $0.size != -1 }) { condition, number in
          condition.negated.or(Condition { $0.size == number })
        })
    },
    Chain.growing(number: "+") { $0 + $1.id + $2 },
    Chain.growing(number: "1 - (…)") { $2 - $0 },
    Chain.growing(number: "-") { number, _, _ in -number },
    Chain.growing(number: "magnitude") { number, _, _ in number.magnitude },
    Chain.growing(number: "??") { number, item, _ in item.rank ?? number },
    Chain.growing(number: "raw") { number, _, _ in .raw("\(number) + 1") },
    Chain.growing(text: "appending") { text, item, _ in text.appending(item.name) },
    Chain.growing(text: "appending a value") { text, _, number in text.appending("\(number)") },
    Chain.growing(text: "lowercased") { text, _, _ in text.lowercased() },
    Chain.growing(text: "collated") { text, _, number in text.collated(number.isMultiple(of: 2) ? .nocase : .binary) },
    Chain("in (query)") { count in
      (0..<count).reduce(Item.query) { query, _ in
        let keys = query.select { $0.id }
        return Item.where { $0.id.in(keys) }
      }
    },
  ]

  private static let item = Item(id: 1, name: "anchor", size: 7, weight: 2.5, note: nil, rank: 3, grade: .high)

  /// Runs all code that walks through a query's terms, and returns the SQL.
  private static func use(_ chain: Chain, _ count: Int) throws -> String {
    let query = chain.query(count)
    let other = chain.query(count)
    #expect(query == other)
    #expect(query.hashValue == other.hashValue)
    #expect(query.statement.condition?.mapScopes { $0 } == query.statement.condition)
    _ = query.statement.requeryReason
    _ = query.statement.condition?.routeBranches
    if let condition = query.statement.condition {
      _ = try? RoutePlan(root: RecordType(Item.self), condition: condition, orderings: [], outputs: [condition])
    }
    _ = try? RowStatements(query.statement)
    _ = try? query.matches(item)
    _ = try? query.order { _ in Ordering(term: query.statement.condition ?? .literal(.null)) }.limit(1).sql
    return try query.sql.sql
  }

  @Test(arguments: flat, [1, 65, 300])
  func longConditionsWork(_ chain: Chain, _ count: Int) async throws {
    _ = try await withSmallStack { try Self.use(chain, count) }
    try await expectRows(of: chain.query(count))
  }

  /// More conditions in a row than SQLite accepts directly.
  @Test(arguments: [flat[0], flat[2], flat[5], flat[6]])
  func thousandsOfConditionsWork(_ chain: Chain) async throws {
    let query = try await withSmallStack {
      let query = chain.query(3_000)
      _ = try query.sql
      return query
    }
    try await expectRows(of: query)
  }

  /// Expects that the query returns the items that Swift selects.
  private func expectRows(of query: Selection<Item, Item>) async throws {
    let store = try await Store.items()
    let expected = try await store.fetch(Item.query).filter(query.matches).map(\.id)
    #expect(try await store.fetch(query.order { $0.id }).map(\.id) == expected)
    #expect(!expected.isEmpty)
  }

  @Test(arguments: nested, [1, 20])
  func nestedExpressionsWork(_ chain: Chain, _ count: Int) async throws {
    let count = chain.testDescription == "in (query)" ? min(count, 5) : count
    _ = try await withSmallStack { try Self.use(chain, count) }
    _ = try await Store.items().fetch(chain.query(count))
  }

  /// A query that the SQL compiler accepts may still be too deep for the stack of SQLite's parser.
  @Test func queryTooDeepForSQLiteIsAnInvalidQuery() async throws {
    let query = Item.where { item in (0..<60).reduce(item.size) { size, _ in size.magnitude } > 0 }
    let store = try await Store.items()
    // Newer versions of SQLite accept this depth.
    if (try? await store.plan(query.sql)) != nil {
      #expect(try await store.fetch(query).map(\.id).sorted() == [1, 2, 4, 5])
      return
    }
    let error = await #expect(throws: StoreError.self) { try await store.fetch(query) }
    guard case .invalidQuery(let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains("nested too deeply for SQLite"))
  }

  /// Combining the same conditions in the same order is the same query, however a program nests them.
  @Test func equalSequencesAreEqual() {
    let parts = (0..<9).map { number in Condition<Item> { $0.size != number } }
    let all = Condition.all(parts)
    let left = parts.dropFirst().reduce(parts[0]) { $0.and($1) }
    let right = parts.dropLast().reversed().reduce(parts[8]) { $1.and($0) }
    let halves = Condition.all(parts[..<5]).and(.all(parts[5...]))
    #expect(all == left && all == right && all == halves)
    #expect(Set([all, left, right, halves]).count == 1)
    #expect(all != .all(parts.reversed()) && all != .any(parts))
    #expect(Condition.any(parts) == parts.dropFirst().reduce(parts[0]) { $0.or($1) })
  }

  /// Some of these expressions have the greatest allowed depth, and others are errors.
  @Test(arguments: nested, [32, 48, 97])
  func theDeepestExpressionsHaveRoomOnTheStack(_ chain: Chain, _ count: Int) async throws {
    do {
      _ = try await withSmallStack { try Self.use(chain, count) }
    } catch StoreError.invalidQuery(let reason) {
      #expect(reason.contains("the limit is"))
    }
  }

  /// `??` is left out: one call has up to 127 values, so that it nests less deeply than the other chains.
  @Test(arguments: nested.filter { $0.testDescription != "??" })
  func tooDeepExpressionsAreAnError(_ chain: Chain) async throws {
    try await expectError(chain, 300)
  }

  @Test(arguments: [flat[0], flat[2], flat[5], flat[6], flat[9], nested[0], nested[1], nested[6]])
  func aHundredThousandPartsAreAnError(_ chain: Chain) async throws {
    try await expectError(chain, 100_000)
  }

  private func expectError(_ chain: Chain, _ count: Int) async throws {
    do {
      _ = try await withSmallStack { try chain.query(count).sql }
      Issue.record("no error")
    } catch StoreError.invalidQuery(let reason) {
      #expect(reason.contains("the limit is"))
    }
  }
}
