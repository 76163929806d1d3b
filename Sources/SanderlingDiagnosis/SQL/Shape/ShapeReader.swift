import SanderlingSQL

/// Derives the shape of a statement from its tree and the schema.
enum ShapeReader {
  /// The depth up to which views inside views are read.
  private static let viewDepthLimit = 8

  /// Returns the shape of a statement. O(nodes · sources).
  ///
  /// - Throws: `SQLParseError` for statements that the parser doesn't support.
  static func shape(of sql: String, in schema: SchemaDescription) throws(SQLParseError) -> QueryShape {
    var shape = shape(of: try SQLParser.parse(sql), in: schema, viewDepth: 0)
    PushDown.apply(to: &shape)
    return shape
  }

  private static func shape(
    of statement: SQLStatement, in schema: SchemaDescription, viewDepth: Int
  ) -> QueryShape {
    let resolved = SQLResolver.resolve(statement, in: schema)
    let reads = ColumnReads(of: resolved)
    let strings = resolved.references.filter { $0.value == .string }.keys.sorted()
    var shape = QueryShape(
      kind: kind(of: statement, resolved), selects: resolved.cores.map { select($0, in: resolved, reads: reads) },
      parameterCount: statement.parameterCount, parameterNames: statement.parameterNames,
      strings: strings.compactMap { range(ofQuoted: $0, in: statement.text) }, resolved: resolved)
    if case .select(let select) = statement.kind { orderBranches(of: select, resolved, &shape) }
    if viewDepth < viewDepthLimit {
      for source in resolved.sources.values where source.kind == .view {
        // A view that can't be parsed stays a source of unknown cost.
        guard let sql = source.table?.viewSQL, let view = try? SQLParser.parseView(sql) else { continue }
        shape.views[source.id] = self.shape(of: view, in: schema, viewDepth: viewDepth + 1)
      }
    }
    return shape
  }

  /// Gives each core of a compound statement the order of the whole: SQLite merges cores that each deliver that order.
  private static func orderBranches(of select: SQLSelect, _ resolved: ResolvedStatement, _ shape: inout QueryShape) {
    guard select.cores.count > 1, let first = select.cores.first.flatMap({ resolved.core($0.id) }) else { return }
    let keys = KeyReader(resolved: resolved)
    let places = select.orderBy.map { term -> Int? in
      let expression = term.expression.unwrapped
      if case .literal(.integer) = expression.kind {
        return Int(resolved.statement.sql(expression.range)).map { $0 - 1 }
      }
      guard let meaning = resolved.meaning(of: expression) else { return nil }
      if case .result(_, let index) = meaning { return index }
      return first.results.firstIndex { $0.meaning == meaning || $0.expression.flatMap(resolved.meaning) == meaning }
    }
    for position in shape.selects.indices where select.cores.contains(where: { $0.id == shape.selects[position].id }) {
      guard shape.selects[position].groupBy.isEmpty, let core = resolved.core(shape.selects[position].id) else {
        continue
      }
      shape.selects[position].isOrderPushedDown = true
      shape.selects[position].orderBy = zip(select.orderBy, places).map { term, place in
        let key = place.flatMap { core.results[safe: $0]?.expression }.flatMap { keys.key($0, in: core) }
        return OrderShape(
          key: key, isDescending: term.isDescending, nullsFirst: term.nullsFirst,
          collation: key?.collation ?? "BINARY", range: term.range)
      }
    }
  }

  /// Returns the range of the quoted name that begins at an offset.
  private static func range(ofQuoted offset: Int, in text: SQLText) -> Range<Int>? {
    var tokenizer = SQLTokenizer(SQLText(text[offset..<text.bytes.count]))
    return tokenizer.next().map { offset..<offset + $0.range.upperBound }
  }

  private static func kind(of statement: SQLStatement, _ resolved: ResolvedStatement) -> QueryShape.Kind {
    func table(_ source: SQLSource) -> String {
      resolved.sources[source.id]?.table?.name ?? resolved.sources[source.id]?.name ?? ""
    }
    switch statement.kind {
    case .select: return .select
    case .insert(let insert): return .insert(table: table(insert.target))
    case .delete(let delete): return .delete(table: table(delete.target))
    case .update(let update):
      let target = resolved.sources[update.target.id]
      let columns = update.assignments.flatMap(\.columns).map { target?.column(named: $0.text) ?? $0.text }
      return .update(table: table(update.target), columns: columns)
    }
  }

  private static func select(
    _ core: ResolvedCore, in resolved: ResolvedStatement, reads: ColumnReads
  ) -> SelectShape {
    let keys = KeyReader(resolved: resolved)
    let sources = core.sources.compactMap { resolved.sources[$0] }
    var terms = TermReader(keys: keys, core: core)
    if let condition = core.condition { terms.read(condition, of: .condition) }
    for (position, source) in sources.enumerated() { readJoin(of: source, after: sources[..<position], into: &terms) }

    var shape = SelectShape(
      id: core.id, parent: core.parent, role: core.role, range: core.range, isCompound: core.isCompound,
      outerSources: core.outerSources)
    shape.residues = terms.residues
    let rightJoin = sources.lastIndex { $0.syntax.join.kind == .right || $0.syntax.join.kind == .full }
    for (position, source) in sources.enumerated() {
      let join = source.syntax.join.kind
      let isNullable = join == .left || join == .full || position < rightJoin ?? 0
      shape.sources.append(
        SourceShape(
          id: source.id, name: source.name, kind: source.kind, table: source.table?.name, cores: source.cores,
          join: join, isNullable: isNullable,
          hasIndexHint: source.syntax.indexedBy != nil || source.syntax.isNotIndexed,
          terms: (terms.terms[source.id] ?? []).filter { isUsable($0, for: source, in: sources) },
          alternatives: terms.alternatives[source.id] ?? [], columns: reads.columns(of: source),
          readsAllColumns: reads.whole.contains(source.id), range: source.syntax.range,
          joinRange: source.syntax.joinRange))
    }
    let clauses = ClauseReader(keys: keys, core: core)
    shape.orderBy = clauses.orderBy()
    shape.groupBy = clauses.groupBy()
    shape.isDistinct = core.syntax?.isDistinct ?? false
    if shape.isDistinct { shape.distinct = clauses.results() }
    (shape.aggregates, shape.hasWindowFunctions) = clauses.calls()
    if shape.hasWindowFunctions { shape.windows = clauses.windows() }
    shape.hasHaving = core.syntax?.having != nil
    shape.limit = clauses.bound(core.limit)
    shape.offset = clauses.bound(core.offset)
    shape.resultCount = core.results.count
    return shape
  }

  /// Reads ON, USING and NATURAL.
  private static func readJoin(
    of source: ResolvedSource, after others: ArraySlice<ResolvedSource>, into terms: inout TermReader
  ) {
    let join = source.syntax.join
    if let on = join.on { terms.read(on, of: .join(source: source.id)) }
    var shared = join.using.map { ($0.text, $0.range) }
    if join.isNatural {
      shared = source.columns
        .filter { column in others.contains { $0.hasColumn(column.asciiLowercased) } }
        .map { ($0, source.syntax.range) }
    }
    for (name, range) in shared {
      guard let left = others.first(where: { $0.hasColumn(name.asciiLowercased) }) else { continue }
      terms.readEquality(of: name, left: left.id, right: source.id, range: range)
    }
  }

  /// Whether a term restricts the rows of a source. The ON of an outer join restricts only the joined source.
  private static func isUsable(_ term: TermShape, for source: ResolvedSource, in sources: [ResolvedSource]) -> Bool {
    guard case .join(let joined) = term.clause, joined != source.id,
      let join = sources.first(where: { $0.id == joined })?.syntax.join.kind
    else { return true }
    return join == .inner || join == .cross
  }
}

extension SQLParser {
  /// Returns the SELECT of a CREATE VIEW statement. Its ranges refer to the SELECT's own text.
  ///
  /// - Throws: `SQLParseError`.
  static func parseView(_ sql: String) throws(SQLParseError) -> SQLStatement {
    let text = SQLText(sql)
    var depth = 0
    for token in SQLTokenizer(text) {
      switch token.kind {
      case .symbol(.leftParenthesis): depth += 1
      case .symbol(.rightParenthesis): depth -= 1
      case .word where depth == 0 && token.range.count == 2 && text[token.range].asciiUppercased == "AS":
        return try parse(text[token.range.upperBound..<text.bytes.count])
      default: break
      }
    }
    throw SQLParseError(line: 1, column: 1, reason: "expected CREATE VIEW … AS")
  }
}
