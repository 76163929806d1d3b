extension CorpusValue {
  /// Reads sets of values as SQL writes them: `3, 'it''s' | 4.0, NULL`. A text without values is one empty set.
  ///
  /// - Returns: nil for anything else.
  static func sets(_ text: String) -> [[CorpusValue]]? {
    var sets: [[CorpusValue]] = [[]]
    var rest = Substring(text)
    func skipSpaces() { rest = rest.drop { $0 == " " || $0 == "\n" } }
    skipSpaces()
    if rest.isEmpty { return sets }
    while true {
      skipSpaces()
      guard let value = value(&rest) else { return nil }
      sets[sets.count - 1].append(value)
      skipSpaces()
      guard let separator = rest.popFirst() else { return sets }
      switch separator {
      case ",": continue
      case "|": sets.append([])
      default: return nil
      }
    }
  }

  private static func value(_ rest: inout Substring) -> CorpusValue? {
    if rest.first == "'" { return text(&rest) }
    let word = rest.prefix { !", |\n".contains($0) }
    rest = rest[word.endIndex...]
    if word == "NULL" { return .null }
    if let integer = Int64(word) { return .integer(integer) }
    guard word.contains(where: { ".e".contains($0) }), let real = Double(word) else { return nil }
    return .real(real)
  }

  private static func text(_ rest: inout Substring) -> CorpusValue? {
    var text = ""
    rest.removeFirst()
    while let quote = rest.firstIndex(of: "'") {
      text += rest[..<quote]
      rest = rest[rest.index(after: quote)...]
      guard rest.first == "'" else { return .text(text) }
      text += "'"
      rest.removeFirst()
    }
    return nil
  }
}
