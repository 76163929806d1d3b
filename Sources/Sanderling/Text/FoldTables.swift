/// The tables of the fold, which `Scripts/unicode-tables` writes from Unicode's data.
///
/// They take 60 kB, from the first use to the end of the process. The entry of a scalar takes two reads.
struct FoldTables: Sendable {
  private let starts: [UInt16]
  private let entries: [UInt16]
  private let offsets: [UInt16]
  private let texts: [UInt8]
  /// The compositions, ascending by first and second scalar.
  private let compositions: [Composition]
  /// The compositions, ascending by composite.
  private let decompositions: [Composition]

  struct Composition: Sendable {
    let first: UInt32
    let second: UInt32
    let composite: UInt32

    var key: UInt64 { UInt64(first) << 32 | UInt64(second) }
  }

  static let shared = FoldTables()

  private init() {
    starts = Self.numbers(FoldTableData.starts)
    entries = Self.numbers(FoldTableData.entries)
    offsets = Self.numbers(FoldTableData.offsets)
    texts = Self.bytes(FoldTableData.texts)
    let pairs = Self.numbers(FoldTableData.pairs)
    let scalars = stride(from: 0, to: pairs.count, by: 2).map { UInt32(pairs[$0]) | UInt32(pairs[$0 + 1]) << 16 }
    compositions = stride(from: 0, to: scalars.count, by: 3).map {
      Composition(first: scalars[$0], second: scalars[$0 + 1], composite: scalars[$0 + 2])
    }
    decompositions = compositions.sorted { $0.composite < $1.composite }
  }

  /// Passes the addresses of the tables to the body. They are valid only in the body, and never nil, since no table is
  /// empty.
  @inline(__always)
  static func withPointers<Result>(_ body: (FoldTablePointers) -> Result) -> Result {
    let tables = shared
    return tables.starts.withUnsafeBufferPointer { starts in
      tables.entries.withUnsafeBufferPointer { entries in
        tables.offsets.withUnsafeBufferPointer { offsets in
          tables.texts.withUnsafeBufferPointer { texts in
            body(
              FoldTablePointers(
                starts: starts.baseAddress.unsafelyUnwrapped, entries: entries.baseAddress.unsafelyUnwrapped,
                offsets: offsets.baseAddress.unsafelyUnwrapped, texts: texts.baseAddress.unsafelyUnwrapped))
          }
        }
      }
    }
  }

  /// The primary composite of two scalars by UAX #15; nil if there is none, or the fold doesn't keep it. Calculates
  /// Hangul.
  func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if let syllable = Hangul.composite(first, second) { return syllable }
    let key = UInt64(first) << 32 | UInt64(second)
    let index = compositions.partitionIndex { $0.key >= key }
    guard index < compositions.count, compositions[index].key == key else { return nil }
    return compositions[index].composite
  }

  /// Passes the scalars of the canonical decomposition of a scalar of a folded text to the closure.
  func decompose(_ scalar: UInt32, into append: (UInt32) -> Void) {
    if let (first, second) = Hangul.parts(scalar) {
      decompose(first, into: append)
      append(second)
      return
    }
    let index = scalar < 0x80 ? 0 : decompositions.partitionIndex { $0.composite >= scalar }
    guard index < decompositions.count, decompositions[index].composite == scalar else { return append(scalar) }
    decompose(decompositions[index].first, into: append)
    append(decompositions[index].second)
  }

  private static func numbers(_ literal: StaticString) -> [UInt16] {
    let bytes = bytes(literal)
    return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
  }

  /// Decodes Base64: RFC 4648.
  private static func bytes(_ literal: StaticString) -> [UInt8] {
    literal.withUTF8Buffer { text in
      var result: [UInt8] = []
      result.reserveCapacity(text.count / 4 * 3)
      var bits: UInt32 = 0
      var count: UInt32 = 0
      for byte in text {
        let value: UInt8
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte + 4
        case UInt8(ascii: "+"): value = 62
        case UInt8(ascii: "/"): value = 63
        default: continue
        }
        bits = bits << 6 | UInt32(value)
        count += 6
        if count >= 8 {
          count -= 8
          result.append(UInt8(truncatingIfNeeded: bits >> count))
        }
      }
      return result
    }
  }
}

/// The addresses of the tables. Valid only in the body of `FoldTables.withPointers`.
struct FoldTablePointers {
  let starts: UnsafePointer<UInt16>
  let entries: UnsafePointer<UInt16>
  let offsets: UnsafePointer<UInt16>
  let texts: UnsafePointer<UInt8>

  /// The entry of a scalar. The scalar must be less than 0x110000.
  @inline(__always)
  subscript(scalar: UInt32) -> FoldEntry {
    if scalar < 0x30000 {
      return FoldEntry(rawValue: entries[Int(starts[Int(scalar >> 6)]) << 6 | Int(scalar & 63)])
    }
    return Self.distant(scalar)
  }

  /// The text of a mapping, in UTF-8.
  @inline(__always)
  func text(_ mapping: Int) -> UnsafeBufferPointer<UInt8> {
    let start = Int(offsets[mapping])
    return UnsafeBufferPointer(start: texts + start, count: Int(offsets[mapping + 1]) - start)
  }

  /// The entry of a scalar that the tables omit, because it follows from a rule.
  @inline(never)
  private static func distant(_ scalar: UInt32) -> FoldEntry {
    switch scalar {
    case 0x30000..<0x40000: .starter(.unspacedLetter)
    // Tags belong to the emoji that they follow. All other scalars of their plane are default ignorable, assigned or
    // not.
    case 0xE0020...0xE007F: .starter(.mark)
    case 0xE0000..<0xE1000: FoldEntry(rawValue: FoldEntry.Kind.removed.rawValue)
    // Private use.
    case 0xF0000...: .starter(.symbol)
    default: .starter(.letter)
    }
  }
}

/// The arithmetic of Hangul syllables: The Unicode Standard, section 3.12.
enum Hangul {
  static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
    if 0x1100..<0x1113 ~= first, 0x1161..<0x1176 ~= second {
      return 0xAC00 + ((first - 0x1100) * 21 + second - 0x1161) * 28
    }
    if 0xAC00..<0xD7A4 ~= first, (first - 0xAC00) % 28 == 0, 0x11A8..<0x11C3 ~= second {
      return first + second - 0x11A7
    }
    return nil
  }

  /// The two parts that compose to a syllable.
  static func parts(_ syllable: UInt32) -> (first: UInt32, second: UInt32)? {
    guard 0xAC00..<0xD7A4 ~= syllable else { return nil }
    let index = syllable - 0xAC00
    let final = index % 28
    if final != 0 { return (syllable - final, 0x11A7 + final) }
    return (0x1100 + index / 588, 0x1161 + index % 588 / 28)
  }
}

extension Array {
  /// The first index whose element fulfils the condition; the count if there is none. All elements after it must fulfil
  /// the condition too. O(log n).
  fileprivate func partitionIndex(where condition: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
