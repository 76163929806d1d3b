import SanderlingSQL

/// The Swift names of the records of a database's tables.
struct RecordNames {
  struct Name {
    /// The record's type: `TodoItem`.
    let type: String
    /// One record as a value: `todoItem`.
    let one: String
    /// Several records as a value: `todoItems`.
    let many: String
  }

  /// The names of all types.
  let types: Set<String>
  private let names: [FoldedName: Name]

  init(_ tables: [String]) {
    let words = Self.withoutPrefix(tables.map { NameWords($0).words })
    let whole = Set(words.map { $0.joined().lowercased() })
    var taken: Set<String> = []
    var names: [FoldedName: Name] = [:]
    for (table, own) in zip(tables, words) {
      let (one, many) = Self.forms(NameWords(words: Self.attributive(own, tables: whole)))
      names[table.folded] = Name(
        type: SwiftName.type(one.asType, &taken), one: Self.value(one), many: Self.value(many))
    }
    self.names = names
    types = taken
  }

  subscript(table: String) -> Name {
    names[table.folded] ?? Name(type: table, one: table, many: table)
  }

  private static func forms(_ words: NameWords) -> (one: NameWords, many: NameWords) {
    var (one, many) = (words, words)
    guard let last = words.words.last else { return (one, many) }
    let singular = EnglishNoun.singular(last)
    one.words[words.words.count - 1] = singular
    // A plural that the database has is the developer's own.
    many.words[words.words.count - 1] = singular == last ? EnglishNoun.plural(last) : last
    return (one, many)
  }

  private static func value(_ words: NameWords) -> String {
    let name = words.asValue
    return name.isEmpty || name.first?.isLetter == false ? "table" + name : name
  }

  /// Removes words that all tables begin with, such as `moz` of `moz_places`. Two tables that begin alike may do so by
  /// chance.
  private static func withoutPrefix(_ tables: [[String]]) -> [[String]] {
    var rest = tables
    while rest.count > 2, let first = rest.first?.first?.lowercased(),
      rest.allSatisfy({ $0.count > 1 && $0[0].lowercased() == first })
    {
      rest = rest.map { Array($0.dropFirst()) }
    }
    return withoutApps(rest.allSatisfy { $0.first?.first?.isLetter == true } ? rest : tables)
  }

  /// Removes the names of apps, which Django puts before the names of tables: `bookmarks_bookmark`, `auth_user`. An app's
  /// name is known by a table that repeats it.
  private static func withoutApps(_ tables: [[String]]) -> [[String]] {
    func isApp(_ words: [String]) -> Bool {
      words.count == 2 && EnglishNoun.plural(words[1]).lowercased() == words[0].lowercased()
    }
    let known = tables.contains(where: isApp) || tables.contains(["django", "migrations"]) ? ["auth", "django"] : []
    let apps = Set(tables.filter(isApp).map { $0[0].lowercased() } + known)
    let rest = tables.map { words in
      words.count > 1 && apps.contains(words[0].lowercased()) && words[1].first?.isLetter == true
        ? Array(words.dropFirst()) : words
    }
    return Set(rest.map { $0.joined().lowercased() }).count == Set(tables.map { $0.joined().lowercased() }).count
      ? rest : tables
  }

  /// Puts the names of other tables inside of a name into the singular: `books_tags_link` becomes `book_tag_link` beside
  /// a table `books` and a table `tags`.
  private static func attributive(_ words: [String], tables: Set<String>) -> [String] {
    var words = words
    var start = 0
    while start < words.count - 1 {
      let end = (start + 1..<words.count).last { end in
        var run = Array(words[start..<end])
        let many = run.joined().lowercased()
        run[run.count - 1] = EnglishNoun.singular(run[run.count - 1])
        let one = run.joined().lowercased()
        return many != one && (tables.contains(many) || tables.contains(one))
      }
      if let end { words[end - 1] = EnglishNoun.singular(words[end - 1]) }
      start = end ?? start + 1
    }
    return words
  }
}
