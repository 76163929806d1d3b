/// Where a text is searched, and which index finds it.
public enum SearchKind: String, Hashable, Sendable, CaseIterable {
  /// At its beginning.
  ///
  /// By a column more that has the folded text, and an index on it, which serve ``Field/folded-1zepl`` too.
  case prefix
  /// By whole words. The last one may be the beginning of a word.
  ///
  /// By a full-text index of the words.
  case words
  /// Anywhere.
  ///
  /// By a full-text index of every three characters that stand side by side.
  case substrings
}
