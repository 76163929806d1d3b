import Foundation
import Testing

@testable import Sanderling

/// A mistake in a format throws an error with its place.
@Suite struct PredicateFormatErrorTests {
  func expectError(
    _ format: String, _ arguments: [Any?] = [], at position: Int, _ reason: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      throws: PredicateFormatError(reason, in: format, at: position), sourceLocation: sourceLocation
    ) { try Condition<Chore>(format: format, arguments: arguments) }
  }

  @Test func theTextShowsThePlace() {
    let error = PredicateFormatError("wrong", in: "size > 1 AND\n  nam == 2", at: 15)
    #expect(error.description == "the predicate format is wrong at 15: wrong\n    nam == 2\n    ^")
    #expect(error.localizedDescription == error.description)
  }

  @Test func syntax() {
    expectError("", at: 0, "a value is missing here")
    expectError("size >", at: 6, "a value is missing here")
    expectError("size > 1 size", at: 9, "a comparison, AND, OR or the end is expected here")
    expectError("(size > 1", at: 9, ") is expected here")
    expectError("size > 1 AND", at: 12, "a value is missing here")
    expectError("size > 1 AND isDone", at: 13, "Chore.isDone is no condition: compare it with a value")
    expectError("title == 'x", at: 9, "the text has no closing quote")
    expectError("size == 1x", at: 8, "this is no number")
    expectError("size == %s", at: 8, "%s is no placeholder of a value: write %@")
    expectError("size == %", at: 8, "% must be followed by @, K or the letter of a number")
    expectError("size == # 1", at: 8, "a name must follow #")
    expectError("AND size", at: 0, "a value is expected here, not AND: write #AND for a property of this name")
    expectError("size == )", at: 8, "a value is expected here, not )")
    expectError(
      "title ==[x] 'a'", at: 9, "the options are [c] without case, [cd] without case and diacritics, or [n] for bytes")
    expectError(String(repeating: "(", count: 9_000), at: 51, "more than 50 parts are nested")
    expectError(String(repeating: "NOT ", count: 9_000), at: 204, "more than 50 parts are nested")
    expectError("now() > due", at: 0, "the function now isn't supported: calculate in Swift, and pass the result by %@")
    expectError(
      "title MATCHES 'a.*'", at: 6,
      "MATCHES can't be translated: SQLite has no regular expressions. Use LIKE, or filter the rows in Swift")
  }

  @Test func names() {
    expectError(
      "house.nam == 'x'", at: 6, "House has no property \"nam\": it has id, parentID, name, rooms, parent, chores")
    expectError("title.x == 'x'", at: 6, "Chore.title has no property \"x\"")
    expectError("%K == 1", ["size.x"], at: 0, "Chore.size has no property \"x\"")
    expectError("steps.@median.minutes > 1", at: 6, "@median isn't supported: use @count, @sum, @min, @max or @avg")
    expectError("steps.@sum.text > 1", at: 11, "@sum needs a number, and Step.text is a String")
    expectError("steps[FIRST].text == 'x'", at: 6, "associated rows have no order, only [SIZE]: use SUBQUERY or ANY")
    expectError("size > $limit", at: 7, "there is no variable $limit: pass its value in variables")
    expectError("SUBQUERY(size, $s, $s > 1).@count > 0", at: 9, "SUBQUERY needs a to-many association")
    expectError("SUBQUERY(steps, s, s > 1).@count > 0", at: 16, "SUBQUERY needs a variable, such as $task")
  }

  @Test func values() {
    expectError("size == %@", at: 8, "there are 0 arguments, and the format needs more")
    expectError("size == 1", [2], at: 9, "there are 1 arguments, and the format uses 0")
    expectError("size == %d", ["x"], at: 8, "the argument of %d is no number: pass one, or write %@")
    expectError("%K == 1", [1], at: 0, "the argument of %K is no text: pass the name of a property")
    expectError("due > 5", at: 4, "it compares Chore.due with a Int64: pass a Date")
    expectError("size == 'x'", at: 5, "it compares Chore.size with a String: pass a Int")
    expectError("kind == %@", [Level.low], at: 5, "it compares Chore.kind with a Level: pass a Kind")
    expectError("isDone == 2", at: 7, "it compares Chore.isDone with a Int64: pass a Bool")
    expectError(
      "price > 2", at: 6,
      "Chore.price is a Decimal, and its stored form doesn't sort by value: store a number or a text that does")
    expectError("size BETWEEN {1}", at: 5, "BETWEEN needs two bounds: {1, 2}, or an array of two")
    expectError("size IN 1", at: 5, "IN needs a list such as {1, 2}, an array, or a property of several rows")
    expectError(
      "house == 1", at: 6, "it compares a House with a Int64: pass a House, or compare the properties of its key")
    expectError(
      "note CONTAINS[cd] 'x'", at: 5,
      "Chore.note has no text without case and diacritics: declare the property with @Searchable")
    expectError(
      "note ==[c] 'É'", at: 5,
      "[c] ignores the case of ASCII letters only, and the text has others: declare the property with @Searchable, and write [cd]"
    )
    expectError("size CONTAINS 'x'", at: 5, "it compares Chore.size with a String: pass a Int")
    expectError("size ==[c] 1", at: 5, "[c] compares texts, and Chore.size is a Int")
    expectError("title ENDSWITH note", at: 6, "ENDSWITH needs a text of the program on its right")
  }

  @Test func quantifiers() {
    expectError("steps.text == 'x'", at: 0, "write ANY, ALL or NONE before a property of several rows")
    expectError("ANY size == 1", at: 9, "ANY needs a property of several rows, such as tasks.title, on its left")
    expectError("ANY steps.isDone", at: 16, "a comparison must follow ANY and its operand")
  }

  /// Any text is a condition that SQLite accepts, or a mistake with a place in the text.
  @Test func randomTexts() async throws {
    let store = try Store(inMemory: [House.self, Chore.self, Step.self])
    let words = [
      "size", "title", "note", "rank", "weight", "isDone", "due", "level", "house", "house.name", "steps", "steps.text",
      "steps.@count", "steps.@sum.minutes", "house.chores.steps", "SELF", "==", "!=", "<", ">=", "IN", "BETWEEN",
      "LIKE",
      "CONTAINS", "BEGINSWITH", "ENDSWITH", "[c]", "[cd]", "AND", "OR", "NOT", "!", "ANY", "ALL", "NONE", "(", ")", "{",
      "}", ",", "+", "-", "*", "/", "1", "2.5", "'a*'", "\"é\"", "YES", "nil", "%@", "%K", "$x", "#in",
      "SUBQUERY(steps, $s,", "$s.isDone", ").@count", "TRUEPREDICATE", ".", "@avg",
    ]
    var generator = SeededGenerator()
    var valid = 0
    for _ in 0..<20_000 {
      var parts: [String] = []
      // Comparisons make a valid text more likely.
      for _ in 0...generator.next(3) {
        let comparison = [
          generator.element(words.prefix(16).map { $0 }), generator.element(["==", "<", "CONTAINS", "!="]),
        ]
        parts += comparison + [generator.element(["1", "'a*'", "nil", "YES", "size", "2.5"])]
        if generator.chance(0.5) { parts[generator.next(parts.count)] = generator.element(words) }
        parts.append(generator.element(["AND", "OR"]))
      }
      if generator.chance(0.9) { parts.removeLast() }
      let format = parts.joined(separator: " ")
      do {
        let condition = try Condition<Chore>(
          format: format, arguments: [1, "size", "a"].prefix(generator.next(4)).map { $0 })
        _ = try await store.fetch(Chore.where(condition))
        valid += 1
      } catch let error as PredicateFormatError {
        #expect((0...format.count).contains(error.position), "\(error)")
      } catch {
        Issue.record("\(format): \(error), SANDERLING_SEED=\(generator.seed)")
      }
    }
    #expect(valid > 20)
  }

  /// A long text needs neither much of the stack nor much time.
  @Test func longTexts() throws {
    let count = 20_000
    expectError(
      String(repeating: "rank > 1 OR ", count: count) + "rank > 1", at: 0,
      "it combines \(count + 1) conditions by OR, and the limit is 10000: look for values with in(_:), or run several queries"
    )
    expectError(
      "ANY " + String(repeating: "house.chores.", count: count) + "size == 1", at: 147,
      "to-many associations nest 10 deep at most")
    expectError(
      "house." + String(repeating: "parent.", count: count) + "rooms == 1", at: 419,
      "a key path follows 60 associations at most: SQLite joins 64 tables")
    #expect(throws: (any Error).self) {
      try Chore.where(format: String(repeating: "size + ", count: count) + "size == 1", arguments: []).sql
    }
    #expect(
      try Chore.where(format: "NOT (" + String(repeating: "rank > 1 OR ", count: 900) + "rank > 1)", arguments: []).sql
        .arguments.count
        == 901)
  }
}
