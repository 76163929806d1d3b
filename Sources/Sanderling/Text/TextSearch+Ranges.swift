/// The matching parts of a fold. They use the functions that decide about a match, so that the two can't differ.
extension TextSearch {
  /// A part of a fold that is asked for.
  struct Match: Equatable {
    /// The bytes of the fold. Never empty.
    let range: Range<Int>
    /// Which of the terms it is; 0 for substrings and prefixes.
    let term: Int
  }

  /// The searched parts of a folded text, by their beginnings. Parts of different terms may overlap.
  ///
  /// A matching text has some, unless the search only excludes texts. Other texts may have some too: one of two words.
  /// For a last word that is being typed, it is the typed part. O(bytes), and for words O(bytes × terms).
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
