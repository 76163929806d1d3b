/// The parts of a text that a user's input asks for: ranges of the text as it is, to show them in bold, and snippets of long texts.
///
/// ```swift
/// let highlights = SearchHighlights(session.input)
/// for range in highlights.ranges(in: note.title) { … }
/// let snippet = highlights.snippet(of: note.body, maxLength: 80)    // "… back from the Café Orval, where …"
/// ```
///
/// Made once for an input, it serves any number of texts. It takes any input, and no database.
public struct SearchHighlights: Hashable, Sendable {
  let search: TextSearch

  /// Prepares the highlights of an input.
  ///
  /// - Parameters:
  ///   - input: The user's input, as ``Field/matches(_:in:)`` takes it.
  ///   - kind: Where texts are searched.
  public init(_ input: String, in kind: SearchKind = .words) {
    search = TextSearch(input, in: kind)
  }

  /// Whether the input has nothing to look for, so that it finds every text.
  package var matchesAll: Bool { search.matchesAll }

  /// The parts of a text that are asked for, from its beginning to its end. They cover whole characters, and neither overlap nor touch.
  ///
  /// - In ``SearchKind/words``, each word that is asked for, wherever it is, and words in quotes with the characters between them. Of a word
  ///   that is still typed, its beginning: `fi` of "fishing". Excluded words have no part.
  /// - In ``SearchKind/substrings``, each place that has the input, one after the other.
  /// - In ``SearchKind/prefix``, the beginning.
  ///
  /// A text need not match for that: of two words it may have one, and the other may be in another text of the record. A text that matches
  /// has a range, unless the input only excludes, or asks for nothing.
  ///
  /// The ranges are whole characters of the text: "Straße" by `strass` is "Straß", "ﬁsh" by `f` is "ﬁ", and a family of emoji, a flag
  /// and a syllable of Hangul are one each.
  ///
  /// A text of 2 GiB or more, which no SQLite stores, has no parts.
  ///
  /// - Complexity: O(bytes) in time and memory, for each word of the input.
  public func ranges(in text: String) -> [Range<String.Index>] {
    characters(of: matches(in: text).map(\.range), in: text).map { $0.lowerBound.index..<$0.upperBound.index }
  }

  /// The matches as ranges of the text's bytes, by where they begin.
  func matches(in text: String) -> [TextSearch.Match] {
    if search.matchesAll || text.utf8.count > FoldedPositions.greatestCount { return [] }
    let buffer = FoldBuffer()
    var text = text
    return text.withUTF8 { bytes in
      let positions = FoldedPositions(folding: bytes, into: buffer)
      return buffer.withFolded { folded in
        // Several in one character are one, as marks without a letter may be.
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

  /// Ranges of a text's bytes, by where they begin, as ranges of whole characters that neither overlap nor touch.
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
