import SanderlingSQL

/// A statement whose parts can be moved, because each parameter is written with its number or name.
struct MovableStatement {
  let sql: String
  let shape: QueryShape
  let select: SQLSelect

  /// Numbers the parameters of a statement. Returns nil if the statement isn't a SELECT, if the parser doesn't know it,
  /// or if it mixes names and `?`.
  init?(_ analyzed: AnalyzedStatement, schema: DatabaseSchema) {
    guard let original = analyzed.shape, case .select = original.kind else { return nil }
    guard let numbered = Self.numbered(original) else { return nil }
    let isChanged = numbered != original.text[original.text.bytes.indices]
    sql = isChanged ? numbered : analyzed.sql
    guard let shape = isChanged ? try? ShapeReader.shape(of: sql, in: schema.description) : original,
      case .select(let select) = shape.resolved.statement.kind
    else { return nil }
    self.shape = shape
    self.select = select
  }

  /// The statement with a number after each `?`, and with single quotes around the texts in double quotes, because not
  /// every build of SQLite accepts those; nil if the statement mixes numbers and names.
  static func numbered(_ original: QueryShape) -> String? {
    let text = original.text
    let hasNames = !Self.names(original.parameterNames).isEmpty
    var rewriter = SQLRewriter(text)
    var number = 0
    for token in SQLTokenizer(text) where token.kind == .parameter {
      let written = text[token.range]
      if written == "?" {
        guard !hasNames else { return nil }
        number += 1
        rewriter.replace(token.range, with: "?\(number)")
      } else if written.hasPrefix("?") {
        guard !hasNames, let given = Int(written.dropFirst()) else { return nil }
        number = max(number, given)
      }
    }
    for range in original.strings {
      rewriter.replace(range, with: text[range].withoutQuotes.quotedLiteral)
    }
    return rewriter.rewritten()
  }

  var text: SQLText { shape.text }

  /// The core of the statement; nil for compound statements.
  var core: (syntax: SQLSelectCore, shape: SelectShape, resolved: ResolvedCore)? {
    guard select.cores.count == 1, let syntax = select.cores.first, syntax.rows.isEmpty,
      let selectShape = shape.select(syntax.id), let resolved = shape.resolved.core(syntax.id)
    else { return nil }
    return (syntax, selectShape, resolved)
  }

  /// The numbers of the parameters with names. The parser lists `?7` as a name, which is left out here.
  var parameterNames: [String: Int] { Self.names(shape.parameterNames) }

  private static func names(_ parameters: [String: Int]) -> [String: Int] {
    parameters.filter { !$0.key.hasPrefix("?") }
  }

  /// The values for a rewritten statement, whose named parameters may have another order.
  func values(_ values: [Int: BoundValue], for rewritten: String) -> [Int: BoundValue] {
    Self.values(values, named: shape.parameterNames, for: rewritten)
  }

  /// The values of named or numbered parameters for a statement in which they have other numbers.
  static func values(
    _ values: [Int: BoundValue], named parameters: [String: Int], for rewritten: String
  ) -> [Int: BoundValue] {
    let own = names(parameters)
    guard !own.isEmpty, let other = try? SQLParser.parse(rewritten) else { return values }
    return names(other.parameterNames).reduce(into: [:]) { result, parameter in
      guard let number = own[parameter.key] else { return }
      result[parameter.value] = values[number]
    }
  }

  /// The subquery or common table expression that only this source reads; nil if it depends on other sources.
  func ownSelect(of source: ResolvedSource) -> SQLSelect? {
    let isShared = shape.resolved.sources.values.contains { $0.id != source.id && $0.cores == source.cores }
    guard source.cores.count == 1, !isShared, shape.select(source.cores[0])?.isCorrelated == false else { return nil }
    switch (source.kind, source.syntax.kind) {
    case (.subquery, .subquery(let select)): return select
    case (.commonTable, .table(_, let name)): return select.with?.tables.first { $0.name.key == name.key }?.select
    default: return nil
    }
  }

  /// The clause WITH in its original text with a space at its end; empty if there is none.
  var with: String {
    guard select.with != nil, let core = select.cores.first else { return "" }
    return text[select.range.lowerBound..<core.range.lowerBound]
  }

  /// The sources of the columns that a range names, including its subqueries. O(references).
  func sources(in range: Range<Int>) -> Set<Int> {
    shape.resolved.references.reduce(into: []) { sources, reference in
      if range.contains(reference.key), case .column(let source, _) = reference.value { sources.insert(source) }
    }
  }

  /// The only equation between a source and other sources, and the conditions on the source alone; nil if another
  /// condition also names both.
  func tie(
    of source: Int, by conditions: [SQLExpression]
  ) -> (own: SQLExpression, outer: SQLExpression, rest: [SQLExpression])? {
    var tie: (own: SQLExpression, outer: SQLExpression)?
    var rest: [SQLExpression] = []
    for condition in conditions {
      if sources(in: condition.range).isSubset(of: [source]) {
        rest.append(condition)
        continue
      }
      guard tie == nil, case .binary(.equal, let left, let right) = condition.kind else { return nil }
      switch (sources(in: left.range) == [source], sources(in: right.range) == [source]) {
      case (true, false): tie = (left, right)
      case (false, true): tie = (right, left)
      default: return nil
      }
    }
    guard let tie, !sources(in: tie.outer.range).contains(source) else { return nil }
    return (tie.own, tie.outer, rest)
  }

  /// The order of the statement's rows, as far as its result columns show it.
  var order: ResultComparer.Order {
    guard let core, !select.orderBy.isEmpty else { return .none }
    var places: [Int] = []
    for term in select.orderBy {
      guard let place = resultPlace(of: term.expression.unwrapped, in: core.resolved) else { break }
      places.append(place)
    }
    return places.isEmpty ? .none : .by(places, isLimited: select.limit != nil)
  }

  /// The index of the result column that an expression names or repeats; nil if there is none.
  func resultPlace(of expression: SQLExpression, in core: ResolvedCore) -> Int? {
    let written = text[expression.range]
    if case .literal(.integer) = expression.kind { return Int(written).map { $0 - 1 } }
    let meaning = shape.resolved.meaning(of: expression)
    if case .result(_, let index)? = meaning { return index }
    return core.results.firstIndex { result in
      if let own = result.meaning { return own == meaning }
      guard let other = result.expression?.unwrapped else { return false }
      if let meaning, case .column = meaning { return shape.resolved.meaning(of: other) == meaning }
      return text[other.range] == written
    }
  }
}
