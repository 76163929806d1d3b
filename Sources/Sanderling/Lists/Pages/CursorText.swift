import Foundation

/// [Base64 for URLs](https://www.rfc-editor.org/rfc/rfc4648#section-5), without padding.
enum CursorText {
  static func string(_ bytes: [UInt8]) -> String {
    let digits = Data(bytes).base64EncodedData().filter { $0 != UInt8(ascii: "=") }
    return String(decoding: digits.map { replacing($0, ["+": "-", "/": "_"]) }, as: UTF8.self)
  }

  /// The bytes of a text; nil if ``string(_:)`` never returns it.
  static func bytes(_ string: String) -> [UInt8]? {
    let digits = string.utf8.map { replacing($0, ["-": "+", "_": "/"]) }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - digits.count % 4) % 4)
    guard let bytes = Data(base64Encoded: Data(digits + padding)).map(Array.init) else { return nil }
    // Foundation decodes more than one text to the same bytes.
    return self.string(bytes) == string ? bytes : nil
  }

  private static func replacing(_ digit: UInt8, _ others: KeyValuePairs<Unicode.Scalar, Unicode.Scalar>) -> UInt8 {
    others.first { UInt8(ascii: $0.key) == digit }.map { UInt8(ascii: $0.value) } ?? digit
  }
}
