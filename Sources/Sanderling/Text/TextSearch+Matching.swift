extension TextSearch {
  /// Whether a text matches, by its fold. O(bytes), and for words O(bytes × terms).
  func matches(folded: UnsafeBufferPointer<UInt8>) -> Bool {
    FoldTables.withPointers { tables in
      switch kind {
      case .words: containsTerms(folded, tables)
      case .substrings: hasNeedle(folded, tables)
      case .prefix: hasPrefix(folded, tables)
      }
    }
  }

  /// Whether a text matches. Folds the text.
  package func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { TextFold.fold($0) { matches(folded: $0) } }
  }

  /// Returns for each term, in order, whether a text has it. Folds the text.
  package func found(in text: String) -> [Bool] {
    var text = text
    return text.withUTF8 { TextFold.fold($0) { found(inFolded: $0) } }
  }

  /// Whether each term is excluded, in the order of the terms.
  package var exclusions: [Bool] { terms.map(\.isExcluded) }

  /// Returns for each term, in order, whether a text has it. Several texts match together if each term is in at least
  /// one of them, and no excluded term is in any of them.
  ///
  /// Substrings and prefixes count as one term.
  func found(inFolded folded: UnsafeBufferPointer<UInt8>) -> [Bool] {
    guard kind == .words else { return [matches(folded: folded)] }
    return FoldTables.withPointers { tables in
      guard let bytes = folded.baseAddress else { return terms.map { _ in false } }
      let segments = Array(WordSegments(bytes, 0..<folded.count, tables))
      return terms.map { Self.contains($0, segments, folded, tables) }
    }
  }

  /// Adds the terms that one more text has to the terms that the texts before it have. `found` is nil before the first
  /// text.
  func add(_ folded: UnsafeBufferPointer<UInt8>, to found: inout [Bool]?) {
    let parts = self.found(inFolded: folded)
    found = found.map { zip($0, parts).map { $0 || $1 } } ?? parts
  }

  /// Whether several texts match together. `found` says for each term whether at least one of the texts has it: see
  /// ``found(inFolded:)``. False if there is no text.
  func matches(found: [Bool]?) -> Bool {
    guard let found else { return false }
    guard kind == .words else { return found == [true] }
    return zip(terms, found).allSatisfy { $0.isExcluded != $1 }
  }

  /// Whether each occurrence of the needle ends a match, even if a mark or half of a flag follows in the text.
  var mayEndAnywhere: Bool {
    FoldTables.withPointers { tables in
      ["\u{0E34}", "\u{1F1E6}"].allSatisfy { next in
        (needle + Array(next.utf8)).withUnsafeBufferPointer { Self.mayEnd($0, at: needle.count, tables) }
      }
    }
  }

  private func hasNeedle(_ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers) -> Bool {
    var borders = MatchBorders()
    return Self.range(of: needle, in: folded, from: 0, &borders, tables) != nil
  }

  /// Whether a match may end at a place in a text.
  static func mayEnd(_ folded: UnsafeBufferPointer<UInt8>, at end: Int, _ tables: FoldTablePointers) -> Bool {
    var borders = MatchBorders()
    return borders.mayEnd(folded, at: end, tables) ?? true
  }

  private func hasPrefix(_ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers) -> Bool {
    guard folded.count >= needle.count, folded.prefix(needle.count).elementsEqual(needle) else { return false }
    return Self.mayEnd(folded, at: needle.count, tables)
  }

  private func containsTerms(_ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers) -> Bool {
    guard !terms.isEmpty else { return true }
    guard let bytes = folded.baseAddress else { return terms.allSatisfy(\.isExcluded) }
    guard hasBytesOfTerms(folded) else { return false }
    if terms.count <= 64, terms.allSatisfy({ $0.segments.count == 1 }) {
      return containsWords(folded, WordSegments(bytes, 0..<folded.count, tables), tables)
    }
    let segments = Array(WordSegments(bytes, 0..<folded.count, tables))
    return terms.allSatisfy { Self.contains($0, segments, folded, tables) != $0.isExcluded }
  }

  /// Whether texts that are adjacent in memory may match. `false` is certain. O(bytes × terms).
  func mayMatch(folded: UnsafeBufferPointer<UInt8>) -> Bool {
    kind == .words ? hasBytesOfTerms(folded) : Self.hasBytes(needle, folded)
  }

  /// Whether the text has the bytes of all terms. Most texts that don't match lack the bytes of a word. Finding that
  /// takes a tenth of the time of dividing the text into words.
  private func hasBytesOfTerms(_ folded: UnsafeBufferPointer<UInt8>) -> Bool {
    for term in terms where !term.isExcluded {
      for segment in term.segments where !Self.hasBytes(segment.bytes, folded) { return false }
    }
    return true
  }

  /// Like `containsTerms`, for up to 64 terms of one segment each. Examines the text's segments in order, and no more
  /// of them than necessary.
  private func containsWords(
    _ folded: UnsafeBufferPointer<UInt8>, _ segments: WordSegments, _ tables: FoldTablePointers
  ) -> Bool {
    var missing: UInt64 = 0
    var hasExcluded = false
    for (number, term) in terms.enumerated() {
      if term.isExcluded { hasExcluded = true } else { missing |= 1 << UInt64(number) }
    }
    for segment in segments {
      for (number, term) in terms.enumerated() where term.isExcluded || missing & 1 << UInt64(number) != 0 {
        var borders = MatchBorders()
        guard Self.range(of: 0, of: term, in: segment, from: 0, &borders, folded, tables) != nil else { continue }
        if term.isExcluded { return false }
        missing &= ~(1 << UInt64(number))
      }
      if missing == 0, !hasExcluded { return true }
    }
    return missing == 0
  }

  private static func contains(
    _ term: SearchTerm, _ segments: [WordSegments.Segment], _ folded: UnsafeBufferPointer<UInt8>,
    _ tables: FoldTablePointers
  ) -> Bool {
    let places = segments.count - term.segments.count
    guard places >= 0 else { return false }
    return (0...places).contains { place in
      var borders = MatchBorders()
      return range(of: term, at: place, &borders, segments, folded, tables) != nil
    }
  }

  /// The range of a term in a text, if the term begins in the text's segment with the given number; nil if it doesn't.
  ///
  /// A term that is one run may occur in the segment several times.
  ///
  /// - Parameters:
  ///    - offset: Only occurrences after this many bytes of the segment count.
  ///    - borders: The known borders of the segment.
  static func range(
    of term: SearchTerm, at place: Int, from offset: Int = 0, _ borders: inout MatchBorders,
    _ segments: [WordSegments.Segment], _ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers
  ) -> Range<Int>? {
    guard let first = range(of: 0, of: term, in: segments[place], from: offset, &borders, folded, tables) else {
      return nil
    }
    var end = first.upperBound
    for number in term.segments.indices.dropFirst() {
      var borders = MatchBorders()
      guard let next = range(of: number, of: term, in: segments[place + number], from: 0, &borders, folded, tables)
      else { return nil }
      end = next.upperBound
    }
    return first.lowerBound..<end
  }

  /// The range of a term's segment in the text, if the given segment of the text contains it; nil if it doesn't.
  @inline(__always)
  private static func range(
    of number: Int, of term: SearchTerm, in segment: WordSegments.Segment, from offset: Int,
    _ borders: inout MatchBorders, _ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers
  ) -> Range<Int>? {
    let wanted = term.segments[number]
    guard (segment.kind == .run) == wanted.isRun else { return nil }
    let part = UnsafeBufferPointer(rebasing: folded[segment.range])
    let (isFirst, isLast) = (number == 0, number == term.segments.count - 1)
    let found: Range<Int>?
    switch (wanted.isRun, isFirst, isLast) {
    case (true, true, true): found = range(of: wanted.bytes, in: part, from: offset, &borders, tables)
    case (true, true, false): found = part.hasSuffix(wanted.bytes) ? part.count - wanted.bytes.count..<part.count : nil
    case (true, false, true):
      found =
        part.hasPrefix(wanted.bytes) && mayEnd(part, at: wanted.bytes.count, tables) ? 0..<wanted.bytes.count : nil
    case (false, _, true) where term.endsWithPrefix: found = part.hasPrefix(wanted.bytes) ? 0..<wanted.bytes.count : nil
    default: found = part.count == wanted.bytes.count && part.hasPrefix(wanted.bytes) ? 0..<part.count : nil
    }
    guard let found, found.lowerBound >= offset else { return nil }
    return found.lowerBound + segment.range.lowerBound..<found.upperBound + segment.range.lowerBound
  }

  private static func hasBytes(_ needle: [UInt8], _ folded: UnsafeBufferPointer<UInt8>) -> Bool {
    needle.isEmpty || firstIndex(of: needle, in: folded, from: 0) != nil
  }

  /// The first range, from an index on, in which a folded text contains a needle without cutting a character.
  ///
  /// - Parameter borders: The known borders of this text, for repeated calls.
  static func range(
    of needle: [UInt8], in folded: UnsafeBufferPointer<UInt8>, from: Int, _ borders: inout MatchBorders,
    _ tables: FoldTablePointers
  ) -> Range<Int>? {
    guard !needle.isEmpty else { return from..<from }
    var index = from
    while let start = firstIndex(of: needle, in: folded, from: index) {
      let end = start + needle.count
      if borders.mayBegin(folded, at: start, tables), borders.mayEnd(folded, at: end, tables) ?? true {
        return start..<end
      }
      index = start + 1
    }
    return nil
  }

  /// The first index, from an index on, at which a needle occurs in the bytes. O(bytes × needle) at worst, O(bytes) for
  /// texts that people write. The needle must not be empty.
  static func firstIndex(of needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
    guard let address = bytes.baseAddress else { return nil }
    return needle.withUnsafeBufferPointer { needle in
      guard let wanted = needle.baseAddress, from + needle.count <= bytes.count else { return nil }
      // The last byte is compared first. It distinguishes better than the first, which letters of one script share.
      let last = needle.count - 1
      let byte = wanted[last]
      var end = from + last
      while end < bytes.count {
        if address[end] == byte {
          var length = 0
          while length < last, address[end - last + length] == wanted[length] { length += 1 }
          if length == last { return end - last }
        }
        end += 1
      }
      return nil
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  @inline(__always)
  func hasPrefix(_ bytes: [UInt8]) -> Bool { has(bytes, at: 0) }

  @inline(__always)
  func hasSuffix(_ bytes: [UInt8]) -> Bool { has(bytes, at: count - bytes.count) }

  @inline(__always)
  private func has(_ bytes: [UInt8], at start: Int) -> Bool {
    guard count >= bytes.count else { return false }
    var index = 0
    while index < bytes.count {
      if self[start + index] != bytes[index] { return false }
      index += 1
    }
    return true
  }
}
