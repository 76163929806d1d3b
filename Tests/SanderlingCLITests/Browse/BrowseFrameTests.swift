import Sanderling
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

struct BrowseFrameTests {
  private static let plain = TextStyle(environment: ["NO_COLOR": "1"])

  private func frame(_ columns: Int, _ rows: [[StorageValue]?], prompt: String? = nil) -> BrowseFrame {
    BrowseFrame(
      title: "t", columns: (0..<columns).map { "column \($0)" }, top: 1_000, rows: rows, chosen: 0,
      count: RowCount(count: nil, least: 5_000), total: RowCount(count: nil, least: 5_000), prompt: prompt)
  }

  @Test(arguments: [(80, 24), (20, 5), (7, 3), (1, 1), (200, 2)])
  func fitsAnyWindow(columns: Int, rows: Int) {
    let values: [[StorageValue]?] = [
      [.text("日本語日本語日本語"), .integer(-1), .text(String(repeating: "x", count: 500))],
      nil,
      [.null, .real(1e300), .blob(.init(repeating: 7, count: 99))],
    ]
    let lines = frame(3, values).lines(size: .init(columns: columns, rows: rows), style: Self.plain)
    #expect(lines.count <= rows)
    for line in lines { #expect(line.displayWidth <= columns, "\(line)") }
  }

  @Test func statusLineShowsThePosition() {
    let lines = frame(1, [[.integer(1)], [.integer(2)]]).lines(
      size: .init(columns: 120, rows: 6), style: Self.plain)
    #expect(lines.count == 6)
    #expect(lines[5].hasPrefix("t: 1,001 (1,001 to 1,002) of at least 5,000 "))
    let typed = frame(1, [], prompt: "position: 12").lines(size: .init(columns: 120, rows: 6), style: Self.plain)
    #expect(typed[1] == "no rows" && typed[5] == "position: 12")
  }

  private func searching(_ text: String, _ values: [StorageValue]...) -> BrowseFrame {
    var frame = frame(values.first?.count ?? 0, values)
    frame.search = BrowsedSearch(text)
    frame.typed = text
    return frame
  }

  private static func marked(_ line: String) -> String {
    line.replacing("\u{1B}[1;7m", with: "<").replacing("\u{1B}[22;27m", with: ">").replacing("\u{1B}[1;27m", with: "<")
      .replacing("\u{1B}[22;7m", with: ">").replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
  }

  @Test func foundTextsAreMarked() throws {
    let far = String(repeating: "日本語 ", count: 500) + "Straße" + String(repeating: " über", count: 500)
    let frame = searching(
      "ss", [.text("Rossi"), .text(far), .integer(55)], [.text("a\tß"), .text(""), .null],
      [.text("日本ss日本"), .blob(.init([7])), .text("none")])
    let lines = frame.lines(size: .init(columns: 60, rows: 8), style: TextStyle(environment: [:]))
    let texts = lines.map(Self.marked)
    #expect(texts[1].hasPrefix("Ro<ss>i       …"))
    #expect(texts[1].contains(" Stra<ß>e über über"), "\(texts[1])")
    #expect(texts[2].hasPrefix("a\u{FFFD}<ß>"))
    #expect(texts[3].hasPrefix("日本<ss>日本  x'07'"))
    for line in texts { #expect(line.replacing(#/[<>]/#, with: "").displayWidth <= 60, "\(line)") }
    let plain = frame.lines(size: .init(columns: 60, rows: 8), style: Self.plain)
    #expect(plain[1].hasPrefix("> Rossi") && plain[3].hasPrefix("日本ss日本  x'07'"))
    #expect(plain.allSatisfy { !$0.contains("\u{1B}") && $0.displayWidth <= 60 })
  }

  @Test(arguments: [(80, 24), (20, 5), (7, 3), (1, 1), (200, 2)])
  func searchesFitAnyWindow(columns: Int, rows: Int) throws {
    for text in ["x", String(repeating: "Café \"quoted\" % 👩\u{200D}👧 ", count: 500), "\u{202E}x\u{301}"] {
      var frame = searching(text, [.text("日本語x日本語"), .text(String(repeating: "x日", count: 500))])
      for isTyping in [true, false] {
        frame.typed = isTyping ? text : nil
        for style in [Self.plain, TextStyle(environment: [:])] {
          let lines = frame.lines(size: .init(columns: columns, rows: rows), style: style).map(Self.marked)
          #expect(lines.count <= rows)
          for line in lines where style == Self.plain { #expect(line.displayWidth <= columns, "\(line)") }
        }
      }
    }
  }

  @Test func statusLineShowsTheNumberOfMatches() throws {
    var frame = searching("x", [.text("x")])
    func status(_ width: Int = 120) -> String {
      frame.lines(size: .init(columns: width, rows: 4), style: Self.plain)[3]
    }
    #expect(status() == "/x   at least 5,000 of at least 5,000 match")
    frame.total = RowCount(count: 7_000, least: 7_000)
    frame.typed = String(repeating: "long ", count: 3_000) + "end"
    #expect(
      status(50) == "/…long end   at least 5,000 of 7,000 match"
        || status(50).hasSuffix("g end   at least 5,000 of 7,000 match"))
    frame.isSearching = true
    frame.typed = "\u{1B}[2J"
    #expect(status() == "/\u{FFFD}[2J   searching…")
    frame.typed = nil
    frame.isSearching = false
    #expect(status().hasPrefix("t /x: 1,001 (1,001 to 1,001), at least 5,000 of 7,000 match   escape shows all, "))
  }
}
