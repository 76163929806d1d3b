import Foundation

extension Data {
  /// Reads a commit's hash; nil for text that is none.
  init?(hexadecimal text: UnsafeRawBufferPointer) {
    guard text.count == 40 || text.count == 64 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 2)
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = Self.digit(text[index]), let low = Self.digit(text[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension Sequence<UInt8> {
  /// The bytes as lower-case hexadecimal digits.
  var hexadecimal: [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }

  var hexadecimalText: String { String(decoding: hexadecimal, as: UTF8.self) }
}
