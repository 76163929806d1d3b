/// The entry of a scalar in the fold tables: its treatment, and a number with details.
struct FoldEntry: Equatable, Sendable {
  let rawValue: UInt16

  /// The treatment of a scalar by the fold.
  enum Kind: UInt16, Sendable {
    /// The scalar stays, and keeps the marks that follow it. Only a following scalar that composes with it, such as a
    /// mark or a vowel, changes it.
    case starter = 0
    /// The scalar stays, and loses the marks that follow it: a small letter of Latin, Greek or Cyrillic, a letter of
    /// Hebrew or Arabic.
    case bareLetter = 1
    /// The scalar is removed.
    case removed = 2
    /// A mark that bare letters lose.
    case looseMark = 3
    /// A mark that stays, or the second part of a composition.
    case composing = 4
    /// The scalar becomes a text of starters and bare letters that compose with nothing before them.
    case text = 5
    /// The scalar becomes several scalars, which are treated one after the other.
    case scalars = 6
  }

  /// The treatment. Unwrapping is safe, because the generated tables contain only numbers of kinds.
  @inline(__always) var kind: Kind { Kind(rawValue: rawValue & 7).unsafelyUnwrapped }

  /// The number of the text that replaces the scalar, for `text` and `scalars`.
  @inline(__always) var mapping: Int { Int(rawValue >> 3) }

  /// The canonical combining class of a mark.
  @inline(__always) var combiningClass: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 3) }

  /// The word class of a scalar that occurs in folded texts. Unwrapping is safe, because the generated tables contain
  /// only numbers of classes.
  @inline(__always) var wordClass: WordClass {
    switch kind {
    case .starter, .bareLetter, .composing: WordClass(rawValue: rawValue >> 11).unsafelyUnwrapped
    case .looseMark: .mark
    case .removed, .text, .scalars: .separator
    }
  }

  /// The entry of a starter with a word class.
  static func starter(_ wordClass: WordClass) -> FoldEntry { FoldEntry(rawValue: wordClass.rawValue << 11) }
}

/// The role of a scalar in words. `Scripts/unicode-tables` uses the same numbers.
enum WordClass: UInt16, Sendable {
  case separator = 0
  /// A letter or number of a script that writes spaces between words.
  case letter = 1
  /// A mark, which belongs to the scalar before it.
  case mark = 2
  /// A letter of a script whose words are found by pairs of letters: Chinese, Japanese, Korean, Thai, Lao, Khmer,
  /// Burmese and others.
  case unspacedLetter = 3
  /// A symbol that is a word by itself: emoji, currencies, arrows, operators outside of ASCII.
  case symbol = 4
  /// A half of a flag.
  case regionalIndicator = 5
}
