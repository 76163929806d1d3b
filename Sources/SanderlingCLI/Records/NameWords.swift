import SanderlingTerminal

/// The words of a name of a database, and their forms in Swift.
///
/// By Swift's API Design Guidelines, an initialism has one case in all of its letters: `url`, `homeURL`, `URLVisit`,
/// `userIDs`.
struct NameWords {
  var words: [String]

  init(words: [String]) { self.words = words }

  /// Splits a name at characters that a Swift name can't have, and before capitals: `todo_items` and `todoItems` have
  /// two words.
  init(_ name: String) {
    // In a name without lower-case letters, a part is one word: `ITEM_ID` has two.
    let hasLowercase = name.contains(where: \.isLowercase)
    words = name.split { !$0.isPartOfName || $0 == "_" }.flatMap { part in
      hasLowercase ? Self.parts(of: Array(part)) : [part.lowercased()]
    }
  }

  /// The words as the name of a value: `todoItem`.
  var asValue: String {
    words.enumerated().map { index, word in index == 0 ? word.asFirstWord : Self.capitalized(word) }.joined()
  }

  /// The words as the name of a type: `TodoItem`.
  var asType: String { words.map(Self.capitalized).joined() }

  /// Returns a name that Swift can have, with changes only to initialisms: `homeUrl` becomes `homeURL`.
  static func respelled(_ name: String) -> String {
    let words = parts(of: Array(name))
    return words.enumerated().map { index, word in index > 0 && isInitialism(word) ? capitalized(word) : word }.joined()
  }

  /// Whether a word is an initialism, or its plural.
  static func isInitialism(_ word: String) -> Bool {
    let word = word.lowercased()
    return initialisms.contains(word) || word.last == "s" && initialisms.contains(String(word.dropLast()))
  }

  private static func capitalized(_ word: String) -> String {
    guard isInitialism(word) else { return word.capitalizedFirst }
    return initialisms.contains(word.lowercased()) ? word.uppercased() : word.dropLast().uppercased() + "s"
  }

  private static func parts(of letters: [Character]) -> [String] {
    var words = [""]
    for (index, letter) in letters.enumerated() {
      if index > 0, letter.isUppercase, begins(at: index, letters) { words.append("") }
      words[words.count - 1].append(letter)
    }
    return words
  }

  /// Whether a capital begins a word. Of several capitals, the last one begins the next word: `URLString`. Exception: an
  /// `s` after capitals makes a plural, as in `userIDs`.
  private static func begins(at index: Int, _ letters: [Character]) -> Bool {
    if !letters[index - 1].isUppercase { return true }
    guard index + 1 < letters.count, letters[index + 1].isLowercase else { return false }
    let isPlural = letters[index + 1] == "s" && (index + 2 == letters.count || letters[index + 2].isUppercase)
    return !isPlural
  }

  static let initialisms: Set<String> = [
    "api", "css", "csv", "dns", "gps", "guid", "html", "http", "https", "id", "ip", "isbn", "json", "pdf", "rss", "sms",
    "sql", "ssl", "tls", "ui", "uri", "url", "utc", "uuid", "xml",
  ]
}

extension Character {
  /// Whether a Swift name can have the character.
  var isPartOfName: Bool {
    (isLetter || isNumber || self == "_") && unicodeScalars.allSatisfy(\.properties.isXIDContinue)
  }
}

extension String {
  /// The word in the case of a value's first word.
  fileprivate var asFirstWord: String {
    contains(where: \.isLowercase) && !NameWords.isInitialism(self)
      ? prefix(1).lowercased() + dropFirst() : lowercased()
  }
}
