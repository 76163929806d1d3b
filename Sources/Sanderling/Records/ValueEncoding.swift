import Foundation
import SanderlingSQLite

// The encoding of captured values in memory: a tag, then the eight bytes of a number, or a length of four bytes and the
// bytes of a text or blob. Each value has exactly one encoding, so that equal bytes are equal values: 1 and 1.0 differ,
// as do 0.0 and -0.0.

enum ValueTag {
  static let null: UInt8 = 0
  static let integer: UInt8 = 1
  static let real: UInt8 = 2
  static let text: UInt8 = 3
  static let blob: UInt8 = 4

  /// The greatest number of bytes of a tag with a number or a length.
  static let greatestFixedSize = 9
}

/// A value that refers to its encoding, without a copy.
enum EncodedValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(UnsafeRawBufferPointer)
  case blob(UnsafeRawBufferPointer)

  /// A copy of the value. Malformed UTF-8 is repaired as in reading rows.
  var value: StorageValue {
    switch self {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): .blob(Data(bytes))
    }
  }

  /// A copy of the value; nil for a text that isn't UTF-8.
  var validated: StorageValue? {
    if case .text(let bytes) = self { String(validating: bytes, as: UTF8.self).map { .text($0) } } else { value }
  }
}

extension ParameterBinder {
  /// Binds a value byte for byte, including texts that aren't UTF-8.
  func bind(_ value: EncodedValue, at index: Int32) throws {
    guard let statement, case .text(let bytes) = value else { return try bind(value.value, at: index) }
    // Safe: only SQLite reads the bytes, and C may read any memory as characters.
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? UnsafePointer(emptyBytes)
    try check(
      sqlite3_bind_text64(
        statement, offset + index, start, UInt64(bytes.count), transientDestructor, UInt8(SQLITE_UTF8)))
  }

  /// Binds encoded values to consecutive parameters, byte for byte.
  func bind(encoding bytes: [UInt8], from index: Int32) throws {
    try bytes.withUnsafeBytes { bytes in
      var (decoder, index) = (ValueDecoder(bytes), index)
      while let value = decoder.next() {
        try bind(value, at: index)
        index += 1
      }
    }
  }
}

/// A reader of encoded values, one after the other.
struct ValueDecoder {
  private let bytes: UnsafeRawBufferPointer
  private(set) var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset >= bytes.count }

  /// The next value, or nil at the end.
  mutating func next() -> EncodedValue? {
    guard offset < bytes.count else { return nil }
    let start = offset + 1
    switch bytes[offset] {
    case ValueTag.integer:
      offset = start + 8
      return .integer(bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
    case ValueTag.real:
      offset = start + 8
      return .real(bytes.loadUnaligned(fromByteOffset: start, as: Double.self))
    case ValueTag.text:
      return .text(nextContent(start))
    case ValueTag.blob:
      return .blob(nextContent(start))
    default:
      offset = start
      return .null
    }
  }

  private mutating func nextContent(_ start: Int) -> UnsafeRawBufferPointer {
    let count = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
    offset = start + 4 + count
    return UnsafeRawBufferPointer(rebasing: bytes[start + 4..<offset])
  }
}

/// A writer of encoded values to memory that is large enough.
struct ValueEncoder {
  private(set) var end: UnsafeMutableRawPointer

  init(_ start: UnsafeMutableRawPointer) {
    end = start
  }

  mutating func appendNull() {
    append(tag: ValueTag.null)
  }

  mutating func append(_ integer: Int64) {
    append(tag: ValueTag.integer)
    end.storeBytes(of: integer, as: Int64.self)
    end += 8
  }

  mutating func append(_ real: Double) {
    append(tag: ValueTag.real)
    end.storeBytes(of: real, as: Double.self)
    end += 8
  }

  mutating func append(text: UnsafeRawPointer?, count: Int) {
    append(content: text, count, tag: ValueTag.text)
  }

  mutating func append(blob: UnsafeRawPointer?, count: Int) {
    append(content: blob, count, tag: ValueTag.blob)
  }

  mutating func append(_ value: EncodedValue) {
    switch value {
    case .null: appendNull()
    case .integer(let integer): append(integer)
    case .real(let real): append(real)
    case .text(let text): append(text: text.baseAddress, count: text.count)
    case .blob(let blob): append(blob: blob.baseAddress, count: blob.count)
    }
  }

  /// Appends values that are already encoded.
  mutating func append(encoding: UnsafeRawBufferPointer) {
    guard let start = encoding.baseAddress, encoding.count > 0 else { return }
    end.copyMemory(from: start, byteCount: encoding.count)
    end += encoding.count
  }

  private mutating func append(tag: UInt8) {
    end.storeBytes(of: tag, as: UInt8.self)
    end += 1
  }

  private mutating func append(content: UnsafeRawPointer?, _ count: Int, tag: UInt8) {
    append(tag: tag)
    end.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self)
    end += 4
    guard let content, count > 0 else { return }
    end.copyMemory(from: content, byteCount: count)
    end += count
  }
}

extension ResultRow {
  /// An upper bound of the number of bytes of the first columns' encoded values.
  func encodedSize(_ columnCount: Int) -> Int {
    var size = ValueTag.greatestFixedSize * columnCount
    for column in firstColumn..<firstColumn + Int32(columnCount) {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_TEXT, SQLITE_BLOB: size += Int(sqlite3_column_bytes(statement, column))
      default: break
      }
    }
    return size
  }

  /// The encoded values of the first columns.
  func encoding(_ columnCount: Int) -> [UInt8] {
    // Safe: `encodedSize` is an upper bound, and `count` is the number of bytes that the encoder has written.
    [UInt8](unsafeUninitializedCapacity: encodedSize(columnCount)) { buffer, count in
      guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
      var encoder = ValueEncoder(start)
      encode(columnCount, to: &encoder)
      count = encoder.end - start
    }
  }

  func encode(_ columnCount: Int, to encoder: inout ValueEncoder) {
    for column in firstColumn..<firstColumn + Int32(columnCount) {
      switch sqlite3_column_type(statement, column) {
      case SQLITE_INTEGER: encoder.append(sqlite3_column_int64(statement, column))
      case SQLITE_FLOAT: encoder.append(sqlite3_column_double(statement, column))
      case SQLITE_TEXT:
        let text = sqlite3_column_text(statement, column)
        encoder.append(text: text, count: Int(sqlite3_column_bytes(statement, column)))
      case SQLITE_BLOB:
        let blob = sqlite3_column_blob(statement, column)
        encoder.append(blob: blob, count: Int(sqlite3_column_bytes(statement, column)))
      default: encoder.appendNull()
      }
    }
  }
}
