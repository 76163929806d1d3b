/// The terms that a user's input asks of a text, and the definition of a match.
///
/// Whether a text matches is decided by `matches(folded:)` on the fold of the text, and by nothing else. An index only finds candidates.
///
/// **Words.** The input is cut at white space into *terms*, all of which the text must have, in any order:
///
/// - Each term is whole words: `fish` doesn't find "fishing". Only the last one, as long as nothing is typed behind it, is the beginning of a
///   word: `fish` finds "fishing" while it is typed, and `fish ` doesn't.
/// - A term of several words, as `e-mail`, `don't` or `3.14`, asks for these words side by side. Which separators are between them doesn't
///   matter: `e-mail` finds "e mail" and not "email".
/// - `"several terms"` in double quotes are such words too. Without the closing quote, the last one is the beginning of a word. A quote
///   opens only where a term begins, and so the one in צה"ל does not.
/// - `-word` and `-"several words"` exclude texts that have exactly these. An input that only excludes finds all others.
/// - In scripts without spaces and in Korean (`WordSegments`), a term is found anywhere in a run of such letters: 都大 finds 京都大学. Its first
///   and last units are whole: หม doesn't find หมี, nor か が. Side by side with other words, it is the end of a run or the beginning:
///   `2024年` finds 2024年度, and not 2024 ２年.
///
/// **Substrings.** The text has the input as it stands, with its white space and punctuation, less white space at both ends.
///
/// **Prefix.** The text begins with the input, less white space at both ends.
///
/// In all three, a match has whole characters: see ``MatchBorders``. In Devanagari and other scripts that have spaces, it may end before a
/// mark, since a vowel sign is typed after its letter: हिन finds हिन्दी.
///
/// An input without anything to look for, empty or nothing but white space (in words: without any word), matches every text.
/// Every input is valid: quotes, parentheses, AND, NEAR, `*` and NUL mean nothing beyond the above.
package struct TextSearch: Hashable, Sendable {
  package let kind: SearchKind
  /// The terms that the text must have and must not have, for words.
  let terms: [SearchTerm]
  /// The folded input without white space at both ends, for substrings and prefixes.
  let needle: [UInt8]

  /// Understands an input. O(bytes).
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

  /// Whether every text matches.
  var matchesAll: Bool { terms.isEmpty && needle.isEmpty }

  private static func trimmed(_ folded: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard let start = folded.firstIndex(where: { !isSpace($0) }), let last = folded.lastIndex(where: { !isSpace($0) })
    else { return 0..<0 }
    return start..<last + 1
  }

  /// White space and controls. Other spaces have become this one.
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
        // Nothing stands behind the last word but the end of the input, nor a closing quote.
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
