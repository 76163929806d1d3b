/// A part of a long text around the typed words: see ``SearchHighlights/snippet(of:maxLength:)``.
public struct SearchSnippet: Hashable, Sendable {
  /// The part in one line, with an ellipsis wherever the text is cut.
  public let text: String
  /// The ranges of the matches in the part, like those of ``SearchHighlights/ranges(in:)``.
  public let ranges: [Range<String.Index>]
}

extension SearchHighlights {
  /// Returns a part of a text with matches, and the ranges of the matches.
  ///
  /// The part is the passage with the most different words of the input, and the first among equal passages. For a text
  /// without matches, it is the beginning of the text.
  ///
  /// ```swift
  /// SearchHighlights("orval").snippet(of: letter, maxLength: 40).text    // "…on the way back from Café Orval, where…"
  /// ```
  ///
  /// The part begins and ends at borders of words, unless a word is too long, and has an ellipsis "…" wherever the text
  /// is cut. Line breaks and other runs of white space become one space.
  ///
  /// - Parameter maxLength: The most characters of the part, including the ellipses. Less than 3 leaves no room for a
  ///   character between two ellipses: a longer text then becomes an ellipsis, and nothing for 0 and less.
  /// - Complexity: O(bytes of the text) in time and memory, for each word of the input.
  public func snippet(of text: String, maxLength: Int = 120) -> SearchSnippet {
    guard maxLength >= 3 else {
      let least = snippet(of: text, maxLength: 3)
      if least.text.count <= maxLength { return least }
      return SearchSnippet(text: maxLength > 0 ? "…" : "", ranges: [])
    }
    let matches = matches(in: text)
    let passage = SnippetPassage.best(of: matches, in: text, scalarLimit: maxLength - 2)
    var cut = SnippetCut(text, around: passage, maxLength: maxLength)
    cut.moveToWords()
    let ranges = characters(of: matches.map(\.range), in: text).map { $0.lowerBound.index..<$0.upperBound.index }
    let (line, offsets) = cut.line(highlighting: ranges)
    let shown = characters(of: offsets, in: line).map { $0.lowerBound.index..<$0.upperBound.index }
    return SearchSnippet(text: line, ranges: shown)
  }
}

/// The choice of the matches that a snippet shows.
enum SnippetPassage {
  /// The range of bytes from the first to the last match of the best passage. Empty at the beginning of the text if
  /// there are no matches.
  ///
  /// - Parameter scalarLimit: The most scalars of the passage. Scalars are faster to count than characters, and never
  ///   fewer.
  static func best(of matches: [TextSearch.Match], in text: String, scalarLimit: Int) -> Range<Int> {
    guard let first = matches.first else { return 0..<0 }
    let places = scalarOffsets(of: matches, in: text)
    // A window slides over the matches. The counts have the number of each term's matches in the window.
    var counts: [Int: Int] = [:]
    var (best, bestCount) = (first.range, 0)
    var end = 0
    for start in matches.indices {
      if start > 0 {
        // The match before the passage leaves it.
        let term = matches[start - 1].term
        if end >= start { counts[term] = counts[term, default: 1] > 1 ? counts[term, default: 1] - 1 : nil }
      }
      end = max(end, start)
      while end < matches.count, places[end].end - places[start].start <= scalarLimit {
        counts[matches[end].term, default: 0] += 1
        end += 1
      }
      if counts.count > bestCount {
        bestCount = counts.count
        best = matches[start].range.lowerBound..<(matches[start..<end].map(\.range.upperBound).max() ?? 0)
      }
    }
    return best
  }

  /// The beginning and the end of each match, in scalars.
  private static func scalarOffsets(of matches: [TextSearch.Match], in text: String) -> [(start: Int, end: Int)] {
    var text = text
    return text.withUTF8 { bytes in
      var (offset, count) = (0, 0)
      return matches.map { match in
        count += scalarCount(bytes[offset..<match.range.lowerBound])
        offset = match.range.lowerBound
        return (count, count + scalarCount(bytes[match.range]))
      }
    }
  }

  private static func scalarCount(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    var count = 0
    for byte in bytes where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }
}

/// A text around a passage, cut to a number of characters, with its white space as single spaces.
struct SnippetCut {
  private struct Piece {
    let character: Character
    let range: Range<String.Index>
    /// Whether the piece is white space. Stored, since comparing characters is slow for some.
    let isSpace: Bool
  }

  /// The pieces before the passage, in reverse order, and the pieces from its beginning on. Each has as many as could
  /// be shown.
  private let before: [Piece]
  private let behind: [Piece]
  /// Whether the pieces reach the beginning and the end of the text.
  private let beginsText: Bool
  private let endsText: Bool
  /// The number of pieces of the passage, from the first of `behind` on.
  private let passageCount: Int
  /// The numbers of shown pieces before and after the beginning of the passage.
  private var leading = 0
  private var trailing = 0

  init(_ text: String, around passage: Range<Int>, maxLength: Int) {
    var borders = CharacterBorders(text)
    let start = borders.border(atOrBefore: passage.lowerBound)
    let end = borders.border(atOrBehind: max(passage.upperBound, start.offset)).index
    var (before, beginsText) = Self.pieces(of: text, before: start.index, limit: maxLength)
    var (behind, endsText) = Self.pieces(of: text, from: start.index, limit: maxLength)
    // White space at the beginning of the passage moves to the pieces before it. At the beginning of the text it is
    // omitted.
    if let space = behind.first, space.isSpace {
      behind.removeFirst()
      if !before.isEmpty || !beginsText { before.insert(space, at: 0) }
    }
    (self.before, self.beginsText, self.behind, self.endsText) = (before, beginsText, behind, endsText)
    passageCount = behind.prefix { $0.range.lowerBound < end }.count
    if beginsText, endsText, before.count + behind.count <= maxLength {
      (leading, trailing) = (before.count, behind.count)
      return
    }
    // A third of the remaining characters is shown before the passage.
    leading = min(before.count, max(0, maxLength - passageCount - 1) / 3)
    trailing = Self.fitting(behind.count, endsText, in: maxLength - leading - (cutsStart ? 1 : 0))
    leading = Self.fitting(before.count, beginsText, in: maxLength - trailing - (cutsEnd ? 1 : 0))
  }

  private var cutsStart: Bool { leading < before.count || !beginsText }
  private var cutsEnd: Bool { trailing < behind.count || !endsText }

  /// The number of pieces that fit into the room. One place is kept for an ellipsis, unless all pieces fit and reach
  /// the end of the text.
  private static func fitting(_ count: Int, _ isWhole: Bool, in room: Int) -> Int {
    isWhole && count <= room ? count : max(0, min(count, room - 1))
  }

  /// The pieces from an index on, and whether they reach the end of the text. White space at the end of the text is
  /// omitted.
  private static func pieces(of text: String, from start: String.Index, limit: Int) -> ([Piece], isWhole: Bool) {
    var pieces: [Piece] = []
    var index = start
    while index < text.endIndex {
      if pieces.count == limit { return (pieces, false) }
      let first = index
      var character = text[index]
      let isSpace = character.isSpace
      text.formIndex(after: &index)
      if isSpace {
        while index < text.endIndex, text[index].isSpace { text.formIndex(after: &index) }
        character = " "
        if index == text.endIndex { break }
      }
      pieces.append(Piece(character: character, range: first..<index, isSpace: isSpace))
    }
    return (pieces, true)
  }

  /// The pieces before an index, in reverse order, and whether they reach the beginning of the text. White space there
  /// is omitted.
  private static func pieces(of text: String, before end: String.Index, limit: Int) -> ([Piece], isWhole: Bool) {
    var pieces: [Piece] = []
    var index = end
    while index > text.startIndex {
      if pieces.count == limit { return (pieces, false) }
      let last = index
      text.formIndex(before: &index)
      var character = text[index]
      let isSpace = character.isSpace
      if isSpace {
        while index > text.startIndex, text[text.index(before: index)].isSpace { text.formIndex(before: &index) }
        character = " "
        if index == text.startIndex { break }
      }
      pieces.append(Piece(character: character, range: index..<last, isSpace: isSpace))
    }
    return (pieces, true)
  }

  /// Moves the cuts to borders of words by showing less of the text. The passage stays whole: if that isn't possible, a
  /// word is cut.
  mutating func moveToWords() {
    if cutsStart, let whole = (0...leading).reversed().first(where: { isBorder(leading: $0) }) { leading = whole }
    if cutsEnd, passageCount <= trailing,
      let whole = (passageCount...trailing).reversed().first(where: { isBorder(trailing: $0) })
    {
      trailing = whole
    }
    while cutsStart, leading > 0, before[leading - 1].isSpace { leading -= 1 }
    while cutsEnd, trailing > 0, behind[trailing - 1].isSpace { trailing -= 1 }
  }

  private func isBorder(leading count: Int) -> Bool {
    let next = count == 0 ? behind.first : before[count - 1]
    guard count < before.count, let next else { return count == before.count && beginsText }
    return Character.isBorder(before[count].character, next.character)
  }

  private func isBorder(trailing count: Int) -> Bool {
    let last = count == 0 ? before.first : behind[count - 1]
    guard count < behind.count, let last else { return count == behind.count && endsText }
    return Character.isBorder(last.character, behind[count].character)
  }

  /// The shown text, and the places of the ranges in it.
  func line(highlighting ranges: [Range<String.Index>]) -> (text: String, ranges: [Range<Int>]) {
    var line = cutsStart ? "…" : ""
    var shown: [Range<Int>] = []
    var next = 0
    for piece in before.prefix(leading).reversed() + behind.prefix(trailing) {
      while next < ranges.count, ranges[next].upperBound <= piece.range.lowerBound { next += 1 }
      let start = line.utf8.count
      line.append(piece.character)
      guard next < ranges.count, ranges[next].lowerBound <= piece.range.lowerBound,
        piece.range.upperBound <= ranges[next].upperBound
      else { continue }
      if let last = shown.last, last.upperBound == start {
        shown[shown.count - 1] = last.lowerBound..<line.utf8.count
      } else {
        shown.append(start..<line.utf8.count)
      }
    }
    if cutsEnd { line += "…" }
    return (line, shown)
  }
}

extension Character {
  /// Whether the character consists of white space only. A space with a mark doesn't.
  fileprivate var isSpace: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// Whether a text can be cut between two characters without cutting a word. In scripts without spaces it can be cut
  /// anywhere.
  fileprivate static func isBorder(_ one: Character, _ other: Character) -> Bool {
    !(one.isOfWord && other.isOfWord)
  }

  private var isOfWord: Bool {
    guard isLetter || isNumber, let scalar = unicodeScalars.first?.value else { return false }
    return FoldTables.withPointers { $0[scalar].wordClass } != .unspacedLetter
  }
}
