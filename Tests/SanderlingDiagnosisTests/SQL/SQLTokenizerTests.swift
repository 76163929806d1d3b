import SanderlingSQL
import Testing

@testable import SanderlingDiagnosis

@Suite struct SQLTokenizerTests {
  private func kinds(_ sql: String) -> [SQLToken.Kind] {
    SQLTokenizer(SQLText(sql)).filter { $0.kind != .whitespace }.map(\.kind)
  }

  @Test func readsNamesInAllQuotes() {
    #expect(kinds("a \"b\"\"c\" `d` [e f] é $") == [.word, .doubleQuoted, .quotedName, .quotedName, .word, .illegal])
  }

  @Test func readsLiterals() {
    #expect(
      kinds("'it''s' x'00fF' 1 0x1F 1.5 .5 2. 1e-3 1_000") == [
        .string, .blob, .integer, .integer, .real, .real, .real, .real, .integer,
      ])
    #expect(kinds("x'0' 'open") == [.illegal, .illegal])
    #expect(kinds("1e 0x 12ab") == [.illegal, .illegal, .illegal])
  }

  @Test func readsParameters() {
    #expect(kinds("? ?12 :a @b $c $d::e(f) :") == Array(repeating: .parameter, count: 6) + [.illegal])
  }

  @Test func readsOperatorsAndComments() {
    #expect(
      kinds("a->b->>c||d--e\n-/*f*//") == [
        .word, .symbol(.arrow), .word, .symbol(.doubleArrow), .word, .symbol(.concatenation), .word, .comment,
        .symbol(.minus), .comment, .symbol(.slash),
      ])
    #expect(kinds("/**/ a /* never closed") == [.comment, .word, .comment])
  }

  @Test func parenthesesAreClosed() {
    func closing(_ sql: String, _ place: Int) -> Int? {
      SQLTokenizer(SQLText(sql)).filter { !$0.isTrivia }.closing(place)
    }
    #expect(closing("(a (b) (c)) d", 0) == 8 && closing("(a (b) (c)) d", 2) == 4)
    #expect(closing("(a", 0) == nil && closing("a (", 1) == nil && closing("a (", 2) == nil)
    #expect(closing("a)", 0) == nil && closing("a)", 1) == nil)
  }

  /// SQLite accepts no such table, but a damaged file may contain one.
  @Test func truncatedTableHasNoExpressions() {
    for sql in ["CREATE TABLE t (a, b AS (", "CREATE TABLE t (a, b AS", "CREATE TABLE t (a, b AS b)"] {
      #expect(TableSchema(name: "t", sql: sql).expression(of: "b") == nil, "\(sql)")
    }
    for sql in ["CREATE TABLE t (a CHECK (", "CREATE TABLE t (a CHECK (a > 1", "CREATE TABLE t (a CHECK"] {
      #expect(TableSchema(name: "t", sql: sql).checks.isEmpty, "\(sql)")
    }
    #expect(TableSchema(name: "t", sql: "CREATE TABLE t (a CHECK (a > (1)), b AS (a + 1))").checks == ["a > (1)"])
  }

  @Test func rangesMakeUpTheText() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<3000 {
      let text = SQLText(SQLFragments.random(using: &random))
      var end = 0
      for token in SQLTokenizer(text) {
        #expect(token.range.lowerBound == end && !token.range.isEmpty, "seed \(seed)")
        end = token.range.upperBound
      }
      #expect(end == text.bytes.count, "seed \(seed)")
    }
  }
}
