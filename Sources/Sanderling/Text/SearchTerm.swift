/// A part of an input: one or several words side by side.
struct SearchTerm: Hashable, Sendable {
  /// The words, at least one.
  let segments: [SearchSegment]
  /// Whether the last segment is the beginning of a word. Ignored for a run, which is always found as a part of a run.
  let endsWithPrefix: Bool
  /// Whether texts with the term don't match.
  let isExcluded: Bool
}

/// A word, or a run of units of a script without spaces: see `WordSegments`.
struct SearchSegment: Hashable, Sendable {
  let isRun: Bool
  /// The folded text in UTF-8.
  let bytes: [UInt8]
}
