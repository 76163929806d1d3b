/// SQL as UTF-8 bytes, which the ranges of tokens and syntax nodes refer to.
package struct SQLText: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text of a range; parts of it that lie outside of the text are left out.
  package subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
  }

  /// The byte at an offset, or 0 outside of the text, as the end of a C string reads.
  package subscript(offset: Int) -> UInt8 {
    bytes.indices.contains(offset) ? bytes[offset] : 0
  }

  /// The line, from 1, and the column in bytes, from 1, of an offset. O(length).
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let before = bytes[..<max(0, min(offset, bytes.count))]
    let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (line, before.count - lineStart + 1)
  }
}
