/// The tokens of words, as FTS5 stores and searches them.
///
/// The table uses SQLite's own tokenizer `ascii`. To this tokenizer, letters and digits of ASCII and all characters
/// outside of ASCII are parts of tokens. So the stored text consists of the tokens, separated by spaces:
///
/// - A word is a token. Its `+` and `#` are written in full width, which no folded text has.
/// - A run has a token for each two adjacent units, and a token for its last unit, so that each unit begins a token:
///   東京塔 is `東京 京塔 塔`.
///
/// A search for two or more units is a phrase of such pairs, which contain the same units in the same order. A search
/// for a single unit is a prefix.
enum WordTokens {
  /// Appends the tokens of a folded text, with a space between them. O(bytes); a run takes up to 7/3 of its bytes.
  static func append(_ folded: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
    guard let bytes = folded.baseAddress else { return }
    FoldTables.withPointers { tables in
      for segment in WordSegments(bytes, 0..<folded.count, tables) {
        forEachToken(of: segment, bytes, endsPhrase: false, tables) { token in
          if !result.isEmpty { result.append(UInt8(ascii: " ")) }
          appendToken(token, to: &result)
        }
      }
    }
  }

  /// Passes each token of a segment to the body.
  ///
  /// - Parameter endsPhrase: Whether the segment ends a searched phrase. A run may then continue in the text, so that
  ///   its last unit is no token, unless the run has no other unit.
  @inline(__always)
  static func forEachToken(
    of segment: WordSegments.Segment, _ bytes: UnsafePointer<UInt8>, endsPhrase: Bool, _ tables: FoldTablePointers,
    _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    func slice(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count)
    }
    switch segment.kind {
    case .word: body(slice(segment.range))
    case .run:
      var before: Int?
      var start = segment.range.lowerBound
      while start < segment.range.upperBound {
        let next = unitEnd(bytes, start, end: segment.range.upperBound, tables)
        if let before { body(slice(before..<next)) }
        before = start
        start = next
      }
      let isSingle = before == segment.range.lowerBound
      if let before, isSingle || !endsPhrase { body(slice(before..<segment.range.upperBound)) }
    }
  }

  /// The end of the unit at an index: the letter and the marks after it.
  @inline(__always)
  static func unitEnd(_ bytes: UnsafePointer<UInt8>, _ start: Int, end: Int, _ tables: FoldTablePointers) -> Int {
    var index = start
    _ = UTF8Scalars.next(bytes, &index, end: end)
    while index < end {
      var next = index
      guard tables[UTF8Scalars.next(bytes, &next, end: end)].wordClass == .mark else { break }
      index = next
    }
    return index
  }

  /// Appends a token as the tokenizer reads it.
  static func appendToken(_ token: UnsafeBufferPointer<UInt8>, to result: inout [UInt8]) {
    let last = token.last
    guard last == UInt8(ascii: "+") || last == UInt8(ascii: "#") else { return result.append(contentsOf: token) }
    for byte in token {
      switch byte {
      case UInt8(ascii: "+"): result += [0xEF, 0xBC, 0x8B]
      case UInt8(ascii: "#"): result += [0xEF, 0xBC, 0x83]
      default: result.append(byte)
      }
    }
  }
}
