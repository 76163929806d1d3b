/// The places in a folded text where a match may begin and end: at borders of characters.
///
/// Characters of a fold are the same for words and for matches:
///
/// - A letter or a symbol and the marks after it are one character. หม doesn't occur in หมี, nor ≠ in ≠ with a ring,
///   nor 🏴 in the flag of Scotland, which ends with tags. Exception: in a script that has spaces, a match may end
///   before a mark.
/// - Two regional indicators are one character, counted from the beginning of their run. 🇪🇫 doesn't occur in 🇩🇪🇫🇷.
///
/// Scalars that the fold removes join no characters: 👩 occurs in 👨‍👩‍👧, and 👍 in 👍🏽, as e does in é. A mark after
/// neither a letter nor a symbol is a character of its own.
///
/// One value serves the calls for one text, in the order of their places. Each call looks back no further than to the
/// place of the call before. So a letter with a million marks, or a run of a million flags, is examined once.
struct MatchBorders {
  private var start = Look()
  private var end = Look()

  /// Whether a character begins at a place. No text before the folded text changes the answer.
  ///
  /// - Parameters:
  ///   - folded: A text, the same in each call.
  ///   - place: A place that isn't before the places of earlier calls.
  @inline(__always)
  mutating func mayBegin(_ folded: UnsafeBufferPointer<UInt8>, at place: Int, _ tables: FoldTablePointers) -> Bool {
    guard let bytes = folded.baseAddress, place > 0, place < folded.count, bytes[place] >= 0x80 else { return true }
    switch Self.wordClass(bytes, at: place, folded.count, tables) {
    case .separator, .letter, .unspacedLetter, .symbol: return true
    case .regionalIndicator: return !start.cutsFlag(bytes, at: place, folded.count, tables)
    case .mark:
      switch start.base(bytes, before: place, folded.count, tables) {
      case .separator, nil: return true
      case .letter, .unspacedLetter, .symbol, .regionalIndicator, .mark: return false
      }
    }
  }

  /// Whether a match may end at a place. Nil if that depends on the text around a part; in a whole text, the match may
  /// then end.
  ///
  /// - Parameters:
  ///   - folded: A text or a part of one, the same in each call.
  ///   - place: A place that isn't before the places of earlier calls.
  @inline(__always)
  mutating func mayEnd(_ folded: UnsafeBufferPointer<UInt8>, at place: Int, _ tables: FoldTablePointers) -> Bool? {
    guard let bytes = folded.baseAddress, place < folded.count, place > 0 else { return nil }
    guard bytes[place] >= 0x80 else { return true }
    switch Self.wordClass(bytes, at: place, folded.count, tables) {
    case .separator, .letter, .unspacedLetter, .symbol: return true
    case .regionalIndicator: return !end.cutsFlag(bytes, at: place, folded.count, tables)
    case .mark:
      switch end.base(bytes, before: place, folded.count, tables) {
      case .separator, .letter: return true
      case .unspacedLetter, .symbol, .regionalIndicator, .mark: return false
      case nil: return nil
      }
    }
  }

  @inline(__always)
  private static func wordClass(
    _ bytes: UnsafePointer<UInt8>, at index: Int, _ count: Int, _ tables: FoldTablePointers
  ) -> WordClass {
    var next = index
    return tables[UTF8Scalars.next(bytes, &next, end: count)].wordClass
  }

  /// The characters before the places of successive calls. Remembers the last answer, so that no scalar is examined
  /// twice.
  private struct Look {
    private var lastBase: (place: Int, base: WordClass?)?
    private var lastFlag: (place: Int, isCut: Bool)?

    /// The class of the character to which the marks right before a place belong; nil if only marks precede the place.
    mutating func base(
      _ bytes: UnsafePointer<UInt8>, before place: Int, _ count: Int, _ tables: FoldTablePointers
    ) -> WordClass? {
      let base = findBase(bytes, before: place, count, tables)
      lastBase = (place, base)
      return base
    }

    private func findBase(
      _ bytes: UnsafePointer<UInt8>, before place: Int, _ count: Int, _ tables: FoldTablePointers
    ) -> WordClass? {
      var index = place
      while index > 0 {
        if let lastBase, index == lastBase.place { return lastBase.base }
        index = UTF8Scalars.start(of: bytes, before: index)
        let wordClass = MatchBorders.wordClass(bytes, at: index, count, tables)
        if wordClass != .mark { return wordClass }
      }
      return nil
    }

    /// Whether a place before a regional indicator is in the middle of a flag.
    mutating func cutsFlag(
      _ bytes: UnsafePointer<UInt8>, at place: Int, _ count: Int, _ tables: FoldTablePointers
    ) -> Bool {
      var isCut = false
      var index = place
      while index > 0 {
        if let lastFlag, index == lastFlag.place {
          isCut = isCut != lastFlag.isCut
          break
        }
        index = UTF8Scalars.start(of: bytes, before: index)
        guard MatchBorders.wordClass(bytes, at: index, count, tables) == .regionalIndicator else { break }
        isCut.toggle()
      }
      lastFlag = (place, isCut)
      return isCut
    }
  }
}
