@testable import Sanderling

/// Random texts and inputs that are hard to search.
enum RandomText {
  /// Letters of many scripts with marks, and scalars that the fold removes, expands or separates.
  static let scalars: [String] = [
    "a", "b", "c", "E", "É", "e\u{301}", "ß", "ﬁ", "ø", "İ", "ı", "Å", "Ｗ", "ǆ", "æ", "1", "２", "½", "٣",
    "ς", "Σ", "ᾳ", "ΐ", "й", "и", "и\u{306}", "Ё", "ж", "ў", "א", "ם", "שׁ", "\u{5B0}", "א\u{5B0}", "ا", "أ", "ى", "ة",
    "\u{64E}", "ﷺ", "ـ", "ﻻ",
    "क", "कि", "क\u{93C}", "\u{94D}", "ि", "ো", "\u{9C7}", "\u{9BE}", "த", "ொ",
    "ก", "กี", "ก็", "น้ำ", "ำ", "เ", "\u{E31}", "ກ", "ຳ", "ក", "\u{17D2}", "ភ្ន", "မ", "ြို့",
    "中", "国", "東", "京", "𠮷", "豈", "か", "が", "か\u{3099}", "ｶ", "ﾞ", "ガ", "ー", "㍿",
    "한", "국", "\u{1112}", "\u{1161}", "\u{11AB}", "각", "가", "ㅎ", "ㅏ",
    "🎉", "👍🏽", "👩‍👧", "🇩🇪", "🇫", "❤️", "1️⃣", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "€", "≠", "=\u{338}", "→", "™",
    "\u{301}", "\u{323}", "\u{306}", "\u{345}", "\u{3099}", "\u{20DD}", "\u{200D}", "\u{200C}", "\u{AD}", "\u{FE0F}",
    "\u{34F}", "\u{FEFF}",
  ]

  static let separators: [String] = [
    " ", " ", " ", "\t", "\n", "-", "_", "'", "’", "\"", "“", ".", ",", "，", "+", "++", "#", "*", "(", ")", "{", ":",
    "^", "\u{0}", "%", "/", "@",
    "\u{3000}", "\u{A0}", " -", " \"", "\" ", " AND ", " OR ", " NOT ", " NEAR(", "´",
  ]

  static func text(_ generator: inout SeededGenerator, pieces: Int) -> String {
    // A text consists of a few different letters, so that searches often match.
    let letters = (0..<Int.random(in: 1...8, using: &generator)).compactMap { _ in
      scalars.randomElement(using: &generator)
    }
    return text(of: letters, &generator, pieces: pieces)
  }

  static func text(of letters: [String], _ generator: inout SeededGenerator, pieces: Int) -> String {
    (0..<pieces).map { _ in
      (Int.random(in: 0..<4, using: &generator) == 0 ? separators : letters).randomElement(using: &generator) ?? ""
    }.joined()
  }
}
