/// The words of a folded text, in order.
///
/// Words are:
///
/// - Letters, numbers and their marks, as long as they follow each other. Everything else separates words: white space,
///   `-`, `_`, `'`, `.`, `@`, `/`, NUL. So `e-mail`, `snake_case`, `don't`, `3.14` and `anna@example.org` are several
///   words. A search for one of them finds these words side by side.
/// - One or two `+` or `#` right after a letter or number belong to the word, as in `C++`, `C#` and `A+`. Exception: if
///   a letter or number follows, they separate, as in `1+1` and `issue#12`. But `++` belongs to the word even then, as
///   in `C++17`. A `#` before a word doesn't belong to it: `#tag` is `tag`.
/// - Letters of some scripts form a *run*: Han, kana, Bopomofo, Hangul, Thai, Lao, Khmer, Burmese and their kin. These
///   scripts write no spaces between words, or their words are found inside of longer ones. Any other letter or number
///   ends the run. A *unit* of a run is a letter with the marks after it. Hangul forms runs, although Korean has
///   spaces. So 특별 is found in 서울특별시, and 도서관 in 도서관에서, without a dictionary of compounds and particles.
/// - Each symbol outside of ASCII, such as emoji, €, → and ≠, each skin tone, and each pair of regional indicators.
///
/// A mark without a letter before it is no word. UAX #29 differs: it keeps `don't` and `3.14` together, and defines no
/// runs.
struct WordSegments: Sequence, IteratorProtocol {
  private let bytes: UnsafePointer<UInt8>
  private let end: Int
  private var index = 0
  private let tables: FoldTablePointers

  struct Segment: Equatable {
    enum Kind: Equatable {
      case word
      case run
    }

    let kind: Kind
    /// The range of the segment in the bytes of the folded text.
    let range: Range<Int>
  }

  /// Creates the words of a part of a folded text. The addresses of the text and the tables must be valid while the
  /// value is used.
  init(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ tables: FoldTablePointers) {
    self.bytes = bytes
    self.tables = tables
    index = range.lowerBound
    end = range.upperBound
  }

  mutating func next() -> Segment? {
    while index < end {
      let start = index
      let byte = bytes[index]
      let wordClass: WordClass
      if byte < 0x80 {
        index += 1
        wordClass = Self.isASCIILetter(byte) ? .letter : .separator
      } else {
        wordClass = tables[UTF8Scalars.next(bytes, &index, end: end)].wordClass
      }
      switch wordClass {
      case .separator, .mark: continue
      case .letter:
        skip { $0 == .letter || $0 == .mark }
        takeSuffix()
        return Segment(kind: .word, range: start..<index)
      case .unspacedLetter:
        skip { $0 == .unspacedLetter || $0 == .mark }
        return Segment(kind: .run, range: start..<index)
      case .symbol:
        skip { $0 == .mark }
        return Segment(kind: .word, range: start..<index)
      case .regionalIndicator:
        var other = index
        if other < end, tables[UTF8Scalars.next(bytes, &other, end: end)].wordClass == .regionalIndicator {
          index = other
        }
        skip { $0 == .mark }
        return Segment(kind: .word, range: start..<index)
      }
    }
    return nil
  }

  @inline(__always)
  static func isASCIILetter(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte &- 0x30 < 10 }

  @inline(__always)
  private mutating func skip(while condition: (WordClass) -> Bool) {
    while index < end {
      let byte = bytes[index]
      if byte < 0x80 {
        guard condition(Self.isASCIILetter(byte) ? .letter : .separator) else { return }
        index += 1
      } else {
        var next = index
        guard condition(tables[UTF8Scalars.next(bytes, &next, end: end)].wordClass) else { return }
        index = next
      }
    }
  }

  /// Takes a suffix such as the `++` of `C++` into the word.
  @inline(__always)
  private mutating func takeSuffix() {
    guard index < end, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "#") else { return }
    var suffix = index
    while suffix < end, bytes[suffix] == UInt8(ascii: "+") || bytes[suffix] == UInt8(ascii: "#") { suffix += 1 }
    guard suffix - index <= 2 else { return }
    let isIncrement = suffix - index == 2 && bytes[index] == UInt8(ascii: "+") && bytes[index + 1] == UInt8(ascii: "+")
    if suffix < end, !isIncrement {
      var next = suffix
      switch tables[UTF8Scalars.next(bytes, &next, end: end)].wordClass {
      case .letter, .unspacedLetter: return
      case .separator, .mark, .symbol, .regionalIndicator: break
      }
    }
    index = suffix
  }
}
