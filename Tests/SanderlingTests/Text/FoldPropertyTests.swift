import Foundation
import Testing

@testable import Sanderling

/// Properties of the fold of any text, checked on random texts in many scripts.
@Suite struct FoldPropertyTests {
  @Test func foldingTwiceIsFoldingOnce() {
    forRandomTexts { text, comment in
      let folded = TextFold.fold(text)
      #expect(Self.bytes(TextFold.fold(folded)) == Self.bytes(folded), comment)
    }
  }

  @Test func equivalentTextsHaveOneFold() {
    forRandomTexts { text, comment in
      let folded = Self.bytes(TextFold.fold(text))
      for other in [
        text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        text.decomposedStringWithCompatibilityMapping, text.precomposedStringWithCompatibilityMapping,
      ] {
        #expect(Self.bytes(TextFold.fold(other)) == folded, comment)
      }
    }
  }

  /// The order of combining marks doesn't matter if the orders are canonically equivalent.
  @Test func orderOfMarksDoesNotMatter() {
    let marks = [
      "\u{301}", "\u{323}", "\u{306}", "\u{3099}", "\u{309A}", "\u{9BE}", "\u{94D}", "\u{93C}", "\u{5B0}", "\u{E48}",
      "\u{338}", "\u{327}",
      "\u{1D165}", "\u{302A}",
    ]
    let bases = ["a", "и", "й", "か", "が", "1", "=", "क", "ก", "א", " ", "", "한", "Å"]
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...(Int.random(in: 0..<20, using: &generator) == 0 ? 60 : 5), using: &generator)
      let text =
        (bases.randomElement(using: &generator) ?? "")
        + (0..<count).map { _ in marks.randomElement(using: &generator) ?? "" }.joined()
      #expect(
        Self.bytes(TextFold.fold(text.decomposedStringWithCanonicalMapping)) == Self.bytes(TextFold.fold(text)),
        "SANDERLING_SEED=\(generator.seed), \(Self.hex(text))")
    }
  }

  /// The examples in the documentation of `TextFold`, and special cases of consecutive marks.
  @Test(arguments: [
    ("Straße STRASSE ｓｔｒａｓｓｅ", "strasse strasse strasse"), ("İIıi", "iiii"), ("ΟΔΟΣ ὁδός ᾳ", "οδοσ οδοσ α"),
    ("Ёлка Мій ЙЎ", "елка мій йу"),
    ("Æsir Œuvre Þór Łódź Øre Đặng Ŋ", "aesir oeuvre thor lodz ore dang n"), ("שָׁלוֹם מלך", "שלומ מלכ"),
    ("أحمد إلى مـكتبة یک", "احمد الي مكتبه يك"),
    ("١٢ ۷ ２ ๒", "12 7 2 2"), ("“a” ‘b’ c–d −1 1⁄2", "\"a\" 'b' c-d -1 1/2"),
    ("👨‍👩‍👧 ❤️ a\u{AD}b\u{200B}c\u{FEFF}", "👨👩👧 ❤ abc"), ("¨", " \u{308}"),
    ("か\u{3099} ｶﾞ が", "が ガ が"), ("\u{1112}\u{1161}\u{11AB}", "한"), ("=\u{338}", "≠"), ("หมี กำ", "หมี ก\u{E4D}า"),
    ("クﾟ", "ク\u{309A}"),
    // The second of two marks with the same class doesn't combine with the letter.
    ("か\u{309A}\u{3099}", "か\u{309A}\u{3099}"), ("か\u{323}\u{3099}", "が\u{323}"), ("か\u{301}\u{3099}", "が\u{301}"),
    // A vowel sign is not a letter that loses its marks.
    ("a\u{3099}\u{9BE}\u{301}", "a\u{3099}\u{9BE}\u{301}"), ("a\u{3099}\u{301}", "a\u{3099}"),
    ("й\u{3099}\u{306}\u{301}", "й\u{3099}"),
    ("й\u{306}\u{301}", "й"), ("\u{301}a", "\u{301}a"), ("1\u{301}", "1\u{301}"),
  ])
  func foldsAsStated(_ text: String, _ folded: String) {
    #expect(Self.bytes(TextFold.fold(text)) == Self.bytes(folded), "\(Self.hex(TextFold.fold(text)))")
  }

  /// A fold is composed according to Foundation: no letter that has lost its marks composes with the next mark.
  @Test func foldsAreComposed() {
    forRandomTexts { text, comment in
      let folded = TextFold.fold(text)
      #expect(Self.bytes(folded.precomposedStringWithCanonicalMapping) == Self.bytes(folded), comment)
    }
  }

  @Test func foldOfPartsIsPartsOfFold() {
    forRandomTexts { text, comment in
      // A text that begins with an ASCII letter doesn't change the fold of the text before it.
      let other = "x" + String(text.reversed())
      #expect(
        Self.bytes(TextFold.fold(text + other)) == Self.bytes(TextFold.fold(text)) + Self.bytes(TextFold.fold(other)),
        comment)
    }
  }

  /// Capital letters, small letters and full-width letters have equal folds.
  @Test func caseAndWidthDoNotMatter() {
    for text in ["Straße", "ΟΔΥΣΣΕΎΣ", "Ярославль", "Œuvre", "ǅungla", "ﬃ", "ᏣᎳᎩ", "ԵՐԵՎԱՆ", "Ὀδυσσεύς"] {
      #expect(TextFold.fold(text.uppercased()) == TextFold.fold(text))
      #expect(TextFold.fold(text.lowercased()) == TextFold.fold(text))
    }
    let wide = String(String.UnicodeScalarView((0x21...0x7E).compactMap { Unicode.Scalar(0xFEE0 + $0) }))
    let narrow = String(String.UnicodeScalarView((0x21...0x7E).compactMap { Unicode.Scalar($0) }))
    #expect(TextFold.fold(wide) == narrow.lowercased())
  }

  /// Damaged UTF-8 folds like the text to which Swift repairs it.
  @Test func damagedTextsFoldAsRepaired() {
    var generator = SeededGenerator()
    let buffer = FoldBuffer()
    for round in 0..<20_000 {
      var bytes = Array(RandomText.text(&generator, pieces: .random(in: 0...6, using: &generator)).utf8)
      for _ in 0..<Int.random(in: 0...3, using: &generator) where !bytes.isEmpty {
        let index = bytes.indices.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        default:
          bytes.insert(
            [0xE0, 0xED, 0xF0, 0xF4, 0xC0, 0xF8, 0x80, 0xA0, 0x9F, 0x90].randomElement(using: &generator) ?? 0,
            at: index)
        }
      }
      bytes.withUnsafeBufferPointer { buffer.fold($0) }
      let folded = buffer.withFolded { Array($0) }
      #expect(
        folded == Self.bytes(TextFold.fold(String(decoding: bytes, as: UTF8.self))),
        "SANDERLING_SEED=\(generator.seed), round \(round)")
      #expect(String(validating: folded, as: UTF8.self) != nil, "SANDERLING_SEED=\(generator.seed), round \(round)")
    }
  }

  /// Megabytes of each difficult type of text fold in linear time. Quadratic time would be hours.
  @Test func longTextsTakeLinearTime() {
    let million = 1_000_000
    for (text, bytes) in [
      ("a" + String(repeating: "\u{301}", count: million), 1),
      ("1" + String(repeating: "\u{301}\u{323}", count: million / 2), 1 + 2 * million),
      ("и" + String(repeating: "\u{3099}\u{306}", count: million / 2), 2 + 3 * million / 2),
      (String(repeating: "\u{9BE}", count: million), 3 * million),
      (String(repeating: "\u{E31}\u{301}", count: million / 2), 5 * million / 2),
      (String(repeating: "\u{FDFA}", count: million / 10), 33 * million / 10),
      (String(repeating: "\u{200D}", count: million), 0),
      ("가" + String(repeating: "\u{1161}", count: million), 3 + 3 * million),
      (String(repeating: "Hello World", count: million), 11 * million),
    ] {
      #expect(TextFold.fold(text).utf8.count == bytes)
    }
  }

  /// A buffer that is used again gives the same folds as a new one.
  @Test func buffersAreUsedAgain() {
    let buffer = FoldBuffer()
    forRandomTexts { text, comment in
      text.withContiguousUTF8 { buffer.fold($0) }
      #expect(buffer.withFolded { Array($0) } == Self.bytes(TextFold.fold(text)), comment)
    }
  }

  private func forRandomTexts(_ body: (String, Testing.Comment) -> Void) {
    var generator = SeededGenerator()
    for _ in 0..<3_000 {
      let text = RandomText.text(&generator, pieces: .random(in: 0...12, using: &generator))
      body(text, "SANDERLING_SEED=\(generator.seed), \(Self.hex(text))")
    }
  }

  /// The bytes of a text, which differ where `==` treats canonically equivalent texts as equal.
  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func hex(_ text: String) -> String {
    text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
  }
}
