extension TextSearch {
  /// Whether a text matches, whose fold this is. O(bytes), and for words O(bytes × terms).
  func matches(folded: UnsafeBufferPointer<UInt8>) -> Bool {
    FoldTables.withPointers { tables in
      switch kind {
      case .words: containsTerms(folded, tables)
      case .substrings: Self.range(of: needle, in: folded, from: 0, tables) != nil
      case .prefix: hasPrefix(folded, tables)
      }
    }
  }

  /// Whether a text matches. Folds it.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { TextFold.fold($0) { matches(folded: $0) } }
  }

  /// What of the search one text of several has: terms, by their position, of which each has to be in any of them.
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

  /// Whether several texts match together, where any of them has each of these parts of the search: see ``found(inFolded:)``.
  func matches(found: [Bool]) -> Bool {
    guard kind == .words else { return found == [true] }
    return zip(terms, found).allSatisfy { $0.isExcluded != $1 }
  }

  /// Whether a match of the needle ends wherever the needle does, whatever follows in the text.
  var mayEndAnywhere: Bool {
    let following = needle + Array("\u{0E34}".utf8)
    return FoldTables.withPointers { tables in
      following.withUnsafeBufferPointer { Self.mayEnd($0, at: needle.count, tables) }
    }
  }

  private func hasPrefix(_ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers) -> Bool {
    guard folded.count >= needle.count, folded.prefix(needle.count).elementsEqual(needle) else { return false }
    return Self.mayEnd(folded, at: needle.count, tables)
  }

  private func containsTerms(_ folded: UnsafeBufferPointer<UInt8>, _ tables: FoldTablePointers) -> Bool {
    guard !terms.isEmpty else { return true }
    guard let bytes = folded.baseAddress else { return terms.allSatisfy(\.isExcluded) }
    // Most texts that don't match lack a word, wherever one would begin. Finding that takes a tenth of the time of cutting them.
    for term in terms where !term.isExcluded {
      for segment in term.segments where !Self.hasBytes(segment.bytes, folded) { return false }
    }
    let segments = Array(WordSegments(bytes, 0..<folded.count, tables))
    return terms.allSatisfy { Self.contains($0, segments, folded, tables) != $0.isExcluded }
  }

  private static func contains(
    _ term: SearchTerm, _ segments: [WordSegments.Segment], _ folded: UnsafeBufferPointer<UInt8>,
    _ tables: FoldTablePointers
  ) -> Bool {
    let places = segments.count - term.segments.count
    return places >= 0 && (0...places).contains { contains(term, at: $0, segments, folded, tables) }
  }

  /// Whether a term is in a text, its first segment in the one of this number.
  private static func contains(
    _ term: SearchTerm, at place: Int, _ segments: [WordSegments.Segment], _ folded: UnsafeBufferPointer<UInt8>,
    _ tables: FoldTablePointers
  ) -> Bool {
    let last = term.segments.count - 1
    for (number, wanted) in term.segments.enumerated() {
      let segment = segments[place + number]
      guard (segment.kind == .run) == wanted.isRun else { return false }
      let part = UnsafeBufferPointer(rebasing: folded[segment.range])
      let isFound =
        switch (wanted.isRun, isFirst: number == 0, isLast: number == last) {
        case (false, _, isLast: true) where term.endsWithPrefix: part.starts(with: wanted.bytes)
        case (true, isFirst: true, isLast: true): range(of: wanted.bytes, in: part, from: 0, tables) != nil
        case (true, isFirst: true, isLast: false):
          part.count >= wanted.bytes.count && part.suffix(wanted.bytes.count).elementsEqual(wanted.bytes)
        case (true, isFirst: false, isLast: true):
          part.starts(with: wanted.bytes) && mayEnd(part, at: wanted.bytes.count, tables)
        default: part.elementsEqual(wanted.bytes)
        }
      guard isFound else { return false }
    }
    return true
  }

  private static func hasBytes(_ needle: [UInt8], _ folded: UnsafeBufferPointer<UInt8>) -> Bool {
    firstIndex(of: needle, in: folded, from: 0) != nil
  }

  /// The first range from an index on where a folded text has a needle, and the match may end.
  static func range(
    of needle: [UInt8], in folded: UnsafeBufferPointer<UInt8>, from: Int, _ tables: FoldTablePointers
  ) -> Range<Int>? {
    guard !needle.isEmpty else { return from..<from }
    var index = from
    while let start = firstIndex(of: needle, in: folded, from: index) {
      if mayEnd(folded, at: start + needle.count, tables) { return start..<start + needle.count }
      index = start + 1
    }
    return nil
  }

  /// Where bytes have a needle, from an index on. O(bytes × needle) at worst, O(bytes) for texts that people write.
  private static func firstIndex(of needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>, from: Int) -> Int? {
    guard let address = bytes.baseAddress else { return nil }
    return needle.withUnsafeBufferPointer { needle in
      guard let wanted = needle.baseAddress, from + needle.count <= bytes.count else { return nil }
      // The last byte tells more than the first: letters of one script have their first byte in common.
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

  /// Whether a match may end at an index: not between a letter of a script without spaces and its mark.
  private static func mayEnd(_ folded: UnsafeBufferPointer<UInt8>, at end: Int, _ tables: FoldTablePointers) -> Bool {
    guard let bytes = folded.baseAddress, end < folded.count, bytes[end] >= 0x80, end > 0 else { return true }
    var index = end
    guard tables[UTF8Scalars.next(bytes, &index, end: folded.count)].wordClass == .mark else { return true }
    var start = end
    while start > 0 {
      start = UTF8Scalars.start(of: bytes, before: start)
      var next = start
      switch tables[UTF8Scalars.next(bytes, &next, end: folded.count)].wordClass {
      case .mark: continue
      case .unspacedLetter: return false
      case .separator, .letter, .symbol, .regionalIndicator: return true
      }
    }
    return true
  }
}
