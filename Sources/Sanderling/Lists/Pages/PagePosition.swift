import Foundation

/// The ordering values of a row, including its key, as a cursor stores them.
///
/// Each value is a tag and its bytes. An integer takes as few bytes as possible; a real takes eight. A text or blob has
/// its number of bytes, then the bytes. Malformed UTF-8 is kept as stored.
struct PagePosition: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a position; nil for bytes that don't encode values.
  init?(decoding bytes: [UInt8]) {
    self.bytes = bytes
    var decoder = Decoder(bytes: bytes[...])
    while !decoder.bytes.isEmpty {
      if decoder.next() == nil { return nil }
    }
  }

  /// The values as constants of a query.
  var constants: [Term] {
    var decoder = Decoder(bytes: bytes[...])
    var constants: [Term] = []
    while let value = decoder.next() { constants.append(value) }
    return constants
  }
}

extension PagePosition {
  /// Appends the encoding of a value.
  static func append(_ value: EncodedValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(ValueTag.null)
    case .integer(let integer):
      bytes.append(ValueTag.integer)
      // The sign becomes the lowest bit, so that small numbers are short.
      append(UInt64(bitPattern: integer << 1 ^ integer >> 63), to: &bytes)
    case .real(let real):
      bytes.append(ValueTag.real)
      withUnsafeBytes(of: real.bitPattern.littleEndian) { bytes += $0 }
    case .text(let text): append(text, ValueTag.text, to: &bytes)
    case .blob(let blob): append(blob, ValueTag.blob, to: &bytes)
    }
  }

  private static func append(_ content: UnsafeRawBufferPointer, _ tag: UInt8, to bytes: inout [UInt8]) {
    bytes.append(tag)
    append(UInt64(content.count), to: &bytes)
    bytes += content
  }

  /// Appends a number with seven bits in each byte, the lowest first.
  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private struct Decoder {
    var bytes: ArraySlice<UInt8>

    /// The next value as a constant of a query; nil at the end, and for malformed bytes.
    mutating func next() -> Term? {
      switch bytes.popFirst() {
      case ValueTag.null: return .constant(.null)
      case ValueTag.integer:
        guard let bits = number() else { return nil }
        return .constant(.integer(Int64(bitPattern: bits >> 1) ^ -Int64(bits & 1)))
      case ValueTag.real:
        guard bytes.count >= 8 else { return nil }
        let real = Double(bitPattern: bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
        bytes.removeFirst(8)
        return real.isNaN ? nil : .constant(.real(real))
      case ValueTag.text:
        return content().map { content in
          String(validating: content, as: UTF8.self).map { .constant(.text($0)) } ?? .malformedText(Data(content))
        }
      case ValueTag.blob: return content().map { .constant(.blob(Data($0))) }
      default: return nil
      }
    }

    private mutating func content() -> ArraySlice<UInt8>? {
      guard let count = number(), count <= UInt64(bytes.count) else { return nil }
      defer { bytes.removeFirst(Int(count)) }
      return bytes.prefix(Int(count))
    }

    private mutating func number() -> UInt64? {
      var number: UInt64 = 0
      for shift in stride(from: UInt64(0), to: 64, by: 7) {
        guard let byte = bytes.popFirst() else { return nil }
        // The tenth byte has one bit.
        if shift == 63, byte > 1 { return nil }
        number |= UInt64(byte & 0x7F) << shift
        if byte < 0x80 { return number }
      }
      return nil
    }
  }
}

extension Term {
  /// A text whose bytes aren't UTF-8, which no Swift string can hold. `coalesce` removes the affinity that CAST gives,
  /// so that the text is compared as stored.
  fileprivate static func malformedText(_ bytes: Data) -> Term {
    .function(
      .coalesce, [.raw([.sql("CAST("), .value(.blob(bytes)), .sql(" AS TEXT)")]), .literal(.null)])
  }
}
