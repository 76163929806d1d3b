import Sanderling
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

struct MarkedTextTests {
  private func marked(_ text: String, _ input: String) -> MarkedText {
    MarkedText(text[...], marking: SearchHighlights(input, in: .substrings).ranges(in: text))
  }

  @Test(arguments: [
    ("Café Orval", "cafe o", "[Café O]rval"), ("STRASSE, Straße", "strass", "[STRASS]E, [Straß]e"),
    ("ﬁsh and Fish", "f", "[ﬁ]sh and [F]ish"), ("東京都大学", "京都", "東[京都]大学"),
    ("e\u{301}te\u{301} ete", "ete", "[e\u{301}te\u{301}] [ete]"), ("ＡＢc", "abc", "[ＡＢc]"),
    ("👩\u{200D}👩\u{200D}👧 x", "x", "👩\u{200D}👩\u{200D}👧 [x]"),
    // Characters that would control the terminal are replaced, in marked text too.
    ("a\r\nb a", "a", "[a]\u{FFFD}\u{FFFD}b [a]"), ("x\u{1B}[31my", "[31m", "x\u{FFFD}[[31m]y"),
    ("a\n\u{301}b", "b", "a\u{FFFD}\u{301}[b]"), ("nothing", "q", "nothing"), ("", "a", ""),
  ])
  func marksFoundTexts(text: String, input: String, shown: String) {
    #expect(marked(text, input).text { "[\($0)]" } == shown)
    #expect(marked(text, input).text() == text.printable)
    #expect(marked(text, input).width == text.printable.displayWidth)
  }

  @Test(arguments: [
    (20, "12345678[90]123"), (13, "12345678[90]123"), (12, "12345678[90]1…"), (11, "12345678[90]…"),
    (10, "…5678[90]123"),
    (7, "…78[90]1…"), (4, "…[90]…"), (3, "…[9]…"), (2, "1…"), (1, "…"), (0, ""),
  ])
  func isCutAroundTheMark(width: Int, shown: String) {
    let text = marked("1234567890123", "90").cut(toWidth: width, showsMark: true)
    #expect(text.text { "[\($0)]" } == shown)
    #expect(text.width <= width)
  }

  @Test func textWithoutMarksIsCutLikePlainText() {
    for width in 1..<20 {
      for text in ["abcdefgh", "日本語日本語", "a日本語", "e\u{301}e\u{301}e\u{301}e\u{301}"] {
        #expect(MarkedText(text).cut(toWidth: width).text() == text.cut(toWidth: width))
      }
    }
  }

  @Test func cutTextShowsItsMark() {
    var generator = SeededGenerator()
    print("Marked texts: SANDERLING_SEED=\(generator.seed)")
    let pieces = ["a", "é", "e\u{301}", "日", "ß", "ﬁ", "\n", "\u{200D}", "👍🏽", " ", "x"]
    for _ in 0..<2_000 {
      let before = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let behind = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      let text = before.joined() + " qqq " + behind.joined()
      let width = Int.random(in: 5...60, using: &generator)
      let shown = marked(text, "qqq").cut(toWidth: width, showsMark: true)
      #expect(shown.width <= width)
      #expect(shown.text { "[\($0)]" }.contains("[qqq]"), "\(text.debugDescription) in \(width)")
    }
  }

  @Test func linesAreInverseWhereTheyAreMarked() {
    let text = marked("one two", "tw")
    let colored = TextStyle(environment: [:])
    #expect(colored.line(text, isChosen: false, width: 9) == "one \u{1B}[1;7mtw\u{1B}[22;27mo")
    #expect(colored.line(text, isChosen: true, width: 9) == "\u{1B}[7mone \u{1B}[1;27mtw\u{1B}[22;7mo  \u{1B}[0m")
    let plain = TextStyle(environment: ["NO_COLOR": "1"])
    #expect(plain.line(text, isChosen: false, width: 9) == "one two")
    #expect(plain.line(text, isChosen: true, width: 8) == "> one t…")
  }
}
