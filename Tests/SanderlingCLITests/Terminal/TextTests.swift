import Testing

@testable import SanderlingCLI

struct TextTests {
  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "−1,234,567"), (100_000, "100,000")])
  func groupsDigits(number: Int, text: String) {
    #expect(number.grouped == text)
  }

  @Test(
    arguments: [
      (Duration.microseconds(310), "0.31 ms"), (.milliseconds(36), "36.0 ms"), (.milliseconds(999), "999 ms"),
      (.milliseconds(4523), "4.5 s"), (.seconds(150), "150 s"),
    ])
  func writesDurationsBriefly(duration: Duration, text: String) {
    #expect(duration.brief == text)
  }

  @Test(arguments: [("abc", 3), ("日本", 4), ("e\u{301}", 1), ("", 0), ("👍", 2)])
  func knowsWidths(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [("abcd", "abcd"), ("abcde", "abc…"), ("日本語", "日…")])
  func truncatesToWidth(text: String, truncated: String) {
    #expect(text.cut(toWidth: 4) == truncated)
  }

  @Test func replacesTerminalControlCharacters() {
    #expect("a\u{1B}[2Jb\r\nc\u{202E}d".printable == "a\u{FFFD}[2Jb\u{FFFD}\u{FFFD}c\u{FFFD}d")
    #expect("👩\u{200D}💻".printable == "👩\u{200D}💻")
    #expect("fatal: a\u{7}\n\nb\n".printableLines == "fatal: a\u{FFFD}\nb")
  }

  @Test func alignsColumns() {
    var table = TextTable([("Name", .left), ("Count", .right), ("Note", .left)])
    table.append(["a", "1,000", ""])
    table.append(["日本語", "1", "x"])
    #expect(
      table.text == """
          Name    Count  Note
          a       1,000
          日本語      1  x

        """)
  }
}
