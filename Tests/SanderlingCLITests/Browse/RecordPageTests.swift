import Foundation
import Sanderling
import SanderlingTerminal
import Testing

@testable import SanderlingCLI

/// A record on the screen, without a terminal.
struct RecordPageTests {
  private func block(_ value: StorageValue, width: Int = 40, name: String = "name") -> [String] {
    let block = RecordBlock(name: name, value, width: width)
    return (0..<block.count).map(block.line)
  }

  @Test func shortValuesAreOnOneLine() {
    #expect(block(.null) == ["name (NULL)"])
    #expect(block(.text("")) == ["name (empty text)"])
    #expect(block(.text("NULL")) == ["name (text): NULL"])
    #expect(block(.integer(-5)) == ["name (integer): -5"])
    #expect(block(.real(1e300)) == ["name (real): 1e+300"])
    #expect(block(.blob(Data())) == ["name (blob, 0 bytes)"])
    #expect(block(.text("a\u{1B}[2Jb\u{9B}")) == ["name (text): a\\u{1B}[2Jb\\u{9B}"])
  }

  @Test func blobsAreHexadecimal() {
    #expect(
      block(.blob(Data("Hello, world! 123".utf8)), width: 60)
        == [
          "name (blob, 17 bytes)", "  0000  48 65 6c 6c 6f 2c 20 77 Hello, w",
          "  0008  6f 72 6c 64 21 20 31 32 orld! 12", "  0010  33                      3",
        ])
    #expect(block(.blob(Data([0, 255, 16])), width: 7) == ["name (…", "00 ff", "10"])
    let bytes = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let lines = block(.blob(bytes), width: 80)
    #expect(lines.count == 1 + 62_500 && lines.allSatisfy { $0.displayWidth <= 80 })
    let digits = lines.dropFirst().flatMap { $0.dropFirst(9).prefix(48).split(separator: " ") }
    #expect(digits.map { UInt8($0, radix: 16) ?? 0 } == Array(bytes))
  }

  @Test func jsonIsIndented() {
    #expect(
      block(.text(#"{"b":[1,2.50,{}],"a":"x, \"{y}\"","c":[]}"#))
        == [
          "name (JSON, 41 bytes):", "  {", "    \"b\": [", "      1,", "      2.50,", "      {}", "    ],",
          "    \"a\": \"x, \\\"{y}\\\"\",", "    \"c\": []", "  }",
        ])
    #expect(block(.text("[1,")) == ["name (text): [1,"])
    #expect(block(.text("12")) == ["name (text): 12"])
  }

  /// The indentation changes only spaces.
  @Test func indentedJSONHasTheSameValues() throws {
    var generator = SeededGenerator()
    print("JSON: SANDERLING_SEED=\(generator.seed)")
    func value(_ depth: Int) -> String {
      let strings = [#""""#, #""a{b""#, #""\\\"""#, #"" ,:[]""#, #""é日""#]
      let count = Int.random(in: 0...3, using: &generator)
      switch Int.random(in: 0..<(depth > 4 ? 4 : 7), using: &generator) {
      case 0: return "1e5"
      case 1: return ["true", "null", "-0.50"].randomElement(using: &generator) ?? ""
      case 2, 3: return strings.randomElement(using: &generator) ?? ""
      case 4: return "[" + (0..<count).map { _ in value(depth + 1) }.joined(separator: " , ") + "]"
      default:
        let members = (0..<count).map { "\n\"k\($0)\" :\(value(depth + 1))" }
        return "{" + members.joined(separator: ",\t") + "}"
      }
    }
    for _ in 0..<300 {
      let text = "[" + value(0) + "]"
      let indented = try #require(text.indentedJSON, "\(text)")
      let (before, after) = try (
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSArray,
        JSONSerialization.jsonObject(with: Data(indented.utf8)) as? NSArray
      )
      #expect(before == after, "\(text)")
      #expect(indented.indentedJSON == indented)
      #expect(!indented.contains(" \n") && !indented.contains("\n\n"))
    }
  }

  @Test(arguments: [20, 7, 1, 80]) func longTextsAreWhole(width: Int) {
    for text in [
      String(repeating: "0123456789", count: 1_000), String(repeating: "日本語e\u{301}👩\u{200D}👧🇨🇭", count: 300),
      "a\n\nb\r\nlast",
    ] {
      let lines = block(.text(text), width: width, name: "n").dropFirst()
      let indentation = width >= 12 ? 2 : 0
      let expected = text.replacing("\r\n", with: "\n").replacing("\n", with: "")
      #expect(lines.map { $0.dropFirst(indentation) }.joined() == expected)
      #expect(lines.allSatisfy { $0.displayWidth <= max(width, 2) })
    }
  }

  // MARK: Scrolling

  private func page(_ values: [StorageValue], columns: Int, rows: Int) -> RecordPage {
    var page = RecordPage(names: values.indices.map { "c\($0)" }, values: values)
    page.fit(.init(columns: columns, rows: rows))
    return page
  }

  private func texts(_ page: inout RecordPage) -> [String] { page.visibleLines().map(\.text) }

  @Test func scrollsThroughAllLines() {
    let values: [StorageValue] = [.integer(1), .text(String(repeating: "x", count: 100)), .null, .blob(Data(1...20))]
    var page = page(values, columns: 22, rows: 5)
    let all = values.enumerated().flatMap { block($1, width: 22, name: "c\($0)") }
    var position = 0
    var generator = SeededGenerator()
    print("Record: SANDERLING_SEED=\(generator.seed)")
    #expect(texts(&page) == Array(all.prefix(4)))
    for _ in 0..<500 {
      let distance = Int.random(in: -9...9, using: &generator)
      page.move(by: distance)
      position = max(0, min(all.count - 4, position + distance))
      #expect(texts(&page) == Array(all[position..<position + 4]))
    }
    page.moveToEnd()
    #expect(texts(&page) == Array(all.suffix(4)))
    page.moveToStart()
    page.moveToNextColumn()
    #expect(texts(&page).first == "c1 (text):")
    // A larger window has room for all lines.
    page.fit(.init(columns: 22, rows: 50))
    #expect(texts(&page) == all)
  }

  @Test func fitsAnyWindow() {
    let values: [StorageValue] = (0..<200).map { .text("日本語 \($0)\n" + String(repeating: "é", count: $0)) }
    var page = page(values, columns: 80, rows: 24)
    for (columns, rows) in [(20, 5), (1, 1), (7, 3), (200, 60), (20, 10), (1, 2)] {
      page.fit(.init(columns: columns, rows: rows))
      page.move(by: 50)
      let lines = RecordFrame(lines: page.visibleLines(), status: page.place).lines(
        size: .init(columns: columns, rows: rows), style: TextStyle(isColored: false))
      #expect(lines.count == rows && lines.allSatisfy { $0.displayWidth <= max(2, columns) })
    }
  }

  @Test func aRecordWithoutColumnsIsEmpty() {
    var page = page([], columns: 20, rows: 5)
    page.move(by: 3)
    page.moveToEnd()
    page.moveToNextColumn()
    #expect(page.visibleLines().isEmpty)
  }
}
