import Sanderling

/// Searches: of one text or several, of the row, of what to-one associations lead to, and of rows that are aggregated.
extension TermGenerator {
  /// Whether texts of the row match what somebody typed, negated at times; nil where none is searched near.
  ///
  /// - Parameters:
  ///   - kind: In which way; nil for any.
  ///   - isTogether: Whether several texts are searched.
  ///   - isOwn: Whether the texts are those of the row itself.
  ///   - isPlain: Whether it is never negated.
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

  /// How well texts of the row match what somebody typed; nil where none is searched by words.
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

  /// An aggregate over rows that a search chooses, compared.
  func searchInAggregate(at position: RowPosition) -> Term? {
    guard let link = position.type.toMany.randomElement(using: &random) else { return nil }
    let choosing = { (rows: RowPosition) -> Term in
      // Of one that is no part of anything, rows are found by the index.
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
  /// The search that finds the rows that a relevance is of.
  var searchOfRelevance: Term? {
    guard case .function(.relevance, let arguments) = self, case .constant(.text(let input)) = arguments[1] else {
      return nil
    }
    let texts = arguments.dropFirst(2).filter { if case .column = $0 { true } else { false } }
    return SearchedTexts(Array(texts)).matches(input).term
  }
}
