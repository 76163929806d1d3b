/// Decides whether a search finds only texts that another search also finds.
///
/// While the user types, the longer input usually finds only texts that the shorter input also finds. There are
/// exceptions: `issue#1` finds texts that `issue#` doesn't find, 한 finds texts that 하 doesn't find, and `a -bc` finds
/// texts that `a -b` doesn't find.
extension TextSearch {
  /// Whether every text that matches this search certainly matches the other search. This also holds for several texts
  /// that are searched together.
  ///
  /// The result `false` proves nothing. O(terms² × bytes). With more than 64 terms, the result is `true` only if both
  /// searches are equal or the other search matches all texts.
  func narrows(_ other: TextSearch) -> Bool {
    if other.matchesAll || self == other { return true }
    guard kind == other.kind, !matchesAll else { return false }
    return FoldTables.withPointers { tables in
      switch kind {
      case .prefix: needle.withUnsafeBufferPointer { Self.begins($0, with: other.needle, tables) }
      case .substrings: needle.withUnsafeBufferPointer { Self.has($0, other.needle, tables) }
      case .words: hasTerms(of: other, tables)
      }
    }
  }

  private static let termLimit = 64

  private func hasTerms(of other: TextSearch, _ tables: FoldTablePointers) -> Bool {
    guard terms.count <= Self.termLimit, other.terms.count <= Self.termLimit else { return false }
    return other.terms.allSatisfy { wanted in
      terms.contains { term in
        guard term.isExcluded == wanted.isExcluded else { return false }
        // A text without the word that this search excludes also lacks each longer word.
        return wanted.isExcluded ? wanted.implies(term, tables) : term.implies(wanted, tables)
      }
    }
  }

  /// Whether each text that matches `bytes` as a needle also matches the other needle within these bytes.
  fileprivate static func has(
    _ bytes: UnsafeBufferPointer<UInt8>, _ needle: [UInt8], _ tables: FoldTablePointers
  ) -> Bool {
    var start = 0
    var borders = MatchBorders()
    while start + needle.count <= bytes.count {
      guard let found = firstIndex(of: needle, in: bytes, from: start) else { return false }
      let end = found + needle.count
      if borders.mayBegin(bytes, at: found, tables),
        end == bytes.count || borders.mayEnd(bytes, at: end, tables) == true
      {
        return true
      }
      start = found + 1
    }
    return false
  }

  /// Whether each text that begins with `bytes` also begins with the needle.
  fileprivate static func begins(
    _ bytes: UnsafeBufferPointer<UInt8>, with needle: [UInt8], _ tables: FoldTablePointers
  ) -> Bool {
    guard bytes.hasPrefix(needle) else { return false }
    // No letter precedes `bytes` in a text, so marks at the beginning of `bytes` belong to no letter. So the answer of
    // `mayEnd` holds for each text that begins with `bytes`.
    return needle.count == bytes.count || mayEnd(bytes, at: needle.count, tables)
  }
}

extension SearchTerm {
  /// The part of a text's segment that a term's segment must fill.
  private enum Extent {
    case exact, prefix, suffix, anywhere
  }

  private func extent(of number: Int) -> Extent {
    let (isFirst, isLast) = (number == 0, number == segments.count - 1)
    return switch (segments[number].isRun, isFirst, isLast) {
    case (true, true, true): .anywhere
    case (true, true, false): .suffix
    case (true, false, true): .prefix
    case (false, _, true) where endsWithPrefix: .prefix
    default: .exact
    }
  }

  /// Whether every text with this term also has the other term, in all or some segments of this term.
  fileprivate func implies(_ other: SearchTerm, _ tables: FoldTablePointers) -> Bool {
    let places = segments.count - other.segments.count
    return places >= 0
      && (0...places).contains { place in
        other.segments.indices.allSatisfy { implies(other, segment: $0, in: place + $0, tables) }
      }
  }

  private func implies(_ other: SearchTerm, segment: Int, in place: Int, _ tables: FoldTablePointers) -> Bool {
    let (known, wanted) = (segments[place], other.segments[segment])
    guard known.isRun == wanted.isRun else { return false }
    let extent = extent(of: place)
    return known.bytes.withUnsafeBufferPointer { bytes in
      switch other.extent(of: segment) {
      case .exact: extent == .exact && known.bytes == wanted.bytes
      case .suffix: (extent == .exact || extent == .suffix) && bytes.hasSuffix(wanted.bytes)
      case .prefix where !wanted.isRun: (extent == .exact || extent == .prefix) && bytes.hasPrefix(wanted.bytes)
      case .prefix: (extent == .exact || extent == .prefix) && TextSearch.begins(bytes, with: wanted.bytes, tables)
      case .anywhere: TextSearch.has(bytes, wanted.bytes, tables)
      }
    }
  }
}
