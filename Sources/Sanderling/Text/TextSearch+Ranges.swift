/// Finds the matching parts of a fold. Uses the functions that decide about a match, so that both always agree.
extension TextSearch {
  /// A matching part of a fold.
  struct Match: Equatable {
    /// The bytes of the fold. Never empty.
    let range: Range<Int>
    /// The number of the matching term; 0 for substrings and prefixes.
    let term: Int
  }

  /// The matching parts of a folded text, ordered by their beginnings. Parts of different terms may overlap.
  ///
  /// A matching text has parts, unless the search only excludes texts. Other texts may have parts too, such as one of
  /// two words. If the last word is being typed, its part is the typed beginning. O(bytes), and for words O(bytes ×
  /// terms).
  func matches(inFolded folded: UnsafeBufferPointer<UInt8>) -> [Match] {
    FoldTables.withPointers { tables in
      switch kind {
      case .words: return terms(in: folded, tables)
      case .prefix: return !needle.isEmpty && matches(folded: folded) ? [Match(range: 0..<needle.count, term: 0)] : []
      case .substrings:
        var matches: [Match] = []
        guard !needle.isEmpty else { return [] }
        var borders = MatchBorders()
        while let range = Self.range(
          of: needle, in: folded, from: matches.last?.range.upperBound ?? 0, &borders, tables)
        {
          matches.append(Match(range: range, term: 0))
        }
        return matches
      }
    }
  }

  private func terms(in folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers) -> [Match] {
    guard let bytes = folded.baseAddress, terms.contains(where: { !$0.isExcluded }) else { return [] }
    let segments = Array(WordSegments(bytes, 0..<folded.count, tables))
    var matches: [Match] = []
    for (number, term) in terms.enumerated() where !term.isExcluded && term.segments.count <= segments.count {
      for place in 0...segments.count - term.segments.count {
        var offset = 0
        var borders = MatchBorders()
        while let range = Self.range(of: term, at: place, from: offset, &borders, segments, folded, tables) {
          matches.append(Match(range: range, term: number))
          offset = range.upperBound - segments[place].range.lowerBound
        }
      }
    }
    return terms.count > 1 ? matches.sorted { $0.range.lowerBound < $1.range.lowerBound } : matches
  }
}
