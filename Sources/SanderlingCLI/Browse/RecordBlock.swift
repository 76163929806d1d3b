import Foundation
import Sanderling
import SanderlingTerminal

/// The lines of one column of a record: its name with the kind of its value, and the whole value.
///
/// A short value stands behind the name. The bytes of a blob are lines of hexadecimal digits, and JSON is indented.
struct RecordBlock {
  private enum Body {
    case none
    case lines([Substring])
    case bytes(Data, perLine: Int)
  }

  let title: String
  private let body: Body
  private let indentation: String
  private let width: Int

  init(name: String, _ value: StorageValue, width: Int) {
    self.width = width
    indentation = width >= 12 ? "  " : ""
    let room = max(1, width - indentation.count)
    let (kind, text) = Self.content(value)
    let name = name.isEmpty ? "\"\"" : name.printable
    if case .blob(let data) = value {
      title = "\(name) (\(kind))"
      body = data.isEmpty ? .none : .bytes(data, perLine: Self.bytesPerLine(of: data.count, in: room))
      return
    }
    let inline = "\(name) (\(kind)): \(text)"
    // A character of one column has at most some bytes.
    if text.utf8.count <= 16 * width, !text.utf8.contains(0x0A), inline.displayWidth <= width {
      title = text.isEmpty ? "\(name) (\(kind))" : inline
      body = .none
    } else {
      title = "\(name) (\(kind)):"
      body = .lines(text.linesOfCharacters(width: room))
    }
  }

  /// The value's kind, and its text without characters that control a terminal.
  private static func content(_ value: StorageValue) -> (kind: String, text: String) {
    switch value {
    case .null: ("NULL", "")
    case .integer(let integer): ("integer", String(integer))
    case .real(let real): ("real", real.description)
    case .blob(let data): ("blob, \(data.count.counted("byte"))", "")
    case .text(let text):
      if let json = text.indentedJSON {
        ("JSON, \(text.utf8.count.counted("byte"))", json.shown)
      } else {
        (
          text.isEmpty ? "empty text" : text.utf8.count < 1_000 ? "text" : "text, \(text.utf8.count.counted("byte"))",
          text.shown
        )
      }
    }
  }

  /// The number of lines, with the title.
  var count: Int {
    switch body {
    case .none: 1
    case .lines(let lines): 1 + lines.count
    case .bytes(let data, let perLine): 1 + (data.count + perLine - 1) / perLine
    }
  }

  /// Returns a line that fits the width.
  func line(_ index: Int) -> String {
    if index == 0 { return title.cut(toWidth: width) }
    return switch body {
    case .none: ""
    case .lines(let lines): indentation + lines[index - 1]
    case .bytes(let data, let perLine): indentation + Self.digits(of: data, from: (index - 1) * perLine, perLine)
    }
  }

  // MARK: Blobs

  /// The digits of the largest offset.
  private static func digits(of count: Int) -> Int { max(4, String(max(0, count - 1), radix: 16).count) }

  private static func bytesPerLine(of count: Int, in width: Int) -> Int {
    // The offset, two digits and a space for each byte, and the bytes as characters.
    [32, 16, 8, 4].first { digits(of: count) + 2 + 4 * $0 + 1 <= width } ?? max(1, (width + 1) / 3)
  }

  private static func digits(of data: Data, from start: Int, _ perLine: Int) -> String {
    let bytes = data[data.startIndex + start..<min(data.endIndex, data.startIndex + start + perLine)]
    let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
    guard [32, 16, 8, 4].contains(perLine) else { return digits }
    let offset = String(start, radix: 16)
    let zeros = String(repeating: "0", count: Self.digits(of: data.count) - offset.count)
    let characters = String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: ".") }, as: UTF8.self)
    return "\(zeros)\(offset)  \(digits.padded(toWidth: 3 * perLine))\(characters)"
  }
}

extension String {
  /// The text with its line breaks, and `\u{9B}` in place of other characters that control a terminal.
  fileprivate var shown: String {
    if utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A }) { return self }
    return visibleLines(limit: .max)
  }

  /// Returns the lines of the text, each divided into parts of a width.
  fileprivate func linesOfCharacters(width: Int) -> [Substring] {
    var parts: [Substring] = []
    for line in split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty { parts.append(line) } else { line.appendParts(of: width, to: &parts) }
    }
    return parts
  }
}

extension Substring {
  fileprivate func appendParts(of width: Int, to parts: inout [Substring]) {
    // A shortcut for ASCII, whose characters are all one byte and one column.
    if utf8.allSatisfy({ $0 < 0x7F }) {
      var start = startIndex
      while start < endIndex {
        let end = utf8.index(start, offsetBy: width, limitedBy: endIndex) ?? endIndex
        parts.append(self[start..<end])
        start = end
      }
      return
    }
    var (start, used) = (startIndex, 0)
    for index in indices {
      let next = self[index].displayWidth
      if used > 0, used + next > width {
        parts.append(self[start..<index])
        (start, used) = (index, 0)
      }
      used += next
    }
    parts.append(self[start...])
  }
}
