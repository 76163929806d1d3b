/// SQL as UTF-8 bytes, which the ranges of tokens and syntax nodes refer to.
package struct SQLText: Hashable, Sendable {
  package let bytes: [UInt8]

  package init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// The text of a range, without the parts of the range outside the text.
  package subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self)
  }

  /// The byte at an offset. Outside the text, it is 0, like the end of a C string.
  package subscript(offset: Int) -> UInt8 {
    bytes.indices.contains(offset) ? bytes[offset] : 0
  }

  /// Returns the line and the column of an offset, both from 1. Columns count bytes. O(length).
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let before = bytes[..<max(0, min(offset, bytes.count))]
    let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return (line, before.count - lineStart + 1)
  }
}
