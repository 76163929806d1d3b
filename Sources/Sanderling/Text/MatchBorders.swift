/// Where a match may begin and end in a folded text: at the borders of characters.
///
/// A character of a fold is what words take for one, too:
///
/// - a letter or a symbol with the marks behind it: หมี has no หม, ≠ with a ring has no ≠, and the flag of Scotland, which ends with tags,
///   has no 🏴. Exception: in a script that has spaces, a match may end before a mark.
/// - two regional indicators, counted from the beginning of their run: 🇩🇪🇫🇷 has no 🇪🇫.
///
/// Scalars that the fold takes away join no characters: 👨‍👩‍👧 has 👩, and 👍🏽 has 👍, as é has e. A mark behind no letter and no symbol is a
/// character of its own.
///
/// A value that goes with the calls for one text, from its beginning to its end. Each call looks back no further than to the place of the
/// one before: a letter with a million marks, or a run of a million flags, is looked at once.
struct MatchBorders {
  private var start = Look()
  private var end = Look()

  /// - Parameters:
  ///   - folded: A text, the same in each call.
  ///   - place: One that isn't before those of the calls before.
  /// - Returns: Whether a character begins there, which nothing before the text changes.
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

  /// - Parameters:
  ///   - folded: A text or a part of one, the same in each call.
  ///   - place: One that isn't before those of the calls before.
  /// - Returns: Whether a match may end there; nil where that depends on the text around the part, and in a text that it may.
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

  /// The characters before places that are asked for one after the other.
  private struct Look {
    private var lastBase: (place: Int, base: WordClass?)?
    private var lastFlag: (place: Int, isCut: Bool)?

    /// The class of the character that the marks right before a place belong to; nil where there is nothing else.
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

    /// Whether a place before a regional indicator is behind the first half of a flag.
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
