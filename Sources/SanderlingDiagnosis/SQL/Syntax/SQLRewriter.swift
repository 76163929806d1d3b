import SanderlingSQL

/// Replaces parts of a text and keeps the rest as written.
struct SQLRewriter {
  private let text: SQLText
  private var edits: [(range: Range<Int>, sql: String)] = []

  init(_ text: SQLText) {
    self.text = text
  }

  /// Replaces a range by SQL. Among overlapping ranges, the one that begins first wins, then the one that was added
  /// first.
  mutating func replace(_ range: Range<Int>, with sql: String) {
    edits.append((range.clamped(to: text.bytes.indices), sql))
  }

  /// Inserts SQL at an offset.
  mutating func insert(_ sql: String, at offset: Int) {
    let offset = max(0, min(offset, text.bytes.count))
    edits.append((offset..<offset, sql))
  }

  /// Returns the text, or a part of it, with all replacements inside. O(length + replacements · log replacements).
  func rewritten(_ part: Range<Int>? = nil) -> String {
    let part = (part ?? text.bytes.indices).clamped(to: text.bytes.indices)
    var bytes: [UInt8] = []
    var end = part.lowerBound
    let inOrder = edits.enumerated().sorted {
      ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset)
    }
    for (_, edit) in inOrder
    where edit.range.lowerBound >= max(end, part.lowerBound) && edit.range.upperBound <= part.upperBound {
      bytes += text.bytes[end..<edit.range.lowerBound]
      bytes += edit.sql.utf8
      end = edit.range.upperBound
    }
    bytes += text.bytes[end..<part.upperBound]
    return String(decoding: bytes, as: UTF8.self)
  }
}
