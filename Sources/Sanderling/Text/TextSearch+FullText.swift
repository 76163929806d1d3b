extension TextSearch {
  /// An expression of FTS5 for a table of `WordTokens` or `SubstringTokens` that finds each matching text. `nil` if
  /// there is none and each text must be compared: for other kinds, for no terms, and for excluded terms alone.
  ///
  /// The expression may find other texts too, so that `matches(folded:)` decides. It has only the first 64 terms, and
  /// only the first 64 tokens of a long term. A single unit of a script with marks, such as ก, is searched as the
  /// beginning of a token, which also finds กี.
  ///
  /// Every token is quoted. No token contains a quote or NUL, since these separate words.
  var fullTextExpression: String? {
    switch kind {
    case .words: wordsExpression
    case .substrings: SubstringTokens.fullTextExpression(needle)
    case .prefix: nil
    }
  }

  private var wordsExpression: String? {
    return FoldTables.withPointers { tables in
      let wanted = terms.filter { !$0.isExcluded }.prefix(Self.termLimit).map { $0.fullTextPhrase(tables).text }
      guard !wanted.isEmpty else { return nil }
      // An excluded term is used only if FTS5 finds exactly the texts with the term. Otherwise it would exclude
      // matching texts.
      let excluded = terms.filter(\.isExcluded).prefix(Self.termLimit).map { $0.fullTextPhrase(tables) }.filter(
        \.isExact
      ).map(\.text)
      let conjunction = wanted.joined(separator: " AND ")
      return excluded.isEmpty ? conjunction : "(\(conjunction)) NOT (\(excluded.joined(separator: " OR ")))"
    }
  }

  /// The most terms of an expression. More terms make the search slower, and rarely find fewer texts.
  fileprivate static let termLimit = 64
}

extension SearchTerm {
  /// A bound below the 32,768 bytes at which FTS5 cuts tokens off.
  private static let tokenLimit = 32_000

  /// The term as a phrase of tokens, and whether FTS5 finds the phrase exactly where the term occurs.
  fileprivate func fullTextPhrase(_ tables: FoldTablePointers) -> (text: String, isExact: Bool) {
    var phrase: [UInt8] = []
    var count = 0
    var isExact = true
    for (number, segment) in segments.enumerated() {
      segment.bytes.withUnsafeBufferPointer { bytes in
        guard let address = bytes.baseAddress else { return }
        let whole = WordSegments.Segment(kind: segment.isRun ? .run : .word, range: 0..<bytes.count)
        let endsPhrase = number == segments.count - 1
        WordTokens.forEachToken(of: whole, address, endsPhrase: endsPhrase, tables) { token in
          count += 1
          guard count <= TextSearch.termLimit else { return }
          if !phrase.isEmpty { phrase.append(UInt8(ascii: " ")) }
          WordTokens.appendToken(token, to: &phrase)
          if token.count > Self.tokenLimit { isExact = false }
        }
      }
    }
    let isCut = count > TextSearch.termLimit
    var isPrefix = endsWithPrefix
    if let last = segments.last, last.isRun {
      // A single unit is the beginning of a token, which may also have the next unit. Two units are a whole token.
      let isSingle = last.isSingleUnit(tables)
      isPrefix = isSingle
      if isSingle { isExact = false }
    }
    if isCut {
      isPrefix = false
      isExact = false
    }
    let text = String(decoding: phrase, as: UTF8.self)
    return (isPrefix ? "\"\(text)\" *" : "\"\(text)\"", isExact)
  }
}

extension SearchSegment {
  fileprivate func isSingleUnit(_ tables: FoldTablePointers) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      guard let address = bytes.baseAddress else { return false }
      return WordTokens.unitEnd(address, 0, end: bytes.count, tables) == bytes.count
    }
  }
}
