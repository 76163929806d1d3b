import SanderlingSQL

/// The definition of a full-text table without arguments that could be values. Names stay, and so do options with
/// SQLite's own words.
///
/// A tokenizer accepts any text as an argument, and so do options of an app's own module.
struct FullTextDefinition {
  let sql: String
  /// Whether an argument was left out.
  let isShortened: Bool

  init(_ table: TableSchema, _ schema: DatabaseSchema) {
    var module = "fts5"
    if case .virtual(let name) = table.kind { module = name.asciiLowercased }
    let given = Self.arguments(of: table.sql)
    let kept = given.map { Self.argument($0, module, schema) }
    isShortened = zip(given, kept).contains { $1 == nil || $1?.isShortened == true }
    let name = table.name.quotedIdentifier
    sql = "CREATE VIRTUAL TABLE \(name) USING \(module)(\(kept.compactMap { $0?.sql }.joined(separator: ", ")))"
  }

  private typealias Argument = (sql: String, isShortened: Bool)

  /// Returns the words between the commas of the outer parentheses, without comments.
  private static func arguments(of sql: String) -> [[String]] {
    let tokens = SQLTokens(sql)
    guard let start = tokens.tokens.indices.first(where: { tokens.isSymbol("(", at: $0) }) else { return [] }
    return tokens.split(start + 1..<(tokens.closingParenthesis(of: start) ?? tokens.tokens.count)).map { range in
      range.map { tokens.source($0..<$0 + 1) }
    }.filter { !$0.isEmpty }
  }

  private static func argument(_ words: [String], _ module: String, _ schema: DatabaseSchema) -> Argument? {
    guard words.count > 1, words[1] == "=" else { return column(words, module) }
    let name = words[0].asciiLowercased
    let value = words.dropFirst(2)
    let first = (value.first ?? "").withoutQuotes
    switch name {
    case "content":
      // Without a content table the texts are not stored.
      guard first.isEmpty || schema.names.contains(first) else { return nil }
      return ("content=\(first.quotedLiteral)", false)
    case "content_rowid", "languageid", "notindexed":
      return schema.names.contains(first) ? ("\(name)=\(first.quotedLiteral)", false) : nil
    case "prefix":
      let lengths = first.split { !$0.isASCII || !$0.isNumber }.filter { $0.count <= 3 }.map(String.init)
      let separator = module == "fts5" ? " " : ","
      return ("prefix=\(lengths.joined(separator: separator).quotedLiteral)", false)
    case "detail", "columnsize", "contentless_delete", "contentless_unindexed", "matchinfo", "order":
      let known: Set = ["full", "column", "none", "0", "1", "fts3", "asc", "desc"]
      return known.contains(first.asciiLowercased) ? ("\(name)=\(first)", false) : nil
    case "tokenize":
      let tokenizer = Tokenizer(
        module == "fts5" ? split(first) : value.flatMap { split($0.withoutQuotes) })
      guard !tokenizer.words.isEmpty else { return nil }
      let written = module == "fts5" ? tokenizer.words.joined(separator: " ").quotedLiteral : tokenizer.forFTS4
      return ("tokenize=\(written)", tokenizer.isShortened)
    default: return nil
    }
  }

  /// Returns a column's name, and whether it is unindexed. Other words of a column have no effect.
  private static func column(_ words: [String], _ module: String) -> Argument? {
    let isUnindexed = module == "fts5" && words.dropFirst().contains { $0.asciiUppercased == "UNINDEXED" }
    let name = words[0].withoutQuotes.quotedIdentifier
    return (name + (isUnindexed ? " UNINDEXED" : ""), words.count > (isUnindexed ? 2 : 1))
  }

  /// Returns the words of a tokenizer's description. Words in single quotes may contain spaces.
  private static func split(_ text: String) -> [String] {
    let sql = SQLText(text)
    var words: [String] = []
    var end = -1
    for token in SQLTokenizer(sql) where !token.isTrivia {
      // `tokenchars=-_` is one word.
      let word = token.kind == .string ? sql[token.range].withoutQuotes : sql[token.range]
      if token.range.lowerBound == end { words[words.count - 1] += word } else { words.append(word) }
      end = token.range.upperBound
    }
    return words
  }

  /// SQLite's tokenizers with their known arguments. Of an app's own tokenizer, only the name is kept.
  private struct Tokenizer {
    private(set) var words: [String] = []
    private(set) var isShortened = false

    private static let known: Set = ["unicode61", "ascii", "porter", "trigram", "simple", "icu"]
    private static let switches: Set = ["remove_diacritics", "case_sensitive"]

    init(_ given: [String]) {
      var rest = given[...]
      while let word = rest.popFirst() {
        let key = word.asciiLowercased
        if Self.known.contains(key) {
          words.append(key)
        } else if words.isEmpty {
          // An app's tokenizer may have any arguments after its name.
          guard !word.isEmpty, word.utf8.allSatisfy(\.isNameByte) else { break }
          words = [word]
          isShortened = !rest.isEmpty
          return
        } else if let option = Self.option(word, &rest) {
          words += option
        } else {
          isShortened = true
        }
      }
      if !rest.isEmpty { isShortened = true }
    }

    /// Returns an option and its value: two words in FTS5, one word in FTS4.
    private static func option(_ word: String, _ rest: inout ArraySlice<String>) -> [String]? {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let key = parts[0].asciiLowercased
      guard switches.contains(key) || ["categories", "tokenchars", "separators"].contains(key) else { return nil }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { return nil }
      let isSafe =
        switch key {
        case "categories": value.split(separator: " ").allSatisfy { $0.utf8.count == 2 }
        // Letters and digits always belong to words.
        case "tokenchars", "separators": value.allSatisfy { $0.isASCII && ($0.isPunctuation || $0.isSymbol) }
        default: ["0", "1", "2"].contains(value)
        }
      guard isSafe else { return nil }
      return parts.count == 2
        ? ["\(key)=\(value)"] : [key, switches.contains(key) ? value : value.quotedLiteral]
    }

    /// The description in the form of FTS4, such as `porter` or `unicode61 "remove_diacritics=0"`.
    var forFTS4: String {
      ([words[0]] + words.dropFirst().map(\.quotedIdentifier)).joined(separator: " ")
    }
  }
}
