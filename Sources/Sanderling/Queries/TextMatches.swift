extension Field where Value: TextColumnValue {
  /// Whether the text matches an input, regardless of case, diacritics and widths. NULL never matches.
  ///
  /// ```swift
  /// Note.where { $0.title.matches(input) }.order { $0.changedAt.descending }
  /// Note.where { $0.title.matches("cafe", in: .substrings) && !$0.isArchived }
  /// ```
  ///
  /// - In ``SearchKind/words``, the text must contain all words of the input, in any order. The last word may be only
  ///   the beginning of a word, unless a space follows it. `"two words"` in quotes must be adjacent, and `-word` must
  ///   not occur.
  /// - In ``SearchKind/substrings``, the text must contain the input as a whole.
  /// - In ``SearchKind/prefix``, the text must begin with the input.
  ///
  /// Every input is valid. An input without anything to search matches every text. <doc:Searching> gives the exact
  /// rules.
  ///
  /// The property must be declared ``Searchable(_:)`` with the same kind. Otherwise running the query throws
  /// ``StoreError/invalidQuery(_:)``. An index finds the rows, also over associations. An input that only excludes
  /// words reads each text, as does ``Condition/matches(_:)``.
  public func matches(_ input: String, in kind: SearchKind = .words) -> Field<Bool> {
    Field<Bool>(.matching([term], input, kind))
  }

  /// The relevance of the text for an input, in words: see ``SearchedTexts/relevance(of:weights:)``.
  public func relevance(of input: String) -> Field<Double> {
    .relevance(of: [(term, 1)], input)
  }
}

/// Several texts of a record that are searched together. Each word may be in any of them.
///
/// ```swift
/// Note.where { SearchedTexts($0.title, $0.body).matches(input) }
///   .order { SearchedTexts($0.title, $0.body).relevance(of: input, weights: 10, 1).descending }
/// ```
public struct SearchedTexts {
  let terms: [Term]

  package init(_ terms: [Term]) {
    self.terms = terms
  }

  /// Combines the texts that are searched together.
  ///
  /// - Parameter texts: The fields of one record, each declared ``Searchable(_:)`` with the kind of the search.
  public init<each Value: TextColumnValue>(_ texts: repeat Field<each Value>) {
    var terms: [Term] = []
    for text in repeat each texts { terms.append(text.term) }
    self.terms = terms
  }

  /// Whether the texts together match an input, as ``Field/matches(_:in:)`` decides for one text. Each word may be in
  /// any of the texts, and an excluded word must be in none. A substring or a prefix may be in any of them.
  public func matches(_ input: String, in kind: SearchKind = .words) -> Field<Bool> {
    Field<Bool>(.matching(terms, input, kind))
  }

  /// The relevance of the texts for an input, in words: greater is better, and 0 is no match.
  ///
  /// The relevance is the [BM25](https://www.sqlite.org/fts5.html#the_bm25_function) of the words of the input. Rare
  /// words count more than common words, and words in short texts more than words in long texts. Excluded words don't
  /// count.
  ///
  /// The relevance depends on all texts of the table. So live results that are ordered by it are rerun when any text
  /// changes. Live results that only search are maintained.
  ///
  /// - Parameter weights: The weights of the texts, in order; 1 for texts without a weight.
  public func relevance(of input: String, weights: Double...) -> Field<Double> {
    .relevance(of: terms.enumerated().map { ($1, weights.indices.contains($0) ? weights[$0] : 1) }, input)
  }
}

extension Field<Double> {
  fileprivate static func relevance(of texts: [(term: Term, weight: Double)], _ input: String) -> Field {
    let arguments = texts.flatMap { [$0.term, .literal(.real($0.weight))] }
    return Field(
      .function(.relevance, [.literal(.text(SearchKind.words.rawValue)), .constant(.text(input))] + arguments),
      as: Double.self)
  }
}

extension Term {
  fileprivate static func matching(_ texts: [Term], _ input: String, _ kind: SearchKind) -> Term {
    .function(.matches, [.literal(.text(kind.rawValue)), .constant(.text(input))] + texts)
  }
}

/// The arguments of ``Function/matches`` and ``Function/relevance``: a kind, an input, and columns, for the relevance
/// each with its weight.
struct MatchArguments {
  let search: TextSearch
  let input: String
  let columns: [ColumnTerm]
  let weights: [Double]

  /// Reads the arguments.
  ///
  /// - Throws: ``StoreError/invalidQuery(_:)`` for texts that aren't searchable columns of one record.
  init(_ arguments: [Term]) throws {
    guard arguments.count > 2, case .literal(.text(let name)) = arguments[0], let kind = SearchKind(rawValue: name)
    else { throw StoreError.invalidQuery("a search has a kind, an input, and at least one text") }
    // In a query without compared values, any input represents all others.
    input = if case .constant(.text(let text)) = arguments[1] { text } else { "a" }
    search = TextSearch(input, in: kind)
    var columns: [ColumnTerm] = []
    var weights: [Double] = []
    for argument in arguments.dropFirst(2) {
      switch argument {
      case .column(let column): columns.append(column)
      case .literal(.real(let weight)): weights.append(weight)
      default:
        throw StoreError.invalidQuery(
          "only columns can be searched, not expressions of them: declare the property with @Searchable")
      }
    }
    self.columns = columns
    self.weights = weights
    guard let first = columns.first,
      columns.allSatisfy({ $0.owner == first.owner && $0.scope == first.scope })
    else { throw StoreError.invalidQuery("all texts of a search must be properties of one record") }
    if let column = columns.first(where: { !$0.definition.searchKinds.contains(kind) }) {
      throw StoreError.invalidQuery(
        "\(column.owner.type).\(column.definition.property) has no index for a search in .\(kind): declare it "
          + "@Searchable(\(column.definition.searchKinds.union([kind]).map { ".\($0.rawValue)" }.sorted().joined(separator: ", ")))"
      )
    }
  }

  /// Prepares the decision whether a row matches, without the database.
  func prepared() throws -> Evaluation {
    let (search, columns) = (search, columns)
    return { context in
      let matcher = TextMatcher(search)
      var (found, isMatch): ([Bool]?, Bool) = (nil, false)
      for column in columns {
        let value = try context.value(of: column)
        if value.isNull { continue }
        try value.withTextBytes { bytes in
          bytes.withMemoryRebound(to: UInt8.self) { text in
            if columns.count == 1 { isMatch = matcher.matches(text) } else { matcher.add(text, to: &found) }
          }
        }
      }
      return StorageValue(truth: columns.count == 1 ? isMatch : search.matches(found: found))
    }
  }
}
