import Foundation
import Testing

@testable import Sanderling

/// Cursors survive the conversion to text and back. A text that is not a valid cursor of the query is an error.
@Suite struct PageCursorTests {
  private static let values: [[StorageValue]] = [
    [], [.null], [.integer(0)], [.integer(.min), .integer(.max), .integer(-1), .integer(63), .integer(64)],
    [.real(-0.0), .real(0), .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), .real(0.1)],
    [.text(""), .text("a\0b"), .text("é"), .text("e\u{301}"), .text(String(repeating: "x", count: 300))],
    [.blob(Data()), .blob(Data([0, 255])), .blob(Data(count: 1_000)), .null, .text("1"), .integer(1)],
  ]

  private func position(_ values: [StorageValue]) -> PagePosition {
    let bytes = values.reduce(into: [UInt8]()) { bytes, value in
      [value].withEncoding { encoding in
        var decoder = ValueDecoder(encoding)
        while let value = decoder.next() { PagePosition.append(value, to: &bytes) }
      }
    }
    return PagePosition(bytes: bytes)
  }

  @Test func cursorTextsReadBack() throws {
    for values in Self.values {
      for side in [PageCursor.Side.row, .beforeRow, .afterRow] {
        let cursor = PageCursor(form: .random(in: 0...(.max)), position: position(values), side: side)
        let read = try PageCursor(cursor.string)
        #expect(read == cursor)
        #expect(read.position.constants == values.map { .constant($0) })
        #expect(
          cursor.string.utf8.allSatisfy { byte in
            let character = Character(UnicodeScalar(byte))
            return character.isASCII
              && (character.isLetter || character.isNumber || character == "-" || character == "_")
          })
        #expect(try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode(cursor)) == cursor)
        #expect(cursor.description == cursor.string)
      }
    }
  }

  private let cursor = PageCursor(
    form: 0x0123_4567_89AB_CDEF, position: PagePosition(bytes: [ValueTag.text, 1, 97, ValueTag.integer, 2]))

  /// The text of a cursor stays the same, so that later versions can read stored cursors. A cursor of another format
  /// gets another version number.
  @Test func formatOfCursorsStaysTheSame() throws {
    #expect(cursor.string == "AQDvzauJZ0UjAQMBYQECxQjszA")
    #expect(try PageCursor("AQDvzauJZ0UjAQMBYQECxQjszA") == cursor)
  }

  @Test func cutTexts() {
    let text = cursor.string
    for length in 0..<text.count {
      #expect(throws: PageError.damagedCursor) { try PageCursor(String(text.prefix(length))) }
      #expect(throws: PageError.damagedCursor) { try PageCursor(String(text.suffix(length))) }
    }
    #expect(throws: PageError.damagedCursor) { try PageCursor(text + "A") }
    #expect(throws: PageError.damagedCursor) { try PageCursor(text + text) }
    #expect(throws: PageError.damagedCursor) { try PageCursor(text + "=") }
  }

  @Test func alteredTexts() {
    let text = Array(cursor.string)
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_ +/=é\0")
    for position in text.indices {
      for digit in digits where digit != text[position] {
        var altered = text
        altered[position] = digit
        #expect(throws: PageError.damagedCursor) { try PageCursor(String(altered)) }
      }
      var swapped = text
      swapped.swapAt(position, (position + 1) % text.count)
      if swapped != text { #expect(throws: PageError.damagedCursor) { try PageCursor(String(swapped)) } }
    }
  }

  @Test func garbage() {
    var generator = SeededGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      #expect(throws: PageError.damagedCursor, "SANDERLING_SEED=\(generator.seed)") {
        try PageCursor(CursorText.string(bytes))
      }
      #expect(CursorText.bytes(CursorText.string(bytes)) == bytes)
    }
    for text in ["", " ", "null", "é", "AAAA", String(repeating: "A", count: 10_000)] {
      #expect(throws: PageError.damagedCursor) { try PageCursor(text) }
    }
  }

  /// Contents that a correct checksum doesn't protect from: made by hand, or by another version.
  @Test func otherContents() throws {
    func text(_ bytes: [UInt8]) -> String {
      CursorText.string(bytes + withUnsafeBytes(of: CyclicCode.value(of: bytes).littleEndian) { Array($0) })
    }
    let start: [UInt8] = [1, 0] + [UInt8](repeating: 7, count: 8)
    #expect(try PageCursor(text(start)).position.constants.isEmpty)
    #expect(throws: PageError.cursorOfOtherVersion(0)) { try PageCursor(text([0] + start.dropFirst())) }
    #expect(throws: PageError.cursorOfOtherVersion(2)) { try PageCursor(text([2] + start.dropFirst())) }
    #expect(throws: PageError.damagedCursor) { try PageCursor(text([1, 3] + start.dropFirst(2))) }
    let nan = withUnsafeBytes(of: Double.nan.bitPattern.littleEndian) { Array($0) }
    let contents: [[UInt8]] = [
      [5], [1], [1, 0x80], [1] + [UInt8](repeating: 0xFF, count: 10), [2, 0], [2] + nan, [3], [3, 2, 97],
      [4, 0xFF, 0xFF, 3],
      [3] + [UInt8](repeating: 0xFF, count: 9) + [1], [0, 9],
    ]
    for content in contents { #expect(throws: PageError.damagedCursor) { try PageCursor(text(start + content)) } }
    // The check value of "123456789" is the one that implementations of this code publish.
    #expect(CyclicCode.value(of: "123456789".utf8) == 0xCBF4_3926)
  }

  @Test func decodingErrorNamesItsReason() throws {
    #expect {
      try JSONDecoder().decode([PageCursor].self, from: Data(#"["AQDv"]"#.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.underlyingError as? PageError == .damagedCursor && context.codingPath.count == 1
    }
  }

  // MARK: - Forms

  private func number<Root, Output>(_ query: Selection<Root, Output>) throws -> UInt64 {
    try PageForm(query.statement).number
  }

  private func number(_ condition: Condition<TodoTask>, by orderings: [Ordering] = []) throws -> UInt64 {
    try number(TodoTask.where(condition).order(orderings))
  }

  /// Compared values and selected columns don't change the number of a query's form.
  @Test func queriesOfOneForm() throws {
    #expect(try number(Condition { $0.projectID == UUID(1) }) == number(Condition { $0.projectID == UUID(2) }))
    #expect(
      try number(Condition { $0.title.in(["a"]) }) == number(Condition { $0.title.in((0..<600).map { "\($0)" }) }))
    #expect(try number(Condition { $0.title.hasPrefix("a") }) == number(Condition { $0.title.hasPrefix("\u{10FFFF}") }))
    #expect(
      try number(Condition { $0.comments.filter { $0.text == "a" }.count > 1 })
        == number(Condition { $0.comments.filter { $0.text == "b" }.count > 2 }))
    let tasks = TodoTask.order { $0.title }
    #expect(try number(tasks) == number(tasks.select { ($0.title, $0.comments.count) }))
    #expect(try number(tasks) == number(tasks.select { ($0, $0.project) }))
    #expect(try number(tasks) == number(TodoTask.order { ($0.title, $0.id) }))
    #expect(
      try number(TodoTask.raw("SELECT * FROM todoTask WHERE title = \("a")"))
        == number(TodoTask.raw("SELECT * FROM todoTask WHERE title = \("b")")))
  }

  @Test func queriesOfOtherForms() throws {
    let fields = TodoTask.fields
    let numbers = try [
      number(TodoTask.query), number(Project.query), number(Comment.query),
      number(TodoTask.order { $0.title }), number(TodoTask.order { $0.title.descending }),
      number(TodoTask.order { $0.dueAt }), number(TodoTask.order { $0.dueAt.ascending.nullsLast }),
      number(TodoTask.order { ($0.dueAt, $0.title) }), number(TodoTask.order { ($0.title, $0.dueAt) }),
      number(TodoTask.order { $0.title.collated(.nocase) }), number(TodoTask.order { $0.project.name }),
      number(Condition { $0.title == "a" }), number(Condition { $0.title != "a" }),
      number(Condition { $0.title > "a" }),
      number(Condition { $0.isCompleted }), number(Condition { !$0.isCompleted }),
      number(TodoTask.select { $0.title }.distinct()), number(TodoTask.group { $0.title }.select { $0.title }),
      number(TodoTask.group { $0.title }.having { $0.count() > 1 }.select { $0.title }),
      // In an ordering, another value is another order.
      number(TodoTask.order { $0.dueAt ?? Date(at: 0) }), number(TodoTask.order { $0.dueAt ?? Date(at: 1) }),
      number(Condition { $0.comments.count > 1 }, by: [fields.comments.count.ascending]),
    ]
    #expect(Set(numbers).count == numbers.count)
  }

  /// The number of a form never changes: it is written into cursors, which outlive a process. A change of its
  /// computation needs another version of cursors.
  @Test func numbersOfFormsStayTheSame() throws {
    let open = try number(TodoTask.where { !$0.isCompleted }.order { ($0.dueAt.descending, $0.title) })
    #expect(open == 11368591079808145347)
    let ofProject = try number(TodoTask.where { $0.projectID == UUID(1) }.order { $0.title.descending })
    #expect(ofProject == 9493141805366737108)
  }

  @Test func aCursorOfAnotherQuery() async throws {
    let store = try await Store.todo()
    let byTitle = store.pages(of: TodoTask.order { $0.title }, size: 2)
    let byDate = store.pages(of: TodoTask.order { $0.dueAt }, size: 2)
    let cursor = try #require(try await byTitle.first().next)
    let error = PageError.cursorOfOtherQuery(table: "todoTask")
    await #expect(throws: error) { try await byDate.page(after: cursor) }
    await #expect(throws: error) { try await byDate.page(before: cursor) }
    await #expect(throws: error) { for try await _ in byDate.starting(after: cursor) {} }
    #expect(throws: error) { try store.readBlocking { try $0.page(of: byDate, after: cursor) } }
    // The same query accepts the cursor with another page size, other values or other columns.
    let others = store.pages(of: TodoTask.order { $0.title }.select { $0.title }, size: 3)
    #expect(try await others.page(after: cursor).rows == ["dig", "mow", "pay 50% rent"])
    // A forged cursor has the right form and too few values.
    let forged = PageCursor(form: cursor.form, position: PagePosition(bytes: [ValueTag.null]))
    await #expect(throws: PageError.damagedCursor) { try await byTitle.page(after: forged) }
  }
}
