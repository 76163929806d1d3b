/// Moves conditions and orderings of a core into the subqueries, common tables and views that it reads, as SQLite does
/// when it flattens them or pushes terms down.
enum PushDown {
  /// The conditions and the order that one core requests from a source.
  private struct Request {
    var terms: [TermShape]
    var alternatives: [AlternativesShape]
    /// The requested order; empty if the source can't deliver it.
    var orderBy: [OrderShape]
  }

  /// Adds the terms to the inner cores. O(cores · terms).
  static func apply(to shape: inout QueryShape) {
    var visited: Set<Int> = []
    for select in shape.selects where !isRead(select.role) {
      visit(select.id, in: &shape, visited: &visited)
    }
  }

  /// Whether a core is a source of another core. The other core is visited first.
  private static func isRead(_ role: ResolvedCore.Role) -> Bool {
    switch role {
    case .source, .commonTable: true
    default: false
    }
  }

  private static func visit(_ id: Int, in shape: inout QueryShape, visited: inout Set<Int>) {
    guard visited.insert(id).inserted, let select = shape.select(id) else { return }
    for source in select.sources {
      let request = request(of: select, to: source)
      if var view = shape.views[source.id] {
        let cores = view.selects.filter { $0.role == .statement }.map(\.id)
        // The cores of a view have their own text.
        for core in cores { push(request, into: core, in: &view) }
        var visitedInView: Set<Int> = []
        for core in cores { visit(core, in: &view, visited: &visitedInView) }
        shape.views[source.id] = view
      }
      // A common table with several readers can't be restricted for one of them.
      let isShared = shape.resolved.sources.values.contains { $0.id != source.id && $0.cores == source.cores }
      for core in source.cores {
        if !isShared || source.kind == .subquery { push(request, into: core, in: &shape) }
        visit(core, in: &shape, visited: &visited)
      }
    }
  }

  private static func request(of select: SelectShape, to source: SourceShape) -> Request {
    let terms = source.terms.filter { $0.key?.isColumn == true && $0.kind != .other }
    let isWhole =
      select.sources.count == 1 && !select.isCompound && select.aggregates.isEmpty && select.groupBy.isEmpty
      && !select.isDistinct && !select.hasWindowFunctions
    return Request(
      terms: source.isNullable ? [] : terms,
      alternatives: source.isNullable ? [] : source.alternatives.filter(\.isOfOneSource),
      orderBy: isWhole ? select.orderBy : [])
  }

  private static func push(_ request: Request, into id: Int, in shape: inout QueryShape) {
    guard let position = shape.selects.firstIndex(where: { $0.id == id }), let core = shape.resolved.core(id),
      accepts(shape.selects[position])
    else { return }
    let keys = KeyReader(resolved: shape.resolved)
    func inner(_ term: TermShape) -> (source: Int, term: TermShape)? {
      guard let key = innerKey(of: term.key, in: core, keys), accepts(key, shape.selects[position]),
        let source = shape.selects[position].sources.firstIndex(where: { $0.id == key.source })
      else { return nil }
      var inner = term
      (inner.key, inner.columns, inner.clause, inner.isPushedDown) = (key, key.columns, .condition, true)
      inner.indexCondition = nil
      return (source, inner)
    }
    for (source, term) in request.terms.compactMap(inner) {
      shape.selects[position].sources[source].terms.append(term)
    }
    for alternatives in request.alternatives {
      let branches = alternatives.branches.map { $0.compactMap(inner) }
      let sources = Set(branches.flatMap { $0.map(\.source) })
      for source in sources {
        var pushed = alternatives
        pushed.branches = branches.map { branch in branch.filter { $0.source == source }.map(\.term) }
        (pushed.isOfOneSource, pushed.clause, pushed.isPushedDown) = (sources.count == 1, .condition, true)
        shape.selects[position].sources[source].alternatives.append(pushed)
      }
    }
    guard !core.isCompound, shape.selects[position].orderBy.isEmpty, shape.selects[position].groupBy.isEmpty,
      !request.orderBy.isEmpty
    else { return }
    shape.selects[position].isOrderPushedDown = true
    shape.selects[position].orderBy = request.orderBy.map { term in
      var inner = term
      inner.key = innerKey(of: term.key, in: core, keys)
      return inner
    }
  }

  /// Whether conditions can move into a core without changing its result.
  private static func accepts(_ select: SelectShape) -> Bool {
    select.limit == nil && select.offset == nil && !select.hasWindowFunctions
      && (select.aggregates.isEmpty || !select.groupBy.isEmpty)
  }

  /// Whether a condition on a column can move. A condition on a grouping key excludes whole groups.
  private static func accepts(_ key: KeyShape, _ select: SelectShape) -> Bool {
    select.groupBy.isEmpty
      || select.groupBy.contains { $0.key?.source == key.source && $0.key?.sql == key.sql }
  }

  /// Returns the inner key for a subquery's column; nil if it is no key there.
  private static func innerKey(of key: KeyShape?, in core: ResolvedCore, _ keys: KeyReader) -> KeyShape? {
    guard let key, key.isColumn, let name = key.columns.first else { return nil }
    let results = core.results
    guard let index = results.firstIndex(where: { $0.name.asciiLowercased == name.asciiLowercased }) else { return nil }
    if let expression = results[index].expression { return keys.key(expression, in: core) }
    guard case .column(let source, let column)? = results[index].meaning else { return nil }
    return keys.column(column, of: source, in: core, range: core.syntax?.columnsRange ?? core.range)
  }
}
