import Sanderling

/// Searches: of one or several texts, of the row, of rows at the end of to-one associations, and of aggregated rows.
extension TermGenerator {
  /// Whether texts of the row match a search input, sometimes negated; nil if no searchable text is near.
  ///
  /// - Parameters:
  ///   - kind: The kind of search; nil for any.
  ///   - isTogether: Whether several texts are searched together.
  ///   - isOwn: Whether the texts must be those of the row itself.
  ///   - isPlain: Whether the search is never negated.
  func search(
    in kind: SearchKind? = nil, at position: RowPosition, isTogether: Bool = false, isOwn: Bool = false,
    isPlain: Bool = false
  ) -> Term? {
    var row = position
    if !isOwn, random.chance(12), let link = row.type.toOne.randomElement(using: &random) {
      row = link.parent(from: row.scope)
    }
    let kinds = (kind.map { [$0] } ?? SearchKind.allCases).filter {
      row.searched(in: $0).count > (isTogether ? 1 : 0)
    }
    guard let kind = kinds.randomElement(using: &random) else {
      return row.scope == position.scope
        ? nil : search(in: kind, at: position, isTogether: isTogether, isOwn: true, isPlain: isPlain)
    }
    let texts = row.searched(in: kind)
    let field: Field<Bool> =
      if isTogether || texts.count > 1 && random.chance(35) {
        SearchedTexts(texts.shuffled(using: &random)).matches(input(), in: kind)
      } else {
        Field<String>(random.element(of: texts), as: String.self).matches(input(), in: kind)
      }
    return !isPlain && random.chance(25) ? !field.term : field.term
  }

  /// The relevance of the row's texts for a search input; nil if no text near is searched by words.
  func relevance(at position: RowPosition) -> Operand? {
    let texts = position.searched(in: .words)
    guard let first = texts.randomElement(using: &random) else { return nil }
    let field: Field<Double>
    if texts.count > 1, random.chance(40) {
      field = SearchedTexts(texts.shuffled(using: &random)).relevance(of: input(), weights: 10, 0.5)
    } else {
      field = Field<String>(first, as: String.self).relevance(of: input())
    }
    return Operand(term: field.term, kind: .real)
  }

  /// An aggregate over rows that a search selects, compared with a value.
  func searchInAggregate(at position: RowPosition) -> Term? {
    guard let link = position.type.toMany.randomElement(using: &random) else { return nil }
    let choosing = { (rows: RowPosition) -> Term in
      // An index finds the rows of a search that is not part of another condition.
      guard let search = self.search(at: rows, isOwn: true, isPlain: self.random.chance(70)) else {
        return self.search(at: rows) ?? self.flag(at: rows)
      }
      return self.random.chance(20) ? search && self.flag(at: rows) : search
    }
    let function: AggregateFunction = random.element(of: [.exists, .exists, .exists, .count, .countDistinct])
    let term = link.aggregate(function, from: position.scope, filter: choosing) { rows in self.column(at: rows).term }
    guard function == .exists else {
      let number = Int64(random.number(0..<3))
      return .binary(random.element(of: Self.comparisons), term, .constant(.integer(number)))
    }
    return random.chance(50) ? !term : term
  }

  func input() -> String { pool.input(using: &random) }
}

extension Term {
  /// The search whose relevance is read.
  var searchOfRelevance: Term? {
    guard case .function(.relevance, let arguments) = self, case .constant(.text(let input)) = arguments[1] else {
      return nil
    }
    let texts = arguments.dropFirst(2).filter { if case .column = $0 { true } else { false } }
    return SearchedTexts(Array(texts)).matches(input).term
  }
}
