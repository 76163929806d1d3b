/// The fold: the form of a text without case, diacritics and widths, in which texts are searched.
///
/// Two texts that a reader takes for the same word have the same fold: "Straße", "STRASSE" and full-width "ｓｔｒａｓｓｅ" all
/// become "strasse". The tables of the fold belong to this library, not to the system. So folds have the same bytes on
/// Linux and on each Apple system, whatever their versions. Stored folds carry the `version` that made them.
///
/// The steps, in this order, repeated until nothing changes:
///
/// - **Damaged UTF-8** is repaired as by Swift's `String(decoding:as:)`: each maximal invalid part becomes U+FFFD,
///   which is a symbol.
/// - **Compatibility decomposition** (NFKD, UAX #15) replaces widths, ligatures such as ﬁ, superscripts, fractions,
///   presentation forms, ㍿.
/// - **Full case folding** (CaseFolding.txt, statuses C and F): ß becomes ss, final sigma σ. Turkish İ, I and ı all
///   become i.
/// - **Letters that don't decompose**: æ becomes ae, œ oe, þ th, ð and đ d, ø o, ł l, ħ h, ŋ n, ĸ k. Each Latin letter
///   that Unicode names after another letter "with" an addition becomes that letter. Cyrillic letters such as қ and ґ
///   stay. In Hebrew, final forms become regular forms, and װ ױ ײ two letters each. In Arabic, ٱ becomes ا; ى and ی ي;
///   ک ك; ة ہ ۃ ە ه; tatweel is removed. Hamza stays only as the letter ء.
/// - **Decimal digits** of all scripts become those of ASCII.
/// - **Punctuation that keyboards replace**: curly apostrophes and ʼ ׳ become ', curly double quotes and ״ ", dashes,
///   minus and maqaf -, and the fraction slash /.
/// - **Default ignorables** (DerivedCoreProperties.txt) are removed: ZWJ, ZWNJ, soft hyphen, ZWSP, BOM, bidi controls,
///   variation selectors. So 👩 finds 👨‍👩‍👧, and ❤️ is ❤. Tags stay, since they alone distinguish the flags of England
///   and Scotland.
/// - **Marks** are removed after letters of Latin, Greek, Cyrillic, Hebrew and Arabic. Points and vowel signs of Hebrew
///   and Arabic are removed everywhere. A mark belongs to the last scalar of combining class 0. The breve of й stays,
///   since й is another letter than и; ё becomes е. Greek's iota subscript is a mark, and no iota. All other marks
///   stay: the voicing of kana, Thai vowels and tones, Indic vowels and viramas, the stroke of ≠.
/// - **Canonical ordering and composition** (UAX #15) of the remaining scalars: が is one scalar, and so is each Hangul
///   syllable, whether it was composed or in jamo.
///
/// Everything else stays: hiragana isn't katakana, simplified Chinese isn't traditional, NUL and line breaks are
/// themselves.
///
/// Folding a fold changes nothing. Texts that are canonically or compatibly equivalent have the same fold.
///
/// Time and memory are proportional to the text, even for 10 MB, or a million marks in a row.
enum TextFold {
  /// The version of the fold's rules and tables, and of the rules of words. Folds of another version are made again.
  static let version = 1

  /// The version of Unicode from which the tables were made.
  static var unicodeVersion: String { FoldTableData.unicodeVersion }

  /// The fold of a text.
  static func fold(_ text: String) -> String {
    var text = text
    return text.withUTF8 { fold($0) { String(decoding: $0, as: UTF8.self) } }
  }

  /// Passes the fold of UTF-8, which may be damaged, to the body as valid UTF-8. The address is valid only in the body.
  ///
  /// For many texts, one `FoldBuffer` is faster.
  static func fold<Result>(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result)
    rethrows -> Result
  {
    let buffer = FoldBuffer()
    buffer.fold(bytes)
    return try buffer.withFolded(body)
  }
}
