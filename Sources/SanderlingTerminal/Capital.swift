extension StringProtocol {
  /// The text with a capital as its first letter, for the beginning of a sentence or of a word in a name.
  package var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
