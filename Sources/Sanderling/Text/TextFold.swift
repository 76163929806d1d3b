/// The fold: the case-, diacritic- and width-insensitive normal form of a text.
///
/// Two texts that a reader takes for the same word have the same fold: "Straße", "STRASSE" and full-width "ｓｔｒａｓｓｅ" all become
/// "strasse". A fold is made by tables of this library, never by those of the system, so that its bytes are the same on Linux and on
/// each Apple system, whatever their versions. Stored folds carry the `version` that they were made by.
///
/// The steps, in this order, repeated until nothing changes:
///
/// - **Damaged UTF-8** is repaired as Swift's `String(decoding:as:)` does: each maximal invalid part becomes U+FFFD, which is a symbol.
/// - **Compatibility decomposition** (NFKD, UAX #15): widths, ligatures as ﬁ, superscripts, fractions, presentation forms, ㍿.
/// - **Full case folding** (CaseFolding.txt, statuses C and F): ß becomes ss, final sigma σ. Turkish İ, I and ı all become i.
/// - **Letters that don't decompose**: æ becomes ae, œ oe, þ th, ð and đ d, ø o, ł l, ħ h, ŋ n, ĸ k, and so does each Latin letter whose
///   name is that of another "with" something. Cyrillic letters such as қ and ґ stay. In Hebrew, final forms become the others, and
///   װ ױ ײ two letters. In Arabic, ٱ becomes ا; ى and ی ي; ک ك; ة ہ ۃ ە ه; tatweel goes. Hamza stays only by itself, ء.
/// - **Decimal digits** of all scripts become those of ASCII.
/// - **Punctuation that keyboards replace**: curly apostrophes and ʼ ׳ become ', curly double quotes and ״ ", dashes, minus and maqaf -,
///   and the fraction slash /.
/// - **Default ignorables** (DerivedCoreProperties.txt) go: ZWJ, ZWNJ, soft hyphen, ZWSP, BOM, bidi controls, variation selectors. So
///   👨‍👩‍👧 is found by 👩, and ❤️ is ❤. Tags stay, since they alone tell the flags of England and Scotland apart.
/// - **Marks** go after letters of Latin, Greek, Cyrillic, Hebrew and Arabic; points and vowel signs of the last two, wherever they
///   stand. The breve of й stays, as the letter is no и; ё becomes е. A mark belongs to the last scalar of combining class 0. Greek's
///   iota subscript is such a mark, and no iota. All others stay: the voicing of kana, Thai vowels and tones, Indic vowels and viramas,
///   the stroke of ≠.
/// - **Canonical ordering and composition** (UAX #15): of what stayed, が is one scalar, and Hangul syllables are, composed or in jamo.
///
/// Everything else stays: hiragana isn't katakana, simplified Chinese isn't traditional, NUL and line breaks are themselves.
///
/// Folding a fold changes nothing. Texts that are canonically or compatibly equivalent have one fold.
///
/// It takes time and memory in proportion to the text, whatever the text is: 10 MB, or a million marks in a row.
enum TextFold {
  /// Counts the rules and tables of the fold, and those of its words. Folds of another version are made again.
  static let version = 1

  /// The version of Unicode that the tables were made from.
  static var unicodeVersion: String { FoldTableData.unicodeVersion }

  /// The fold of a text.
  static func fold(_ text: String) -> String {
    var text = text
    return text.withUTF8 { fold($0) { String(decoding: $0, as: UTF8.self) } }
  }

  /// The fold of UTF-8, which may be damaged, as valid UTF-8. The body must not let its address out.
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
