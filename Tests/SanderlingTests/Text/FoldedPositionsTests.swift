import Testing

@testable import Sanderling

/// Ranges of a fold lead back to ranges of its text.
@Suite struct FoldedPositionsTests {
  @Test(arguments: [
    ("Straße nach Kølbæk", "strasse", "Straße"), ("Straße", "s", "S"), ("Maß", "as", "aß"), ("ﬁnal", "f", "ﬁ"),
    ("ﬁnal", "in", "ﬁn"),
    ("Cafe\u{301} Milo", "e", "e\u{301}"), ("Cafe\u{301} Milo", "cafe", "Cafe\u{301}"),
    ("Cafe\u{301}", "cafe", "Cafe\u{301}"), ("Café!", "é", "é"),
    ("x\u{1112}\u{1161}\u{11AB}y", "한", "\u{1112}\u{1161}\u{11AB}"), ("은하", "하", "하"), ("か\u{3099}く", "が", "か\u{3099}"),
    ("soft\u{AD}hyphen", "softhy", "soft\u{AD}hy"), ("\u{FEFF}bom", "bo", "bo"), ("a=\u{338}b", "≠", "=\u{338}"),
    ("a=\u{338}b", "b", "b"),
    ("a=\u{338}b", "a", "a"), ("family 👨‍👩‍👧 here", "👩", "👨‍👩‍👧"), ("up 👍🏽 so", "👍", "👍🏽"), ("🇩🇪🇫🇷", "🇫", "🇫🇷"), ("❤️ x", "❤", "❤️"),
    ("step 1️⃣ go", "1", "1️⃣"), ("½ cup", "1", "½"), ("x² y", "2 y", "² y"), ("מֶלֶךְ", "ל", "לֶ"), ("㍿の", "式", "㍿"),
    ("ﷺ.", "صل", "ﷺ"), ("İstanbul", "is", "İs"),
    ("би\u{306}лет", "й", "и\u{306}"), ("หมีขาว", "หมี", "หมี"), ("น้ำตก", "า", "ำ"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿!", "🏴", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"), ("ABC", "b", "B"),
    ("ＡＢＣ", "b", "Ｂ"),
  ])
  func rangesCoverClusters(_ text: String, _ folded: String, _ source: String) throws {
    let (fold, positions) = Self.fold(text)
    let needle = Array(TextFold.fold(folded).utf8)
    let start = try #require((0...(fold.count - needle.count)).first { Array(fold[$0..<$0 + needle.count]) == needle })
    let range = positions.source(of: start..<start + needle.count)
    #expect(Array(Array(text.utf8)[range]) == Array(source.utf8))
  }

  @Test func emptyRangesAreEmpty() {
    let (fold, positions) = Self.fold("Maß e\u{301}")
    for offset in 0...fold.count { #expect(positions.source(of: offset..<offset).isEmpty) }
    #expect(Self.fold("").1.source(of: 0..<0) == 0..<0)
    #expect(Self.fold("\u{200D}").1.source(of: 0..<0).isEmpty)
  }

  /// A part of a fold leads to a range of whole clusters of the text, whose fold contains the part. Neighbouring ranges
  /// leave no gap.
  @Test func rangesFoldBack() {
    var generator = SeededGenerator()
    for _ in 0..<2_000 {
      let text = RandomText.text(&generator, pieces: .random(in: 1...10, using: &generator))
      let comment: Testing.Comment =
        "SANDERLING_SEED=\(generator.seed), \(text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " "))"
      let source = Array(text.utf8)
      let (fold, positions) = Self.fold(text)
      guard !fold.isEmpty else { continue }
      var end = positions.source(of: 0..<1).lowerBound
      for index in fold.indices {
        let range = positions.source(of: index..<index + 1)
        // Scalars before the first cluster that the fold removes belong to no range.
        #expect(!range.isEmpty && range.upperBound <= source.count, comment)
        #expect(range.lowerBound <= end && range.upperBound >= end, comment)
        end = range.upperBound
      }
      #expect(end == source.count, comment)
      let lower = Int.random(in: 0..<fold.count, using: &generator)
      let upper = Int.random(in: lower + 1...fold.count, using: &generator)
      let range = positions.source(of: lower..<upper)
      let part = String(decoding: source[range], as: UTF8.self)
      #expect(Array(part.utf8) == Array(source[range]), comment)
      let folded = Array(TextFold.fold(part).utf8)
      let wanted = Array(fold[lower..<upper])
      #expect((0...max(0, folded.count - wanted.count)).contains { folded.dropFirst($0).starts(with: wanted) }, comment)
      // The range doesn't end before a mark, a Hangul vowel or a joiner.
      if let next = String(decoding: source[range.upperBound...], as: UTF8.self).unicodeScalars.first {
        #expect(
          next.properties.canonicalCombiningClass == .notReordered && next.value != 0x200D && next.value != 0xFE0F,
          comment)
      }
    }
  }

  private static func fold(_ text: String) -> ([UInt8], FoldedPositions) {
    let buffer = FoldBuffer()
    let positions = text.withContiguousUTF8 { FoldedPositions(folding: $0, into: buffer) }
    return (buffer.withFolded { Array($0) }, positions)
  }
}
