import Foundation

/// Text without the differences of case, diacritics and width.
enum FoldedText {
  static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
    return text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  /// Returns -1, 0 or 1, by the bytes of the folded texts.
  static func compare(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int32 {
    if one.contains(where: { $0 >= 0x80 }) || other.contains(where: { $0 >= 0x80 }) {
      return compareFolded(one, other)
    }
    for (left, right) in zip(one, other) {
      let (left, right) = (left.lowercasedASCII, right.lowercasedASCII)
      if left != right { return left < right ? -1 : 1 }
    }
    return one.count == other.count ? 0 : one.count < other.count ? -1 : 1
  }

  private static func compareFolded(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int32 {
    let one = of(String(decoding: one, as: UTF8.self)).utf8
    let other = of(String(decoding: other, as: UTF8.self)).utf8
    return one.elementsEqual(other) ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
  }
}
