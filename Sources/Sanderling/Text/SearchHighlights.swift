/// The parts of a text that match a user's input: ranges of the original text, to show in bold, and snippets of long
/// texts.
///
/// ```swift
/// let highlights = SearchHighlights(session.input)
/// for range in highlights.ranges(in: note.title) { … }
/// let snippet = highlights.snippet(of: note.body, maxLength: 80)    // "… back from the Café Orval, where …"
/// ```
///
/// A value is made once for an input and serves any number of texts. It takes any input, and needs no database.
public struct SearchHighlights: Hashable, Sendable {
  let search: TextSearch

  /// Prepares the highlights of an input.
  ///
  /// - Parameters:
  ///   - input: The user's input, as ``Field/matches(_:in:)`` takes it.
  ///   - kind: The kind of the search, which says where the input is found.
  public init(_ input: String, in kind: SearchKind = .words) {
    search = TextSearch(input, in: kind)
  }

  /// Whether the input has no terms, so that it finds every text.
  package var matchesAll: Bool { search.matchesAll }

  /// The parts of a text that match, in order. They cover whole characters, and neither overlap nor touch.
  ///
  /// - In ``SearchKind/words``, each searched word, wherever it occurs, and words in quotes with the characters between
  ///   them. If the last word is still being typed, its beginning: `fi` of "fishing". Excluded words have no part.
  /// - In ``SearchKind/substrings``, each occurrence of the input, without overlaps.
  /// - In ``SearchKind/prefix``, the beginning.
  ///
  /// The text need not match: it may have one of two words, and another text of the record the other word. A matching
  /// text has a range, unless the input only excludes words or is empty.
  ///
  /// The ranges are whole characters of the text: "Straß" of "Straße" for `strass`, and "ﬁ" of "ﬁsh" for `f`. A family
  /// of emoji, a flag and a syllable of Hangul are one character each.
  ///
  /// A text of 2 GiB or more has no parts. SQLite stores no such text.
  ///
  /// - Complexity: O(bytes) in time and memory, for each word of the input.
  public func ranges(in text: String) -> [Range<String.Index>] {
    characters(of: matches(in: text).map(\.range), in: text).map { $0.lowerBound.index..<$0.upperBound.index }
  }

  /// The matches as ranges of the text's bytes, ordered by their beginnings.
  func matches(in text: String) -> [TextSearch.Match] {
    if search.matchesAll || text.utf8.count > FoldedPositions.greatestCount { return [] }
    let buffer = FoldBuffer()
    var text = text
    return text.withUTF8 { bytes in
      let positions = FoldedPositions(folding: bytes, into: buffer)
      return buffer.withFolded { folded in
        // Several matches of a term in one character, such as marks without a letter, count once.
        var ends: [Int: Int] = [:]
        return search.matches(inFolded: folded).compactMap { match in
          let range = positions.source(of: match.range)
          guard range.upperBound > ends[match.term] ?? 0 else { return nil }
          ends[match.term] = range.upperBound
          return TextSearch.Match(range: range, term: match.term)
        }
      }
    }
  }

  struct CharacterRange {
    let lowerBound: CharacterBorders.Place
    var upperBound: CharacterBorders.Place
  }

  /// Widens ranges of a text's bytes to whole characters that neither overlap nor touch. The ranges are ordered by
  /// their beginnings.
  func characters(of ranges: [Range<Int>], in text: String) -> [CharacterRange] {
    var borders = CharacterBorders(text)
    var result: [CharacterRange] = []
    for range in ranges {
      if let last = result.last, range.lowerBound <= last.upperBound.offset {
        guard range.upperBound > last.upperBound.offset else { continue }
        result[result.count - 1].upperBound = borders.border(atOrBehind: range.upperBound)
        continue
      }
      let start = borders.border(atOrBefore: range.lowerBound)
      let end = borders.border(atOrBehind: range.upperBound)
      if let last = result.last, start.offset <= last.upperBound.offset {
        result[result.count - 1].upperBound = end
      } else {
        result.append(CharacterRange(lowerBound: start, upperBound: end))
      }
    }
    return result
  }
}
