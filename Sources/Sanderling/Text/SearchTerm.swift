/// A part of an input: words side by side.
struct SearchTerm: Hashable, Sendable {
  /// At least one.
  let segments: [SearchSegment]
  /// Whether the last segment is the beginning of a word. A run always is the beginning of one.
  let endsWithPrefix: Bool
  /// Whether texts that have it don't match.
  let isExcluded: Bool
}

/// A word, or a run of units of a script without spaces: see `WordSegments`.
struct SearchSegment: Hashable, Sendable {
  let isRun: Bool
  /// Folded UTF-8.
  let bytes: [UInt8]
}
