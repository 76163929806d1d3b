import Sanderling
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

/// The columns that a frame shows while it scrolls sideways.
struct ColumnWindowTests {
  private static let plain = TextStyle(isColored: false)

  private func frame(_ columns: Int, text: String = "some text of a cell", key: [Int] = [0]) -> BrowseFrame {
    var frame = BrowseFrame(
      title: "t", columns: (0..<columns).map { "c\($0)" }, top: 0,
      rows: [(0..<columns).map { .text("\($0) \(text)") }, nil], chosen: 0, count: RowCount(count: 2, least: 2),
      total: RowCount(count: 2, least: 2))
    frame.keyColumns = key
    return frame
  }

  /// Presses right and left at random. The chosen column and the key are always visible, and the view moves as little as
  /// it has to.
  @Test(
    arguments: [(80, 200), (20, 200), (20, 3), (7, 5), (300, 12), (1, 2)], [[0], [2], [], [0, 1], [0, 1, 2, 3, 4]])
  func chosenColumnAndKeyStayVisible(size: (width: Int, columns: Int), key: [Int]) {
    var frame = frame(size.columns, key: key.filter { $0 < size.columns })
    var generator = SeededGenerator()
    print("Columns: SANDERLING_SEED=\(generator.seed)")
    for _ in 0..<60 {
      let jump = Int.random(in: 0..<10, using: &generator) == 0 ? size.columns : 1
      frame.column = max(0, min(size.columns - 1, frame.column + (Bool.random(using: &generator) ? jump : -jump)))
      let before = frame.window(.init(columns: size.width, rows: 6))
      frame.firstColumn = before.first
      let window = frame.window(.init(columns: size.width, rows: 6))
      let shown = window.columns.map(\.index)
      #expect(window.first == before.first)
      #expect(shown.contains(frame.column), "\(shown) \(frame.column)")
      #expect(shown == shown.sorted())
      #expect(window.hidesRight == (shown.last != size.columns - 1))
      if size.width >= 20, let first = frame.keyColumns.first, first < window.first { #expect(shown.contains(first)) }
      let lines = frame.lines(window, size: .init(columns: size.width, rows: 6), style: Self.plain)
      #expect(lines.count == 6 && lines.allSatisfy { $0.displayWidth <= size.width })
    }
  }

  @Test func marksShowLeftOutColumns() {
    var frame = frame(200)
    func titles() -> String { frame.lines(size: .init(columns: 60, rows: 5), style: Self.plain)[0] }
    #expect(titles().hasPrefix("c0 ") && titles().hasSuffix(" ›"))
    frame.column = 100
    #expect(titles().hasPrefix("c0 ") && titles().contains("  ‹c") && titles().contains("  c100 "))
    frame.column = 199
    #expect(titles().contains("c199") && !titles().contains("›"))
    let status = frame.lines(size: .init(columns: 120, rows: 5), style: Self.plain)[4]
    #expect(status.hasPrefix("t: 1 (1 to 2) of 2, column 200 of 200: c199   / search"))
  }

  @Test func theOrderIsMarked() {
    var frame = frame(3)
    frame.order = .init(column: 1, isDescending: false)
    #expect(frame.lines(size: .init(columns: 120, rows: 5), style: Self.plain)[0].contains("c1 ↑"))
    frame.order = .init(column: 2, isDescending: true)
    #expect(frame.lines(size: .init(columns: 120, rows: 5), style: Self.plain)[0].contains("c2 ↓"))
  }

  /// A message longer than the window is shown on several lines.
  @Test func messagesAreWhole() {
    var frame = frame(3)
    frame.prompt = "There is no row 5,000: the last row is 3,000."
    let lines = frame.lines(size: .init(columns: 20, rows: 6), style: Self.plain)
    #expect(lines.count == 6 && lines.suffix(3) == ["There is no row", "5,000: the last row", "is 3,000."])
  }

  @Test(arguments: [(80, 24), (20, 5), (7, 3), (1, 1), (200, 2), (100, 12)])
  func theListOfKeysFitsAnyWindow(columns: Int, rows: Int) {
    var help = KeyHelp()
    var texts: [String] = []
    repeat {
      let lines = help.lines(size: .init(columns: columns, rows: rows), style: Self.plain)
      #expect(lines.count <= rows && lines.allSatisfy { $0.displayWidth <= columns })
      texts += lines.dropLast()
    } while help.advance(.init(columns: columns, rows: rows))
    if columns >= 20 {
      for word in ["sort by", "enter", "record", "search", "quit"] {
        #expect(texts.joined(separator: " ").contains(word), "\(word)")
      }
    }
  }
}
