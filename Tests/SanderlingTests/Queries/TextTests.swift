import Foundation
import Sanderling
import Testing

@Suite struct TextTests {
  @Record
  struct Phrase {
    var id: Int
    var text: String
    @Stored(collation: .nocase) var folded: String
    var gloss: String?
  }

  let store: Store

  init() async throws {
    store = try Store(inMemory: [Phrase.self])
    let texts = ["", "a", "ab", "Ab", "a\u{0}b", "b", "é", "e\u{301}", "\u{D7FF}x", "\u{10FFFF}", "\u{10FFFF}z", "🦩"]
    try store.writeBlocking("fill") { tx in
      for (id, text) in texts.enumerated() {
        try tx.insert(Phrase(id: id, text: text, folded: text, gloss: text.isEmpty ? nil : text))
      }
    }
  }

  @Test func hasPrefix() async throws {
    try await store.expect(
      Phrase.where { $0.text.hasPrefix("a") }.select { $0.text.debug },
      sql: """
        SELECT hex("phrase"."text")
        FROM "phrase"
        WHERE ("phrase"."text" >= ? AND "phrase"."text" < ?)
        -- 'a', 'b'
        """,
      rows: """
        61
        6162
        610062
        """)
    try await store.expect(
      Phrase.where { $0.gloss.hasPrefix("a") && !$0.gloss.hasPrefix("ab") }.select { $0.text.debug },
      sql: """
        SELECT hex("phrase"."text")
        FROM "phrase"
        WHERE ("phrase"."gloss" >= ? AND "phrase"."gloss" < ?) AND (NOT ("phrase"."gloss" >= ?
        AND "phrase"."gloss" < ?))
        -- 'a', 'b', 'ab', 'ac'
        """,
      rows: """
        61
        610062
        """)
  }

  @Test func partsAreFoundInEitherCase() async throws {
    try await store.expect(
      Phrase.where { $0.text.collated(.nocase).hasPrefix("AB") && $0.text.collated(.nocase).contains("B") }
        .select { $0.text },
      sql: """
        SELECT "phrase"."text"
        FROM "phrase"
        WHERE (("phrase"."text" COLLATE NOCASE) >= ?) AND (("phrase"."text" COLLATE NOCASE) < ?)
        AND (instr(lower("phrase"."text"), ?) > 0)
        -- 'ab', 'ac', 'b'
        """,
      rows: """
        ab
        Ab
        """)
    // A column's collation applies to whole texts only, not to prefixes and parts.
    #expect(try await store.fetch(Phrase.where { $0.folded.hasPrefix("A") }).map(\.text) == ["Ab"])
    #expect(try await store.fetch(Phrase.where { $0.folded.contains("A") }).map(\.text) == ["Ab"])
  }

  /// Prefixes without regard to case are those that Swift finds, with all ASCII characters around the letters.
  @Test func prefixesInEitherCaseAreThoseOfSwift() async throws {
    let scalars =
      (0x20...0x7F).map { String(UnicodeScalar(UInt8($0))) }
      + ["é", "É", "\u{10FFFF}", "\u{600}@", "\u{600}["]
    let texts = scalars.flatMap { [$0, $0 + "A", "m" + $0, "M" + $0 + "z"] }
    try await store.write("fill") { tx in
      try tx.delete(Phrase.query)
      for (id, text) in texts.enumerated() { try tx.insert(Phrase(id: id, text: text, folded: text)) }
    }
    func folded(_ text: String) -> [UInt8] { text.utf8.map { (65...90).contains($0) ? $0 + 32 : $0 } }
    for prefix in scalars.flatMap({ [$0, "m" + $0, $0 + "a"] }) + [""] {
      let expected = texts.filter { folded($0).starts(with: folded(prefix)) }.map { Array($0.utf8) }
      for query in [
        Phrase.where { $0.text.collated(.nocase).hasPrefix(prefix) },
        Phrase.where { $0.folded.collated(.nocase).hasPrefix(prefix) },
      ] {
        let found = try await store.fetch(query.order { $0.id }).map { Array($0.text.utf8) }
        #expect(found == expected, "\(prefix.debugDescription)")
      }
    }
  }

  @Test func partsAreNotComparedWithoutTrailingSpaces() async throws {
    for query in [
      Phrase.where { $0.text.collated(.rtrim).contains("a") }, Phrase.where { $0.text.collated(.rtrim).hasPrefix("a") },
    ] {
      await #expect(throws: StoreError.self) { try await store.fetch(query) }
    }
  }

  /// Every text begins with the empty text. NULL is not a text.
  @Test func hasPrefixOfTheEmptyText() async throws {
    try await store.expect(
      Phrase.where { $0.text.hasPrefix("") }.select { $0.id.count() },
      sql: """
        SELECT COUNT("phrase"."id")
        FROM "phrase"
        WHERE ("phrase"."text" >= ?)
        -- ''
        """,
      rows: """
        12
        """)
    try await store.expect(
      Phrase.where { $0.gloss.hasPrefix("") }.select { $0.id.count() },
      sql: """
        SELECT COUNT("phrase"."id")
        FROM "phrase"
        WHERE ("phrase"."gloss" >= ?)
        -- ''
        """,
      rows: """
        11
        """)
  }

  @Test func prefixesWithoutASuccessor() async throws {
    try await store.expect(
      Phrase.where { $0.text.hasPrefix("\u{10FFFF}") }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE ("phrase"."text" >= ?)
        -- '\u{10FFFF}'
        """,
      rows: """
        9
        10
        """)
    try await store.expect(
      Phrase.where { $0.text.hasPrefix("a\u{10FFFF}") }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE ("phrase"."text" >= ? AND "phrase"."text" < ?)
        -- 'a\u{10FFFF}', 'b'
        """,
      rows: "")
    try await store.expect(
      Phrase.where { $0.text.hasPrefix("\u{D7FF}") }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE ("phrase"."text" >= ? AND "phrase"."text" < ?)
        -- '\u{D7FF}', '\u{E000}'
        """,
      rows: """
        8
        """)
    try await store.expect(
      Phrase.where { $0.text.hasPrefix("a\u{0}") }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE ("phrase"."text" >= ? AND "phrase"."text" < ?)
        -- CAST(X'6100' AS TEXT), 'a\u{1}'
        """,
      rows: """
        4
        """)
  }

  /// Prefixes are compared by bytes, also where the column compares without case.
  @Test func hasPrefixOfAFoldedColumn() async throws {
    try await store.expect(
      Phrase.where { $0.folded.hasPrefix("A") }.select { $0.folded },
      sql: """
        SELECT "phrase"."folded"
        FROM "phrase"
        WHERE (("phrase"."folded" COLLATE BINARY) >= ? AND ("phrase"."folded" COLLATE BINARY) < ?)
        -- 'A', 'B'
        """,
      rows: """
        Ab
        """)
    try await store.expect(
      Phrase.where { $0.folded.lowercased().hasPrefix("ab") }.select { $0.folded },
      sql: """
        SELECT "phrase"."folded"
        FROM "phrase"
        WHERE (lower("phrase"."folded") >= ? AND lower("phrase"."folded") < ?)
        -- 'ab', 'ac'
        """,
      rows: """
        ab
        Ab
        """)
  }

  @Test func contains() async throws {
    try await store.expect(
      Phrase.where { $0.text.contains("b") }.select { $0.text.debug },
      sql: """
        SELECT hex("phrase"."text")
        FROM "phrase"
        WHERE (instr("phrase"."text", ?) > 0)
        -- 'b'
        """,
      rows: """
        6162
        4162
        610062
        62
        """)
    try await store.expect(
      Phrase.where { $0.text.contains("\u{0}") }.select { $0.text.debug },
      sql: """
        SELECT hex("phrase"."text")
        FROM "phrase"
        WHERE (instr("phrase"."text", ?) > 0)
        -- CAST(X'00' AS TEXT)
        """,
      rows: """
        610062
        """)
    try await store.expect(
      Phrase.where { $0.text.contains("\u{0}b") && !$0.text.contains("a\u{0}c") }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE (instr("phrase"."text", ?) > 0) AND (NOT (instr("phrase"."text", ?) > 0))
        -- CAST(X'0062' AS TEXT), CAST(X'610063' AS TEXT)
        """,
      rows: """
        4
        """)
    try await store.expect(
      Phrase.where { $0.gloss.contains("") }.select { $0.id.count() },
      sql: """
        SELECT COUNT("phrase"."id")
        FROM "phrase"
        WHERE (instr("phrase"."gloss", ?) > 0)
        -- ''
        """,
      rows: """
        11
        """)
    try await store.expect(
      Phrase.where { $0.folded.contains("A") }.select { $0.folded },
      sql: """
        SELECT "phrase"."folded"
        FROM "phrase"
        WHERE (instr("phrase"."folded", ?) > 0)
        -- 'A'
        """,
      rows: """
        Ab
        """)
  }

  /// The composed and the decomposed é are equal in Swift and different texts in SQL.
  @Test func normalForms() async throws {
    #expect("é" == "e\u{301}")
    try await store.expect(
      Phrase.where { $0.text == "é" }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE ("phrase"."text" = ?)
        -- 'é'
        """,
      rows: """
        6
        """)
    try await store.expect(
      Phrase.where { $0.text.contains("\u{301}") }.select { $0.id },
      sql: """
        SELECT "phrase"."id"
        FROM "phrase"
        WHERE (instr("phrase"."text", ?) > 0)
        -- '\u{301}'
        """,
      rows: """
        7
        """)
  }

  @Test func wildcardsAreOrdinaryCharacters() async throws {
    let store = try await Store.todo()
    try await store.expect(
      TodoTask.where { $0.title.contains("50%") }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE (instr("todoTask"."title", ?) > 0)
        -- '50%'
        """,
      rows: """
        pay 50% rent
        """)
    try await store.expect(
      TodoTask.where { $0.title.contains("%") && !$0.title.contains("5_%") }.select { $0.title },
      sql: """
        SELECT "todoTask"."title"
        FROM "todoTask"
        WHERE (instr("todoTask"."title", ?) > 0) AND (NOT (instr("todoTask"."title", ?) > 0))
        -- '%', '5_%'
        """,
      rows: """
        pay 50% rent
        """)
  }

  @Test func functions() async throws {
    try await store.expect(
      Phrase.where { $0.id.in([3, 6, 7]) }.select { ($0.text.uppercased(), $0.text.lowercased(), $0.text.length) },
      sql: """
        SELECT upper("phrase"."text"), lower("phrase"."text"), length("phrase"."text")
        FROM "phrase"
        WHERE ("phrase"."id" IN (?, ?, ?, ?))
        -- 3, 6, 7, 7
        """,
      rows: """
        AB | ab | 2
        é | é | 1
        E\u{301} | e\u{301} | 2
        """)
    try await store.expect(
      Phrase.where { $0.id <= 1 }.select { ($0.text.appending("!").appending($0.folded), $0.gloss.appending("?")) },
      sql: """
        SELECT ("phrase"."text" || ?) || "phrase"."folded", "phrase"."gloss" || ?
        FROM "phrase"
        WHERE ("phrase"."id" <= ?)
        -- '!', '?', 1
        """,
      rows: """
        ! | nil
        a!a | a?
        """)
    try await store.expect(
      Phrase.where { $0.id == 4 }.select { ($0.text.length, $0.gloss.length) },
      sql: """
        SELECT length("phrase"."text"), length("phrase"."gloss")
        FROM "phrase"
        WHERE ("phrase"."id" = ?)
        -- 4
        """,
      rows: """
        1 | 1
        """)
    try await store.expect(
      Phrase.where { $0.text.collated(.nocase) == "AB" }.select { $0.text },
      sql: """
        SELECT "phrase"."text"
        FROM "phrase"
        WHERE (("phrase"."text" COLLATE NOCASE) = ?)
        -- 'AB'
        """,
      rows: """
        ab
        Ab
        """)
  }
}

extension Field<String> {
  /// The text's bytes as hexadecimal digits, for characters that can't be printed.
  fileprivate var debug: Field<String> { .raw("hex(\(self))") }
}
