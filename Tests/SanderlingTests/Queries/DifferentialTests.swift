import Foundation
import Testing

@testable import Sanderling

/// Random queries return the same as straightforward evaluation in Swift over the same rows in arrays.
@Suite struct DifferentialTests {
  static let worldCount = 40
  static let queryCount = 40

  /// Runs `body` in many random worlds. Each has its own seed, with which it can be repeated.
  func inWorlds(
    _ body: (inout ExpressionGenerator, Store, Testing.Comment) async throws -> Void
  ) async throws {
    let seed = SeededGenerator.defaultSeed
    for number in 0..<UInt64(Self.worldCount) {
      var generator = SeededGenerator(seed: seed &+ number)
      let world = RandomWorld(using: &generator)
      var expressions = ExpressionGenerator(world: world, generator: generator)
      let store = try await world.store()
      for query in 0..<Self.queryCount {
        try await body(&expressions, store, "SANDERLING_SEED=\(seed), world \(number), query \(query)")
      }
    }
  }

  struct Key {
    let ordering: Ordering
    let precedes: (Node, Node) -> Bool?
  }

  /// Returns a random key for an ordering, with the same comparison in Swift.
  func key(_ expressions: inout ExpressionGenerator) -> Key {
    let number = expressions.nodeNumber(2)
    let field = number.field(Node.fields)
    let (isDescending, nulls) = (expressions.pick(2) == 0, expressions.pick(3))
    var ordering = isDescending ? field.descending : field.ascending
    if nulls == 1 { ordering = ordering.nullsFirst }
    if nulls == 2 { ordering = ordering.nullsLast }
    let nullsComeFirst = nulls == 0 ? !isDescending : nulls == 1
    return Key(ordering: ordering) { lhs, rhs in
      switch (number.value(lhs), number.value(rhs)) {
      case (let lhs, let rhs) where lhs == rhs: nil
      case (nil, _): nullsComeFirst
      case (_, nil): !nullsComeFirst
      case (let lhs?, let rhs?): isDescending ? lhs > rhs : lhs < rhs
      }
    }
  }

  @Test func rows() async throws {
    try await inWorlds { expressions, store, seed in
      let condition = expressions.nodeCondition(3)
      let (first, second) = (expressions.nodeNumber(3), expressions.nodeNumber(2))
      let keys = (0..<expressions.pick(3)).map { _ in key(&expressions) }
      var query = Node.where(condition.field).order(keys.map(\.ordering) + [Node.fields.id.ascending])
      var expected = expressions.world.nodes.filter { condition.value($0) == true }.sorted { lhs, rhs in
        keys.lazy.compactMap { $0.precedes(lhs, rhs) }.first ?? (lhs.id < rhs.id)
      }
      #expect(try await store.count(query) == expected.count, seed)
      #expect(try await store.exists(query) == !expected.isEmpty, seed)
      if expressions.pick(2) == 0 {
        let (limit, offset) = (expressions.pick(6), expressions.pick(4))
        query = query.limit(limit, offset: offset)
        expected = Array(expected.dropFirst(offset).prefix(limit))
      }
      let selected = query.select { ($0.id, first.field($0), second.field($0), $0.leaves.count) }
      let rows = try await store.fetch(selected).map { [$0, $1, $2, $3] }
      let values = expected.map { [$0.id, first.value($0), second.value($0), expressions.world.leaves($0).count] }
      #expect(rows == values, "\(seed.rawValue), \((try? selected.sql.description) ?? "")")
      #expect(try await store.fetch(query).map(\.id) == expected.map(\.id), seed)
    }
  }

  /// A page query that chooses keys first returns the same rows as the direct query.
  @Test func keysFirst() async throws {
    try await inWorlds { expressions, store, seed in
      let (condition, number) = (expressions.nodeCondition(2), expressions.nodeNumber(2))
      let keys = (0..<2).map { _ in key(&expressions).ordering } + [Node.fields.id.ascending]
      let query = Node.where(condition.field).order(keys).select { ($0.id, number.field($0), $0.children.count) }
      let all = try await store.fetch(query).map { [$0, $1, $2] }
      let (limit, offset) = (expressions.pick(8), expressions.pick(4))
      let page = query.limit(limit, offset: offset)
      #expect(try page.sql.sql.contains("CROSS JOIN \"node\" ON \"node\".\"id\" = \"chosen\".\"k0\""), seed)
      #expect(try await store.fetch(page).map { [$0, $1, $2] } == Array(all.dropFirst(offset).prefix(limit)), seed)
    }
  }

  @Test func groups() async throws {
    try await inWorlds { expressions, store, seed in
      let (condition, key, number) = (
        expressions.nodeCondition(2), expressions.nodeNumber(1), expressions.nodeNumber(1)
      )
      let least = expressions.pick(3)
      let query = Node.where(condition.field).group(by: key.field).having { $0.count() > least }.order(
        [key.field(Node.fields).ascending]
      ).select {
        (key.field($0), $0.count(), number.field($0).sum(), number.field($0).min(), number.field($0).average())
      }
      let rows = try await store.fetch(query).map { "\(line($0))" }
      let nodes = expressions.world.nodes.filter { condition.value($0) == true }
      let groups = Dictionary(grouping: nodes, by: key.value).filter { $0.value.count > least }
      let expected = groups.sorted { ($0.key ?? .min) < ($1.key ?? .min) }.map { key, nodes in
        let values = nodes.compactMap(number.value)
        let average = values.isEmpty ? nil : Double(values.reduce(0, +)) / Double(values.count)
        return line((key, nodes.count, values.reduce(0, +), values.min(), average))
      }
      #expect(rows == expected, seed)
      let distinct = Node.where(condition.field).select(key.field).distinct()
      #expect(try await Set(store.fetch(distinct)) == Set(nodes.map(key.value)), seed)
      #expect(try await store.count(distinct) == Set(nodes.map(key.value)).count, seed)
    }
  }
}
