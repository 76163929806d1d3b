/// What the tables of the fold know of one scalar: what is done with it, and a number that says more about it.
struct FoldEntry: Equatable, Sendable {
  let rawValue: UInt16

  /// What is done with a scalar.
  enum Kind: UInt16, Sendable {
    /// It stays, and no mark or vowel before or after changes it, unless one composes with it.
    case starter = 0
    /// It stays, and loses the marks that follow it: a small letter of Latin, Greek or Cyrillic, a letter of Hebrew or Arabic.
    case bareLetter = 1
    /// Nothing is left of it.
    case removed = 2
    /// A mark that bare letters lose.
    case looseMark = 3
    /// A mark that stays, or the second part of a composition.
    case composing = 4
    /// It becomes a text of which each scalar is a starter or a bare letter, and composes with nothing before it.
    case text = 5
    /// It becomes scalars that are treated one after the other.
    case scalars = 6
  }

  @inline(__always) var kind: Kind { Kind(rawValue: rawValue & 7).unsafelyUnwrapped }

  /// The mapping of a `text` and of `scalars`.
  @inline(__always) var mapping: Int { Int(rawValue >> 3) }

  /// The canonical combining class of a mark.
  @inline(__always) var combiningClass: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 3) }

  /// What the scalar is in words, for those that folded texts have.
  @inline(__always) var wordClass: WordClass {
    switch kind {
    case .starter, .bareLetter, .composing: WordClass(rawValue: rawValue >> 11).unsafelyUnwrapped
    case .looseMark: .mark
    case .removed, .text, .scalars: .separator
    }
  }

  /// A starter of a class.
  static func starter(_ wordClass: WordClass) -> FoldEntry { FoldEntry(rawValue: wordClass.rawValue << 11) }
}

/// What a scalar is to words. The values are those of Scripts/unicode-tables.
enum WordClass: UInt16, Sendable {
  case separator = 0
  /// A letter or number of a script that writes spaces between words.
  case letter = 1
  /// A part of the scalar before it.
  case mark = 2
  /// A letter of a script whose words are found by pairs of letters: Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese and others.
  case unspacedLetter = 3
  /// A word by itself: emoji, currencies, arrows, operators outside of ASCII.
  case symbol = 4
  /// A half of a flag.
  case regionalIndicator = 5
}
