import Testing

@testable import Sanderling

/// The rows that FTS5 finds for a search and that match equal those of a scan.
@Suite struct FullTextTests {
  @Test func indexFindsTheRowsOfAScan() throws {
    let fixture = try SearchFixture()
    let table = try FullTextTable()
    for (id, text) in fixture.texts { try table.insert(id, text) }
    for query in fixture.queries where query.kind == .words {
      try check(TextSearch(query.input, in: .words), in: table, fixture.texts, "line \(query.line)")
    }
  }

  @Test func randomInputsFindTheRowsOfAScan() throws {
    var generator = SeededGenerator()
    var hits = 0
    for round in 0..<60 {
      let letters = (0..<6).compactMap { _ in RandomText.scalars.randomElement(using: &generator) }
      let table = try FullTextTable()
      var texts: [(id: Int, text: String)] = []
      for id in 1...30 {
        texts.append((id, RandomText.text(of: letters, &generator, pieces: .random(in: 0...16, using: &generator))))
        try table.insert(id, texts[id - 1].text)
      }
      for _ in 0..<60 {
        var input = RandomText.text(of: letters, &generator, pieces: .random(in: 0...6, using: &generator))
        if Bool.random(using: &generator), let text = texts.randomElement(using: &generator)?.text.unicodeScalars {
          // The input is a part of an existing text.
          let start = text.indices.randomElement(using: &generator) ?? text.startIndex
          input = String(text[start...].prefix(.random(in: 1...5, using: &generator)))
        }
        let comment = "SANDERLING_SEED=\(generator.seed), round \(round), input \(input.debugDescription)"
        hits += try check(TextSearch(input, in: .words), in: table, texts, comment)
      }
    }
    #expect(hits > 1000)
  }

  /// No typed input is a syntax error in FTS5.
  @Test func everyInputIsValid() throws {
    let table = try FullTextTable()
    try table.insert(1, "AND OR NOT NEAR a b \" * 東京")
    var inputs = [
      "", "\"", "\"\"", "\"\"\"", "'", "''", "-", "--", "- -", "-\"", "*", "a*", "^a", "a:b", "NEAR(a b, 3)", "AND",
      "a AND", "NOT a", "(", ")", "{a}",
      "a + b", "\u{0}", "a\u{0}b", "\\", ";", "a; DROP TABLE words", "-a -b", "東*", "-東", "\"東", "\"東 a", "+", "#",
      "c++", "c# \"", "🎉*",
    ]
    inputs += [
      String(repeating: "a", count: 10_000), String(repeating: "a ", count: 5_000),
      String(repeating: "\"a", count: 5_000),
      String(repeating: "-a ", count: 3_000), "b " + String(repeating: "-a ", count: 3_000),
      String(repeating: "(", count: 10_000),
      String(repeating: "東", count: 10_000), String(repeating: "東 ", count: 5_000),
      String(repeating: "a", count: 100_000),
      "b -" + String(repeating: "a", count: 100_000), String(repeating: "a-", count: 5_000),
      String(repeating: "\u{0}", count: 10_000),
    ]
    for input in inputs {
      guard let expression = TextSearch(input, in: .words).fullTextExpression else { continue }
      _ = try table.search(expression)
    }
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      let scalars = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
        Unicode.Scalar(UInt32.random(in: 0..<(Bool.random(using: &generator) ? 0x80 : 0x30000), using: &generator))
          ?? "\""
      }
      let input = String(String.UnicodeScalarView(scalars))
      guard let expression = TextSearch(input, in: .words).fullTextExpression else { continue }
      #expect(throws: Never.self, "SANDERLING_SEED=\(generator.seed), \(input.debugDescription)") {
        try table.search(expression)
      }
    }
  }

  @Test func expressions() {
    let expressions = [
      "Straße n", "\"Café au lait\"", "e-mail ", "東京塔", "東", "iPhone 東", "\"東京 tower", "内存 -memory", "-memory", "2024年",
      "a -東", "", "C++", "หมี",
    ].map { "\($0) → \(TextSearch($0, in: .words).fullTextExpression ?? "nil")" }
    #expect(
      expressions == [
        #"Straße n → "strasse" AND "n" *"#, #""Café au lait" → "cafe au lait""#, #"e-mail  → "e mail""#,
        #"東京塔 → "東京 京塔""#,
        #"東 → "東" *"#, #"iPhone 東 → "iphone" AND "東" *"#, #""東京 tower → "東京 京 tower" *"#,
        #"内存 -memory → ("内存") NOT ("memory")"#,
        #"-memory → nil"#, #"2024年 → "2024 年" *"#, #"a -東 → "a""#, " → nil", #"C++ → "c＋＋" *"#, #"หมี → "หมี""#,
      ])
  }

  @Test func tokens() {
    let tokens = ["Don’t e-mail C++17, C#!", "東京塔 and 한국", "น้ำตก 🎉🇩🇪 #tag", "", "…"].map(FullTextTable.tokens)
    #expect(
      tokens == ["don t e mail c＋＋ 17 c＃", "東京 京塔 塔 and 한국 국", "น\u{E49}\u{E4D}า าต ตก ก 🎉 🇩🇪 tag", "", ""])
  }

  /// Compares the texts that the index finds with the texts of a scan, and returns the number of matches.
  @discardableResult
  private func check(
    _ search: TextSearch, in table: FullTextTable, _ texts: [(id: Int, text: String)], _ comment: String
  ) throws -> Int {
    let scanned = Set(texts.filter { search.matches($0.text) }.map(\.id))
    guard let expression = search.fullTextExpression else {
      #expect(!search.terms.contains { !$0.isExcluded }, "\(comment)")
      return scanned.count
    }
    let candidates = try table.search(expression)
    #expect(candidates.isSuperset(of: scanned), "\(comment), \(expression)")
    // The index may find superfluous candidates for a single unit, whose marks a prefix ignores, and for a search that
    // excludes one. Otherwise its candidates are exact.
    let hasSingleUnit = search.terms.contains { term in
      guard let last = term.segments.last, last.isRun else { return false }
      // A single unit is a single token.
      return !FullTextTable.tokens(String(decoding: last.bytes, as: UTF8.self)).contains(" ")
    }
    if !hasSingleUnit { #expect(candidates == scanned, "\(comment), \(expression)") }
    return scanned.count
  }
}
