/// The statements that count the rows of a join's first sources, in the order of its plan.
struct PlanPrefixes {
  let shape: QueryShape
  let core: ResolvedCore
  /// The sources in the order of the plan.
  let sources: [SourceShape]

  /// Returns the statement for the first `count` sources; nil if they can't be counted alone.
  func sql(_ count: Int) -> String? {
    let first = sources.prefix(count)
    let ids = Set(first.map(\.id))
    let all = Set(core.sources)
    var from = ""
    var conditions = core.condition.map(conjuncts) ?? []
    for (place, source) in first.enumerated() {
      guard let join = shape.resolved.sources[source.id]?.syntax.join, join.using.isEmpty, !join.isNatural else {
        return nil
      }
      let text = shape.text[source.range]
      switch join.kind {
      case .left:
        guard place > 0, let on = join.on, uses(on.range, of: all).isSubset(of: ids) else { return nil }
        from += " LEFT JOIN \(text) ON \(shape.text[on.range])"
      case .right, .full: return nil
      default:
        from += place == 0 ? text : " CROSS JOIN \(text)"
      }
    }
    // The ON of an inner join is a condition like those of WHERE, whichever source comes first.
    for source in core.sources {
      guard let join = shape.resolved.sources[source]?.syntax.join, join.kind != .left else { continue }
      if let on = join.on { conditions += conjuncts(on) }
    }
    let usable = conditions.filter { uses($0, of: all).isSubset(of: ids) }
    let condition = usable.isEmpty ? "" : " WHERE " + usable.map { "(\(shape.text[$0]))" }.joined(separator: " AND ")
    return "\(commonTables)SELECT count(*) FROM \(from)\(condition)"
  }

  /// The WITH clause, which precedes the core.
  private var commonTables: String {
    guard core.role == .statement, let syntax = core.syntax else { return "" }
    return shape.text[0..<syntax.range.lowerBound]
  }

  private func conjuncts(_ expression: SQLExpression) -> [Range<Int>] {
    switch expression.kind {
    case .and(let parts): parts.flatMap(conjuncts)
    default: [expression.range]
    }
  }

  /// Returns the sources of the core that a part of the text refers to, including subqueries in it.
  private func uses(_ range: Range<Int>, of sources: Set<Int>) -> Set<Int> {
    var used: Set<Int> = []
    for (offset, meaning) in shape.resolved.references where range.contains(offset) {
      if case .column(let source, _) = meaning, sources.contains(source) { used.insert(source) }
    }
    return used
  }
}
