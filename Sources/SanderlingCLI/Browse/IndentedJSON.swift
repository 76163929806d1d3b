import Foundation

extension String {
  /// The text of a JSON object or array with a line for each member and element; nil for other texts. Numbers, strings
  /// and the order of the members stay as they are.
  var indentedJSON: String? {
    guard let first = utf8.first(where: { !$0.isJSONSpace }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
      (try? JSONSerialization.jsonObject(with: Data(utf8))) != nil
    else { return nil }
    var writer = JSONIndenter()
    for byte in utf8 { writer.add(byte) }
    return String(decoding: writer.result, as: UTF8.self)
  }
}

/// Writes valid JSON with line breaks and indentation, byte by byte.
private struct JSONIndenter {
  private(set) var result: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// Whether the last byte opened an object or array, which may be empty.
  private var isAtStart = false

  /// Deeper parts aren't indented further: the lines of deeply nested JSON would have little else.
  private static let deepestIndentation = 16

  mutating func add(_ byte: UInt8) {
    if isInString {
      result.append(byte)
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    if byte.isJSONSpace { return }
    let isEnd = byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]")
    if isEnd { depth -= 1 }
    if isAtStart != isEnd { breakLine() }
    isAtStart = false
    result.append(byte)
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      depth += 1
      isAtStart = true
    case UInt8(ascii: ","): breakLine()
    case UInt8(ascii: ":"): result.append(UInt8(ascii: " "))
    case UInt8(ascii: "\""): isInString = true
    default: break
    }
  }

  private mutating func breakLine() {
    result.append(0x0A)
    result.append(contentsOf: repeatElement(0x20, count: 2 * min(depth, Self.deepestIndentation)))
  }
}

extension UInt8 {
  fileprivate var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
}
