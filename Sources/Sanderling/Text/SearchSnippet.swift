/// A part of a long text around the words that the user typed: see ``SearchHighlights/snippet(of:maxLength:)``.
public struct SearchSnippet: Hashable, Sendable {
  /// The part in one line, with an ellipsis where the text goes on.
  public let text: String
  /// The ranges of its matches, as ``SearchHighlights/ranges(in:)`` gives them.
  public let ranges: [Range<String.Index>]
}

extension SearchHighlights {
  /// A part of a text with matches, and its ranges: the passage that has the most different words of the input, the first of them where
  /// several do. Where the text has none, it is the text's beginning.
  ///
  /// ```swift
  /// SearchHighlights("orval").snippet(of: letter, maxLength: 40).text    // "…on the way back from Café Orval, where…"
  /// ```
  ///
  /// It begins and ends at the borders of words, unless a word is too long for that, and has an ellipsis "…" where it is cut. Line breaks
  /// and other runs of white space become one space.
  ///
  /// - Parameter maxLength: How many characters it has at most, with the ellipses. With less than 3 there is no room for a character between
  ///   two ellipses: a longer text is an ellipsis then, and nothing from 0 down.
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

/// Which matches a snippet is to show.
enum SnippetPassage {
  /// The range of bytes from the first match to the last of those that lie close enough together; empty at the beginning for no matches.
  ///
  /// - Parameter scalarLimit: From how many scalars they are to be. There are never more characters than scalars, which are faster to count.
  static func best(of matches: [TextSearch.Match], in text: String, scalarLimit: Int) -> Range<Int> {
    guard let first = matches.first else { return 0..<0 }
    let places = scalarOffsets(of: matches, in: text)
    var counts: [Int: Int] = [:]
    var (best, bestCount) = (first.range, 0)
    var end = 0
    for start in matches.indices {
      if start > 0 {
        // The one before leaves.
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

  /// Where each match begins and ends, in scalars.
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
    /// Whether it stands for white space. Comparing characters takes long for some.
    let isSpace: Bool
  }

  /// The text before the passage, its end first, and the text from the passage on; each as long as could be shown.
  private let before: [Piece]
  private let behind: [Piece]
  /// Whether these begin and end the text.
  private let beginsText: Bool
  private let endsText: Bool
  /// How many of the pieces behind are of the passage.
  private let passageCount: Int
  /// How many are shown.
  private var leading = 0
  private var trailing = 0

  init(_ text: String, around passage: Range<Int>, maxLength: Int) {
    var borders = CharacterBorders(text)
    let start = borders.border(atOrBefore: passage.lowerBound)
    let end = borders.border(atOrBehind: max(passage.upperBound, start.offset)).index
    var (before, beginsText) = Self.pieces(of: text, before: start.index, limit: maxLength)
    var (behind, endsText) = Self.pieces(of: text, from: start.index, limit: maxLength)
    // White space in front of the passage is shown as such, and not at all where it begins the text.
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
    // A third of the rest comes before.
    leading = min(before.count, max(0, maxLength - passageCount - 1) / 3)
    trailing = Self.fitting(behind.count, endsText, in: maxLength - leading - (cutsStart ? 1 : 0))
    leading = Self.fitting(before.count, beginsText, in: maxLength - trailing - (cutsEnd ? 1 : 0))
  }

  private var cutsStart: Bool { leading < before.count || !beginsText }
  private var cutsEnd: Bool { trailing < behind.count || !endsText }

  /// How many of so many pieces fit, with an ellipsis unless all of the text is among them.
  private static func fitting(_ count: Int, _ isWhole: Bool, in room: Int) -> Int {
    isWhole && count <= room ? count : max(0, min(count, room - 1))
  }

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

  /// Cuts less of the text, so that no word is cut, where that leaves the passage whole.
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

  /// The shown text, and the places in it of the text's ranges.
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
  /// Whether nothing but white space is in it: a space with a mark isn't.
  fileprivate var isSpace: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

  /// Whether a text can be cut between two characters without cutting a word. In scripts without spaces that is anywhere.
  fileprivate static func isBorder(_ one: Character, _ other: Character) -> Bool {
    !(one.isOfWord && other.isOfWord)
  }

  private var isOfWord: Bool {
    guard isLetter || isNumber, let scalar = unicodeScalars.first?.value else { return false }
    return FoldTables.withPointers { $0[scalar].wordClass } != .unspacedLetter
  }
}
