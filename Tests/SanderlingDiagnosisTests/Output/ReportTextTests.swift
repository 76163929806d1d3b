import Testing

@testable import SanderlingDiagnosis

struct ReportTextTests {
  @Test func escapesControlAndDirectionCharacters() {
    #expect("a\u{1B}[2J\r\nb\u{202E}c\u{9B}d\te\u{2028}f".visible() == #"a\u{1B}[2J b\u{202E}c\u{9B}d e\u{2028}f"#)
    #expect("a\n\u{7}b\tc\rd".visibleLines() == "a\n\\u{7}b  c\\u{D}d")
    #expect("👩\u{200D}💻 عربي".visible() == "👩\u{200D}💻 عربي")
  }

  @Test func saysHowMuchOfALongTextIsMissing() {
    #expect("abcdef".visible(limit: 4) == "abcd… (2 characters more)")
    #expect("abcdef".visible(limit: 6) == "abcdef")
  }

  @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("", 0), ("👩\u{200D}💻", 2), ("☁\u{FE0F}", 2), ("🇩🇪", 2)])
  func knowsWidths(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [("abcd", "abcd"), ("abcde", "abc…"), ("日本語", "日…")])
  func cutsToAWidth(text: String, cut: String) {
    #expect(text.cut(toWidth: 4) == cut)
  }

  @Test func breaksLinesAtSpacesAndLongWordsAnywhere() {
    #expect("one two three".wrapped(toWidth: 7) == ["one two", "three"])
    #expect("  one two\n\nthree".wrapped(toWidth: 6) == ["  one", "  two", "", "three"])
    #expect("a 日本語日本 b".wrapped(toWidth: 4) == ["a", "日本", "語日", "本 b"])
  }

  @Test func breaksLongStatementsBeforeTheirClauses() {
    #expect(
      SQLLayout.text(
        "SELECT a.id, a.name, (SELECT count(*) FROM b WHERE b.a = a.id AND b.kind = ?) FROM a LEFT JOIN c ON c.a = a.id "
          + "WHERE a.x IS NOT DISTINCT FROM ? AND a.y = ' FROM ' GROUP BY a.id ORDER BY \"a WHERE\" LIMIT ?")
          == """
          SELECT a.id, a.name, (SELECT count(*) FROM b WHERE b.a = a.id AND b.kind = ?)
          FROM a
          LEFT JOIN c ON c.a = a.id
          WHERE a.x IS NOT DISTINCT FROM ? AND a.y = ' FROM '
          GROUP BY a.id
          ORDER BY "a WHERE"
          LIMIT ?
          """)
    #expect(SQLLayout.text("SELECT 1 FROM a WHERE b = ?") == "SELECT 1 FROM a WHERE b = ?")
  }

  @Test func layoutChangesOnlySpaces() {
    var random = SeededGenerator(seed: SeededGenerator.defaultSeed)
    let parts = [
      "SELECT", "FROM", "WHERE", "(", ")", "'it''s FROM'", "\"a WHERE b\"", "[x FROM y]", "/* FROM */", ",", "a", "?",
      "LEFT", "JOIN", "'", "\"", "[", "/*", "--", "日本", "ORDER", "BY",
    ]
    for _ in 0..<500 {
      let sql = (0..<60).map { _ in parts.randomElement(using: &random) ?? "" }.joined(separator: " ")
      let layout = SQLLayout.text(sql)
      #expect(
        layout.filter { !$0.isWhitespace } == sql.filter { !$0.isWhitespace }, "seed \(SeededGenerator.defaultSeed)")
      let quoted = "SELECT '\(sql.replacing("'", with: "''"))'"
      #expect(SQLLayout.text(quoted) == quoted, "seed \(SeededGenerator.defaultSeed)")
    }
  }
}
