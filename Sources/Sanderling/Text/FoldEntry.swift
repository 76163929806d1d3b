/// The fold tables' entry of one scalar: its treatment, and a number with details.
struct FoldEntry: Equatable, Sendable {
  let rawValue: UInt16

  /// The treatment of a scalar.
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
    /// The scalar becomes a text of starters and bare letters that compose with nothing before them.
    case text = 5
    /// It becomes scalars that are treated one after the other.
    case scalars = 6
  }

  @inline(__always) var kind: Kind { Kind(rawValue: rawValue & 7).unsafelyUnwrapped }

  /// The mapping of a `text` and of `scalars`.
  @inline(__always) var mapping: Int { Int(rawValue >> 3) }

  /// The canonical combining class of a mark.
  @inline(__always) var combiningClass: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 3) }

  /// The word class of a scalar that folded texts can have.
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

/// The role of a scalar in words. The values are those of Scripts/unicode-tables.
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
