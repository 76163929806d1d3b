import Foundation

/// The encoding of a file's characters.
///
/// UTF-16 is recognised by a mark at the beginning, or by a NUL in every other byte. Latin-1 and Windows-1252 can't be
/// recognised, so they must be named.
public enum FileEncoding: String, Sendable, Hashable, CaseIterable {
  /// UTF-8.
  case utf8 = "utf-8"
  /// UTF-16 with the least significant byte first.
  case utf16LittleEndian = "utf-16le"
  /// UTF-16 with the most significant byte first.
  case utf16BigEndian = "utf-16be"
  /// ISO 8859-1, of western Europe.
  case latin1
  /// ISO 8859-2, of central Europe.
  case latin2
  /// Windows-1250, of central Europe.
  case windows1250 = "windows-1250"
  /// Windows-1251, for Cyrillic.
  case windows1251 = "windows-1251"
  /// Windows-1252, of western Europe: Latin-1 with curly quotes and the euro sign in place of control characters.
  case windows1252 = "windows-1252"
  /// Windows-1254, for Turkish.
  case windows1254 = "windows-1254"

  /// The encoding with one byte for each character; nil for UTF-8 and UTF-16.
  private var byteEncoding: String.Encoding? {
    switch self {
    case .utf8, .utf16LittleEndian, .utf16BigEndian: nil
    case .latin1: .isoLatin1
    case .latin2: .isoLatin2
    case .windows1250: .windowsCP1250
    case .windows1251: .windowsCP1251
    case .windows1252: .windowsCP1252
    case .windows1254: .windowsCP1254
    }
  }

  /// The UTF-8 characters of all bytes; nil for UTF-8 and UTF-16.
  fileprivate var table: [[UInt8]]? {
    byteEncoding.map { encoding in
      (0...255).map { byte in
        String(bytes: [UInt8(byte)], encoding: encoding).map { Array($0.utf8) } ?? [FileDecoder.invalid]
      }
    }
  }
}

/// The encoding that a file's first bytes show.
struct FoundEncoding {
  let encoding: FileEncoding
  /// The length in bytes of the byte order mark.
  let markLength: Int

  /// - Returns: Nil if the bytes show no encoding: the file is UTF-8, or has the encoding that its user names.
  /// - Throws: ``RowRefusal`` for a file that is no text.
  init?(_ bytes: ArraySlice<UInt8>) throws {
    for (beginning, reason) in Self.others where bytes.starts(with: beginning) {
      throw RowRefusal(line: 1, reason: reason)
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      (encoding, markLength) = (.utf8, 3)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      (encoding, markLength) = (.utf16LittleEndian, 2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      (encoding, markLength) = (.utf16BigEndian, 2)
    } else if let pattern = Self.zeros(bytes) {
      (encoding, markLength) = (pattern, 0)
    } else {
      return nil
    }
  }

  private static let others: [(beginning: [UInt8], reason: String)] = [
    ([0x1F, 0x8B], "the file is compressed. Give the output of gunzip, by a pipe"),
    ([0x50, 0x4B, 0x03, 0x04], "the file is a ZIP archive. Give the file inside it"),
    ([0xFF, 0xFE, 0, 0], "the file is UTF-32, which can't be read. Convert the file to UTF-8"),
    ([0, 0, 0xFE, 0xFF], "the file is UTF-32, which can't be read. Convert the file to UTF-8"),
  ]

  /// UTF-16 without a mark whose first line is ASCII: exactly every other byte is zero.
  private static func zeros(_ bytes: ArraySlice<UInt8>) -> FileEncoding? {
    let sample = Array(bytes.prefix(64).prefix { $0 != 10 && $0 != 13 })
    guard sample.count >= 4 else { return nil }
    func areZero(_ first: Int) -> Bool { stride(from: first, to: sample.count, by: 2).allSatisfy { sample[$0] == 0 } }
    func areNotZero(_ first: Int) -> Bool {
      stride(from: first, to: sample.count, by: 2).allSatisfy { sample[$0] != 0 }
    }
    if areZero(1), areNotZero(0) { return .utf16LittleEndian }
    if areZero(0), areNotZero(1) { return .utf16BigEndian }
    return nil
  }
}

/// Converts the bytes of a file to UTF-8 as they arrive. Invalid bytes become a byte that UTF-8 never contains, so that
/// their row is refused.
struct FileDecoder {
  static let invalid: UInt8 = 0xFF

  private let table: [[UInt8]]
  private let isLittleEndian: Bool
  /// The first byte of a unit of UTF-16.
  private var first: UInt8?
  /// The first half of a surrogate pair.
  private var high: UInt16?

  /// - Returns: Nil for UTF-8, which needs no conversion.
  init?(_ encoding: FileEncoding) {
    if encoding == .utf8 { return nil }
    table = encoding.table ?? []
    isLittleEndian = encoding == .utf16LittleEndian
  }

  mutating func decode(_ bytes: ArraySlice<UInt8>, into text: inout [UInt8]) {
    if !table.isEmpty {
      for byte in bytes { text += table[Int(byte)] }
      return
    }
    for byte in bytes {
      guard let first else {
        first = byte
        continue
      }
      self.first = nil
      add(isLittleEndian ? UInt16(byte) << 8 | UInt16(first) : UInt16(first) << 8 | UInt16(byte), to: &text)
    }
  }

  /// Ends the text: an incomplete character at its end is invalid.
  mutating func finish(into text: inout [UInt8]) {
    if high != nil || first != nil { text.append(Self.invalid) }
    (high, first) = (nil, nil)
  }

  private mutating func add(_ unit: UInt16, to text: inout [UInt8]) {
    if let high {
      self.high = nil
      if (0xDC00..<0xE000).contains(unit),
        let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(unit) - 0xDC00))
      {
        text += UTF8.encode(scalar).map { Array($0) } ?? [Self.invalid]
        return
      }
      text.append(Self.invalid)
    }
    if (0xD800..<0xDC00).contains(unit) {
      high = unit
    } else if let scalar = Unicode.Scalar(unit) {
      text += UTF8.encode(scalar).map { Array($0) } ?? [Self.invalid]
    } else {
      text.append(Self.invalid)
    }
  }
}
