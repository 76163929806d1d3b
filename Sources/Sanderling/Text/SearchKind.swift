/// The kind of a search: where the input is found in a text, and which index finds it.
public enum SearchKind: String, Hashable, Sendable, CaseIterable {
  /// The input is found at the beginning of the text.
  ///
  /// Uses an additional column with the folded text, and an index on it. Both also serve ``Field/folded-1zepl``.
  case prefix
  /// The input is found as whole words. The last one may be the beginning of a word.
  ///
  /// Uses a full-text index of the words.
  case words
  /// The input is found anywhere.
  ///
  /// Uses a full-text index of every three adjacent characters.
  case substrings
}
