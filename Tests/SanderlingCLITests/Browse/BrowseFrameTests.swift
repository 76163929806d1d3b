import Sanderling
import Testing

@testable import SanderlingCLI

struct BrowseFrameTests {
  private static let plain = TextStyle(environment: ["NO_COLOR": "1"])

  private func frame(_ columns: Int, _ rows: [[StorageValue]?], prompt: String? = nil) -> BrowseFrame {
    BrowseFrame(
      title: "t", columns: (0..<columns).map { "column \($0)" }, top: 1_000, rows: rows, chosen: 0, count: nil,
      leastCount: 5_000, prompt: prompt, problem: nil)
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
    for line in lines { #expect(line.terminalWidth <= columns, "\(line)") }
  }

  @Test func saysWhereItIs() {
    let lines = frame(1, [[.integer(1)], [.integer(2)]]).lines(
      size: .init(columns: 120, rows: 6), style: Self.plain)
    #expect(lines.count == 6)
    #expect(lines[5].hasPrefix("t: 1,001 (1,001 to 1,002) of at least 5,000 "))
    let typed = frame(1, [], prompt: "position: 12").lines(size: .init(columns: 120, rows: 6), style: Self.plain)
    #expect(typed[1] == "no rows" && typed[5] == "position: 12")
  }

  @Test(arguments: [
    ("\u{1B}[A\u{1B}[B", [TerminalKey.up, .down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]), ("\u{1B}", [.escape]),
    ("gé日\n\u{7F}", [.character("g"), .character("é"), .character("日"), .enter, .backspace]),
    ("\u{1B}[1;5Cx", [.character("x")]), ("\u{1}q", [.character("q")]),
  ])
  func keysAreWhatTerminalsSend(text: String, keys: [TerminalKey]) {
    var decoder = KeyDecoder()
    #expect(decoder.keys(text.utf8) == keys)
    // In pieces, as slow lines send them; an escape alone is a key.
    guard !text.contains("\u{1B}") else { return }
    var slow = KeyDecoder()
    #expect(text.utf8.flatMap { slow.keys([$0]) } == keys)
  }
}
