import Foundation
import Testing

@testable import Sanderling

/// Formats of Core Data and Realm find the rows that a closure finds in Swift.
@Suite struct PredicateFormatTests {
  struct Example: @unchecked Sendable {
    let format: String
    var arguments: [Any?] = []
    var variables: [String: Any?] = [:]
    /// The chores that the format finds.
    let finds: (Chore) -> Bool
  }

  static let house = House(id: 2, parentID: nil, name: "", rooms: 0)

  static let examples: [Example] = [
    // Comparisons, and nil.
    Example(format: "size == 2") { $0.size == 2 },
    Example(format: "size = 2 OR size <> 3 && size => 1") { $0.size == 2 || $0.size != 3 && $0.size >= 1 },
    Example(format: "size != %@", arguments: [2]) { $0.size != 2 },
    Example(format: "rank != 1") { $0.rank != 1 },
    Example(format: "NOT rank > 1") { !($0.rank.map { $0 > 1 } ?? false) },
    Example(format: "rank == nil || rank =< %d", arguments: [0]) { $0.rank.map { $0 <= 0 } ?? true },
    Example(format: "rank == %@", arguments: [nil]) { $0.rank == nil },
    Example(format: "rank != NULL AND NOT (rank == NIL)") { $0.rank != nil },
    Example(format: "%@ == nil OR size == %@", arguments: [nil, 1]) { _ in true },
    Example(format: "%@ == nil OR size == %@", arguments: [1, 1]) { $0.size == 1 },
    Example(format: "isDone == YES") { $0.isDone },
    Example(format: "isDone == 0 AND isFun != TRUE") { !$0.isDone && $0.isFun != true },
    Example(format: "due < %@", arguments: [Date(at: 2)]) { $0.due.map { $0 < Date(at: 2) } ?? false },
    Example(format: "made BETWEEN %@", arguments: [[Date(at: 1), Date(at: 2)]]) {
      (Date(at: 1)...Date(at: 2)).contains($0.made)
    },
    Example(format: "size BETWEEN {-1, %d}", arguments: [2]) { (-1...2).contains($0.size) },
    Example(format: "weight > %f", arguments: [0.25]) { $0.weight > 0.25 },
    Example(format: "weight > 1 AND weight < 9.2e-5 OR size < 2.5") {
      $0.weight > 1 && $0.weight < 9.2e-5 || Double($0.size) < 2.5
    },
    Example(format: "size == 0x2 OR size == 0b11 OR size == 0o4") { [2, 3, 4].contains($0.size) },
    Example(format: "weight == %@", arguments: [Double.nan]) { _ in false },
    Example(format: "level == %@ OR level == 0", arguments: [Level.high]) { $0.level == .high || $0.level == .low },
    Example(format: "kind == 'inside'") { $0.kind == .inside },
    Example(format: "code == %@", arguments: [UUID(1)]) { $0.code == UUID(1) },
    Example(format: "price == 2") { $0.price == 2 },
    Example(format: "houseID IN {1, 2}") { [1, 2].contains($0.houseID) },
    Example(format: "NOT (houseID IN %@)", arguments: [[1, 2]]) { ![1, 2].contains($0.houseID) },
    Example(format: "size IN {}") { _ in false },
    // Texts.
    Example(format: "title == 'ab'") { $0.title == "ab" },
    Example(format: "title == \"it\\'s\" OR title = 'x*y?'") { $0.title == "x*y?" },
    Example(format: "title ==[c] 'AB'") { ["ab", "Ab"].contains($0.title) },
    Example(format: "title !=[c] 'AB'") { !["ab", "Ab"].contains($0.title) },
    Example(format: "title ==[cd] 'Éa'") { $0.title == "ÉA" },
    Example(format: "title ==[cd] 'E' OR title BEGINSWITH[cd] 'EA'") { ["é", "ÉA"].contains($0.title) },
    Example(format: "title CONTAINS 'b'") { $0.title.contains("b") },
    Example(format: "title contains[c] 'B'") { $0.title.lowercased().contains("b") },
    Example(format: "title CONTAINS[cd] %@", arguments: ["e"]) { ["é", "ÉA"].contains($0.title) },
    Example(format: "title BEGINSWITH 'a'") { $0.title.hasPrefix("a") },
    Example(format: "title BEGINSWITH[c] 'AB'") { $0.title.lowercased().hasPrefix("ab") },
    Example(format: "title ENDSWITH 'b'") { $0.title.hasSuffix("b") },
    Example(format: "title ENDSWITH[c] 'B'") { $0.title.lowercased().hasSuffix("b") },
    Example(format: "title ENDSWITH[cd] 'a' AND title ENDSWITH ''") { ["a", "ÉA"].contains($0.title) },
    Example(format: "NOT note ENDSWITH 'b'") { !($0.note?.hasSuffix("b") ?? false) },
    Example(format: "title LIKE 'a*'") { $0.title.hasPrefix("a") },
    Example(format: "title LIKE '*b'") { $0.title.hasSuffix("b") },
    Example(format: "title LIKE '?b'") { $0.title.count == 2 && $0.title.hasSuffix("b") },
    Example(format: "title LIKE[c] 'A?' OR title LIKE '[a]'") {
      $0.title.count == 2 && $0.title.lowercased().first == "a" || $0.title == "[a]"
    },
    Example(format: "title LIKE 'x\\\\*y\\\\?'") { $0.title == "x*y?" },
    Example(format: "title LIKE[cd] 'e?'") { $0.title == "ÉA" },
    Example(format: "note CONTAINS title") {
      $0.note?.contains($0.title) ?? false || $0.note != nil && $0.title.isEmpty
    },
    Example(format: "'a b' CONTAINS title") { "a b".contains($0.title) || $0.title.isEmpty },
    Example(format: "title.length > 1") { $0.title.count > 1 },
    Example(format: "note == title OR note ==[n] 'a'") { $0.note == $0.title || $0.note == "a" },
    Example(format: "%K == %@ AND #size > 0", arguments: ["title", "a"]) { $0.title == "a" && $0.size > 0 },
    // Arithmetic, and precedence.
    Example(format: "size + 1 * 2 > -size") { $0.size + 2 > -$0.size },
    Example(format: "(size + 1) * 2 >= rank - 1") { chore in chore.rank.map { (chore.size + 1) * 2 >= $0 - 1 } ?? false
    },
    Example(format: "((size > 1) AND (NOT (size > 3)))") { $0.size > 1 && $0.size <= 3 },
    Example(format: "TRUEPREDICATE") { _ in true },
    Example(format: "FALSEPREDICATE OR size > 1") { $0.size > 1 },
    // To-one chains.
    Example(format: "house.name == 'a'") { $0.house?.name == "a" },
    Example(format: "house.parent.name != 'a'") { $0.house?.parent?.name != "a" },
    Example(format: "house == nil") { $0.house == nil },
    Example(format: "house == %@", arguments: [house]) { $0.houseID == 2 },
    Example(format: "house != %@", arguments: [house]) { $0.houseID != 2 },
    Example(format: "house IN %@", arguments: [[house]]) { $0.houseID == 2 },
    Example(format: "SELF.size > 1 AND %K > 0", arguments: ["house.rooms"]) {
      $0.size > 1 && ($0.house?.rooms ?? 0) > 0
    },
    // To-many associations.
    Example(format: "ANY steps.text == 'a'") { $0.steps.contains { $0.text == "a" } },
    Example(format: "SOME steps.minutes > 2") { $0.steps.contains { ($0.minutes ?? 0) > 2 } },
    Example(format: "ALL steps.isDone == YES") { $0.steps.allSatisfy(\.isDone) },
    Example(format: "ALL steps.minutes > 1") { $0.steps.allSatisfy { ($0.minutes ?? 0) > 1 } },
    Example(format: "NONE steps.text CONTAINS 'b'") { !$0.steps.contains { $0.text.contains("b") } },
    Example(format: "'a' IN steps.text") { $0.steps.contains { $0.text == "a" } },
    Example(format: "ANY steps.text IN {'a', 'b'}") { $0.steps.contains { ["a", "b"].contains($0.text) } },
    Example(format: "ANY house.chores.size > 3") { $0.house?.chores.contains { $0.size > 3 } ?? false },
    Example(format: "ANY house.chores.steps.isDone == NO") {
      $0.house?.chores.contains { $0.steps.contains { !$0.isDone } } ?? false
    },
    Example(format: "ALL house.chores.steps.isDone == NO") {
      $0.house?.chores.allSatisfy { $0.steps.allSatisfy { !$0.isDone } } ?? true
    },
    Example(format: "ANY house.chores.steps.@count > 2") { $0.house?.chores.contains { $0.steps.count > 2 } ?? false },
    Example(format: "steps.@count == 0") { $0.steps.isEmpty },
    Example(format: "steps.@count >= 1 AND steps[SIZE] < 3") { (1..<3).contains($0.steps.count) },
    Example(format: "steps.@sum.minutes > 3") { $0.steps.compactMap(\.minutes).reduce(0, +) > 3 },
    Example(format: "steps.@min.minutes < 1") { ($0.steps.compactMap(\.minutes).min() ?? 9) < 1 },
    Example(format: "steps.@max.minutes >= 3") { ($0.steps.compactMap(\.minutes).max() ?? 0) >= 3 },
    Example(format: "steps.@avg.minutes > 2") { chore in
      let minutes = chore.steps.compactMap(\.minutes)
      return minutes.isEmpty ? false : Double(minutes.reduce(0, +)) / Double(minutes.count) > 2
    },
    Example(format: "SUBQUERY(steps, $step, $step.isDone == YES AND $step.minutes > 1).@count > 0") {
      $0.steps.contains { $0.isDone && ($0.minutes ?? 0) > 1 }
    },
    Example(format: "SUBQUERY(steps, $s, $s.isDone == NO).@count == 0") { $0.steps.allSatisfy(\.isDone) },
    Example(format: "SUBQUERY(steps, $s, $s.minutes > size).@count >= 2") { chore in
      chore.steps.count { $0.minutes.map { $0 > chore.size } ?? false } >= 2
    },
    Example(format: "SUBQUERY(steps, $s, $s.isDone == YES).@max.minutes > 2") {
      ($0.steps.filter(\.isDone).compactMap(\.minutes).max() ?? 0) > 2
    },
    Example(format: "SUBQUERY(house.chores, $c, SUBQUERY($c.steps, $s, $s.text == $c.title).@count > 0).@count != 0") {
      $0.house?.chores.contains { chore in chore.steps.contains { $0.text == chore.title } } ?? false
    },
    Example(format: "size > $limit", variables: ["limit": 1]) { $0.size > 1 },
  ]

  @Test func examplesFindTheRows() async throws {
    let seed = SeededGenerator.defaultSeed
    var found: Set<String> = []
    for number in 0..<UInt64(12) {
      var generator = SeededGenerator(seed: seed &+ number)
      let world = HouseWorld(using: &generator)
      let store = try await world.store()
      for example in Self.examples {
        let condition = try Condition<Chore>(
          format: example.format, arguments: example.arguments, variables: example.variables)
        let expected = HouseWorld.$current.withValue(world) { world.chores.filter(example.finds) }
        let query = Chore.where(condition).order { $0.id }
        let (rows, sql) = (try await store.fetch(query), try query.sql)
        #expect(
          rows.map(\.id) == expected.map(\.id),
          "\(example.format), SANDERLING_SEED=\(seed), world \(number)\n\(sql)")
        // The negation finds the other rows.
        let others = try Condition<Chore>(
          format: "NOT (\(example.format))", arguments: example.arguments, variables: example.variables)
        #expect(
          try await store.count(Chore.where(others)) == world.chores.count - expected.count,
          "NOT (\(example.format)), SANDERLING_SEED=\(seed), world \(number)")
        if !rows.isEmpty { found.insert(example.format) }
      }
    }
    #expect(found.count >= Self.examples.count - 6)
  }

  @Test func sqlIsThatOfTypedQueries() throws {
    func expectSame(
      _ format: String, _ arguments: Any?..., by typed: Selection<Chore, Chore>,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let query = Chore.where(try Condition<Chore>(format: format, arguments: arguments))
      #expect(try query.sql.description == typed.sql.description, sourceLocation: sourceLocation)
    }
    try expectSame("title CONTAINS[cd] %@", "É", by: Chore.where { $0.title.folded.contains("É") })
    try expectSame("title BEGINSWITH[cd] %@", "É", by: Chore.where { $0.title.folded.hasPrefix("É") })
    try expectSame("title ==[cd] %@", "É", by: Chore.where { $0.title.folded == "É" })
    try expectSame("login BEGINSWITH[c] 'aB'", by: Chore.where { $0.login.collated(.nocase).hasPrefix("aB") })
    try expectSame("house.name == 'x'", by: Chore.where { $0.house.name == "x" })
    try expectSame("steps.@count > 0", by: Chore.where { $0.steps.exists })
    try expectSame("steps.@count == 0", by: Chore.where { $0.steps.isEmpty })
    try expectSame("steps.@count > 1", by: Chore.where { $0.steps.count > 1 })
    try expectSame("steps.@sum.minutes > 1", by: Chore.where { $0.steps.sum(\.minutes) > 1 })
    try expectSame("ANY steps.isDone == YES", by: Chore.where { $0.steps.contains { $0.isDone == true } })
    try expectSame(
      "due < %@ AND isDone == NO", Date(at: 1), by: Chore.where { $0.due < Date(at: 1) && $0.isDone == false })
    try expectSame("TRUEPREDICATE", by: Chore.query)
  }

  /// Arguments and texts in quotes become parameters, whatever they contain.
  @Test func argumentsAreBound() throws {
    let hostile = "x' OR 1=1 --"
    let sql = try Chore.where(
      format: "title == %@ OR note LIKE %@ OR note ENDSWITH \"\(hostile)\"", arguments: [hostile, "*'*"]
    ).sql
    #expect(!sql.sql.contains("1=1"))
    #expect(sql.arguments == [.text(hostile), .text("*'*"), .text(hostile)])
  }

  @Test func queriesGoOn() throws {
    let query = try Chore.where { $0.size > 1 }.where(format: "isDone == YES", arguments: []).order { $0.id }.limit(3)
    #expect(try query.sql == Chore.where { $0.size > 1 && $0.isDone == true }.order { $0.id }.limit(3).sql)
  }
}
