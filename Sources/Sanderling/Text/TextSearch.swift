/// The terms of a user's input, and the definition of a match.
///
/// Only `matches(folded:)` decides whether a text matches, by the fold of the text. An index only finds candidates.
///
/// **Words.** White space divides the input into *terms*. A text must have all of them, in any order:
///
/// - Each term is whole words: `fish` doesn't find "fishing". Exception: the last term is the beginning of a word until
///   the user types something after it. So `fish` finds "fishing" while it is typed, and `fish ` doesn't.
/// - A term of several words, such as `e-mail`, `don't` or `3.14`, finds these words side by side. The separators
///   between them don't matter: `e-mail` finds "e mail" but not "email".
/// - `"several terms"` in double quotes are also such words. Without the closing quote, the last one is the beginning
///   of a word. A quote opens only at the beginning of a term, so the quote in צה"ל doesn't.
/// - `-word` and `-"several words"` exclude texts with exactly these words. An input that only excludes finds all other
///   texts.
/// - In scripts without spaces and in Korean (`WordSegments`), a term is found anywhere in a run of such letters: 都大
///   finds 京都大学. Its first and last units are whole: หม doesn't find หมี, nor か が. Side by side with other words, the
///   term is the end or the beginning of a run: `2024年` finds 2024年度, but not 2024 ２年.
///
/// **Substrings.** The text contains the input literally, with its white space and punctuation, but without white space
/// at both ends.
///
/// **Prefix.** The text begins with the input, without white space at both ends.
///
/// In all three, a match has whole characters: see ``MatchBorders``. In Devanagari and other scripts that have spaces,
/// a match may end before a mark, since a vowel sign is typed after its letter: हिन finds हिन्दी.
///
/// An input without terms matches every text: an empty one or only white space, and for words one without any word.
/// Every input is valid: quotes, parentheses, AND, NEAR, `*` and NUL mean nothing beyond the above.
package struct TextSearch: Hashable, Sendable {
  package let kind: SearchKind
  /// The terms that the text must have or must not have, for words.
  let terms: [SearchTerm]
  /// The folded input without white space at both ends, for substrings and prefixes.
  let needle: [UInt8]

  /// Parses an input. O(bytes).
  package init(_ input: String, in kind: SearchKind) {
    self.kind = kind
    var input = input
    (terms, needle) = input.withUTF8 { bytes in
      TextFold.fold(bytes) { folded in
        let range = Self.trimmed(folded)
        return kind == .words ? (Self.terms(of: folded), []) : ([], Array(folded[range]))
      }
    }
  }

  /// Whether the search has no terms, so that every text matches.
  var matchesAll: Bool { terms.isEmpty && needle.isEmpty }

  private static func trimmed(_ folded: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard let start = folded.firstIndex(where: { !isSpace($0) }), let last = folded.lastIndex(where: { !isSpace($0) })
    else { return 0..<0 }
    return start..<last + 1
  }

  /// Whether a byte is white space or a control. The fold turned other spaces into this one.
  private static func isSpace(_ byte: UInt8) -> Bool { byte <= 0x20 || byte == 0x7F }

  private static func terms(of folded: UnsafeBufferPointer<UInt8>) -> [SearchTerm] {
    guard let bytes = folded.baseAddress else { return [] }
    let quote = UInt8(ascii: "\"")
    return FoldTables.withPointers { tables in
      var terms: [SearchTerm] = []
      var index = 0
      while index < folded.count {
        if isSpace(bytes[index]) {
          index += 1
          continue
        }
        var isExcluded = false
        if bytes[index] == UInt8(ascii: "-"), index + 1 < folded.count, !isSpace(bytes[index + 1]) {
          isExcluded = true
          index += 1
        }
        let isQuoted = bytes[index] == quote
        if isQuoted { index += 1 }
        let start = index
        while index < folded.count, isQuoted ? bytes[index] != quote : !isSpace(bytes[index]) { index += 1 }
        let segments = Array(WordSegments(bytes, start..<index, tables))
        // The last word is still being typed if nothing follows it, not even a closing quote.
        let isTyped = index == folded.count && segments.last?.range.upperBound == index
        if isQuoted, index < folded.count { index += 1 }
        guard !segments.isEmpty else { continue }
        terms.append(
          SearchTerm(
            segments: segments.map { SearchSegment(isRun: $0.kind == .run, bytes: Array(folded[$0.range])) },
            endsWithPrefix: isTyped && !isExcluded, isExcluded: isExcluded))
      }
      return terms
    }
  }
}
