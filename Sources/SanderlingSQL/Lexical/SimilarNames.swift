/// The similarity of two names of a schema.
package enum SimilarNames {
  /// Whether a developer may have renamed one to the other. `dueAt` and `due_date` are similar, and `currency` and
  /// `merchantName` are not.
  ///
  /// One name has all words of the other, or both share a word that few columns have, or at most a quarter of the letters
  /// differs.
  package static func are(_ one: String, _ other: String) -> Bool {
    let (first, second) = (Set(words(of: one)), Set(words(of: other)))
    if first.isEmpty || second.isEmpty { return false }
    if first.isSubset(of: second) || second.isSubset(of: first) { return true }
    if !first.intersection(second).isSubset(of: common) { return true }
    return distance(one.asciiLowercased, other.asciiLowercased) <= min(one.count, other.count) / 4
  }

  /// Words that many columns have, whatever they are about.
  private static let common: Set<String> = [
    "at", "by", "can", "code", "count", "date", "day", "for", "from", "has", "id", "in", "is", "key", "kind", "name",
    "number", "of", "on", "state", "text", "time", "title", "to", "type", "value", "was",
  ]

  /// The words of a name in lower case: `dueAt` and `due_at` have the same words.
  private static func words(of name: String) -> [String] {
    var words = [""]
    var isAfterCapital = true
    for letter in name {
      let isLetter = letter.isLetter || letter.isNumber
      if !isLetter || letter.isUppercase && !isAfterCapital { words.append("") }
      if isLetter { words[words.count - 1] += letter.lowercased() }
      isAfterCapital = letter.isUppercase
    }
    return words.filter { !$0.isEmpty }
  }

  /// Returns the number of letters to insert, delete, change or swap with the next letter. O(length²), of 200 letters at
  /// most.
  package static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.unicodeScalars.prefix(200)), Array(other.unicodeScalars.prefix(200)))
    var (before, last) = ([Int](), Array(0...other.count))
    for i in one.indices {
      var row = [i + 1]
      for j in other.indices {
        var least = min(row[j] + 1, last[j + 1] + 1, last[j] + (one[i] == other[j] ? 0 : 1))
        if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { least = min(least, before[j - 1] + 1) }
        row.append(least)
      }
      (before, last) = (last, row)
    }
    return last[other.count]
  }
}
