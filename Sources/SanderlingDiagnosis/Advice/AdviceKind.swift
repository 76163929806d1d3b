/// Finds the kind of problem that a set of indexes solves: work that the plan before has and the plan after doesn't
/// have.
struct AdviceKind {
  let shape: QueryShape
  let before: QueryPlan
  let after: QueryPlan
  let indexes: [IndexCandidate]
  let names: IndexNames

  /// The kind of the problem, and its node in the plan before.
  func find() -> (kind: FindingKind, node: Int?) {
    // The statement itself doesn't name the table.
    let tables = Set(shape.selectsWithViews.flatMap(\.sources).compactMap { $0.table?.asciiLowercased })
    if let reference = indexes.first(where: {
      $0.purposes.contains(.foreignKey) && !tables.contains($0.table.asciiLowercased)
    }) {
      return (.slowForeignKey, access(names(of: reference.table))?.id)
    }
    // A trigger's reads are in no plan.
    if indexes.contains(where: { $0.purposes.contains(.trigger) }), !indexes.contains(where: isRead) {
      return (.fullScan, nil)
    }
    let readers = indexes.map(readers)
    let node =
      readers.lazy.compactMap(scanned).first ?? readers.lazy.compactMap(access).first
      ?? indexes.lazy.compactMap { access(names(of: $0.table)) }.first
    if node?.isFullScan == true, indexes.contains(where: { $0.purposes.contains(.count) }) {
      return (.wideRowsForCount, node?.id)
    }
    if let automatic = automatic { return (.automaticIndex, automatic.id) }
    if isInCorrelatedSubquery(node), node?.isFullScan == true { return (.subqueryPerRow, node?.id) }
    if let condition = condition() { return (condition, node?.id) }
    // The plan before computed an expression for every row, so an order doesn't matter.
    if node?.isFullScan == true, isSearchedNow, indexes.contains(where: \.beginsWithExpression) {
      return (.fullScan, node?.id)
    }
    // If there is a limit and the index gives the order, the scan ends early. That saves more than the search.
    if hasLimit, let sort = vanishedSort() { return sort }
    if node?.isFullScan == true, isSearchedNow { return (.fullScan, node?.id) }
    if let sort = vanishedSort() { return sort }
    // The rows outside a partial index aren't read. That saves more than the look-ups do.
    if node?.isFullScan == true, indexes.contains(where: { $0.condition != nil }) { return (.fullScan, node?.id) }
    if let scan = vanishedScan() { return (.fullScan, scan.id) }
    // The plan before computed an expression for each row that an index found, to leave rows out.
    if indexes.contains(where: \.seeksExpression) { return (.expressionIndex, node?.id) }
    if isNowCovered(node) { return (.indexNotCovering, node?.id) }
    // The index of the plan before found more rows than needed, and each was looked up in the table.
    if let node, node.isSearch, !node.isCovering, isExtended(node) || isSearchedOtherwise(node) {
      return (.indexNotCovering, node.id)
    }
    if indexes.contains(where: { $0.condition != nil }) { return (.partialIndex, node?.id) }
    if indexes.contains(where: \.hasExpression) { return (.expressionIndex, node?.id) }
    // The table is searched anew for each outer row, although by an index.
    if isInCorrelatedSubquery(node) { return (.subqueryPerRow, node?.id) }
    return (.fullScan, node?.id)
  }

  /// Whether the plan after reads the index.
  private func isRead(_ index: IndexCandidate) -> Bool {
    let name = names.name(of: index).asciiLowercased
    return after.nodes.contains { $0.step.index?.asciiLowercased == name }
  }

  private var hasLimit: Bool { shape.selects.contains { $0.limit != nil } }

  /// The kind of a condition that needs a special index; nil for other conditions.
  private func condition() -> FindingKind? {
    let purposes = indexes.reduce(into: Set<IndexCandidate.Purpose>()) { $0.formUnion($1.purposes) }
    if after.nodes.contains(where: { $0.step == .multiIndexOr }),
      !before.nodes.contains(where: { $0.step == .multiIndexOr })
    {
      return .orWithoutIndex
    }
    if purposes.contains(.pattern), isSearchedByPattern { return .patternWithoutIndex }
    if purposes.contains(.caseInsensitive) { return .caseInsensitiveWithoutIndex }
    return nil
  }

  /// Whether the plan after searches for the range of a pattern, and doesn't only read the compared column.
  private var isSearchedByPattern: Bool {
    let sources = shape.selectsWithViews.flatMap(\.sources)
    let columns = sources.flatMap { $0.terms + $0.alternatives.flatMap { $0.branches.flatMap(\.self) } }
      .filter { if case .pattern = $0.kind { true } else { false } }.flatMap(\.columns)
    return after.nodes.contains { node in
      guard case .search(_, .some, _, let terms) = node.step else { return false }
      return terms.contains { term in
        term.hasPrefix("<expr>>") || columns.contains { term.asciiLowercased.hasPrefix("\($0.asciiLowercased)>") }
      }
    }
  }

  /// A node of the plan before that makes an index, or a list of a subquery's rows, in each execution; nil if the plan
  /// after makes as many.
  private var automatic: PlanNode? {
    func isMade(_ node: PlanNode) -> Bool {
      switch node.step {
      case .automaticIndex(let table, _, _): isIndexed(table)
      case .materialize: true
      default: false
      }
    }
    let made = before.nodes.filter(isMade)
    return made.count > after.nodes.filter(isMade).count ? made.first : nil
  }

  private static let sorts: [(FindingKind, @Sendable (PlanStep) -> Bool)] = [
    (.groupWithoutIndex, { $0 == .temporaryBTree(purpose: .groupBy) }),
    (
      .sortWithoutIndex,
      {
        switch $0 {
        case .temporaryBTree(.orderBy), .temporaryBTree(.lastTermsOfOrderBy): true
        default: false
        }
      }
    ),
    (.distinctWithoutIndex, { $0 == .temporaryBTree(purpose: .distinct) }),
  ]

  /// A sort that the plan after doesn't have, or needs only for the last terms.
  private func vanishedSort() -> (FindingKind, Int?)? {
    for (kind, isKind) in Self.sorts {
      let sorts = before.nodes.filter { isKind($0.step) }
      let left = after.nodes.filter { isKind($0.step) }
      if sorts.count > left.count { return (kind, sorts.first?.id) }
      let isWhole = sorts.contains { $0.step == .temporaryBTree(purpose: .orderBy) }
      if isWhole, !left.contains(where: { $0.step == .temporaryBTree(purpose: .orderBy) }) {
        return (kind, sorts.first?.id)
      }
    }
    return nil
  }

  /// Whether an index of the set has a column that the node searches by.
  private func isExtended(_ node: PlanNode) -> Bool {
    guard case .search(_, .some, _, let terms) = node.step else { return false }
    func words(_ text: String) -> [String] {
      text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { String($0).asciiLowercased }
    }
    let columns = Set(terms.compactMap { words($0).first })
    return indexes.contains { index in
      let own = index.keys.compactMap { $0.column?.asciiLowercased } + words(index.condition ?? "")
      return !columns.isDisjoint(with: own)
    }
  }

  /// Whether the node searches an index by equal values, and the plan after searches the table by another index. A
  /// range may contain any share of the rows, so a search for a range counts as a scan.
  private func isSearchedOtherwise(_ node: PlanNode) -> Bool {
    guard case .search(_, .some(let index), _, let terms) = node.step,
      !terms.contains(where: { $0.contains { "<>".contains($0) } })
    else { return false }
    return after.nodes.contains {
      $0.table == node.table && $0.isSearch && $0.step.index.map { $0 != index } ?? false
    }
  }

  /// Whether the plan after only lacks the look-ups in the table.
  private func isNowCovered(_ node: PlanNode?) -> Bool {
    guard let node, !node.isCovering else { return false }
    return indexes.contains { index in
      let names = names(of: index.table)
      guard names.contains(node.table ?? "") else { return false }
      return after.nodes.contains { names.contains($0.table ?? "") && $0.isCovering && $0.isSearch == node.isSearch }
    }
  }

  private func isInCorrelatedSubquery(_ node: PlanNode?) -> Bool {
    guard let node else { return false }
    return before.nodes.contains {
      if case .subquery(true, _) = $0.step { $0.withDescendants.contains { $0.id == node.id } } else { false }
    }
  }

  // MARK: Nodes of a table

  /// Whether the plan after searches a table of the set by an index, and doesn't only read an index in its order.
  private var isSearchedNow: Bool {
    indexes.contains { index in
      let names = names(of: index.table)
      return after.nodes.contains { names.contains($0.table ?? "") && $0.isSearch && $0.step.index != nil }
    }
  }

  /// A scan whose table the plan after doesn't scan; nil if there are as many scans as before.
  private func vanishedScan() -> PlanNode? {
    let (before, after) = (before.nodes.filter(\.isFullScan), after.nodes.filter(\.isFullScan))
    guard after.count < before.count else { return nil }
    return before.first { scan in !after.contains { $0.table == scan.table } }
  }

  /// The names under which the plan after reads the index's table by the index; all names of the table if the plan
  /// doesn't show that.
  private func readers(of index: IndexCandidate) -> Set<String> {
    let name = names.name(of: index).asciiLowercased
    let readers = after.nodes.filter { $0.step.index?.asciiLowercased == name }.compactMap(\.table)
    return readers.isEmpty ? names(of: index.table) : Set(readers)
  }

  private func access(_ names: Set<String>) -> PlanNode? {
    before.nodes.first { names.contains($0.table ?? "") }
  }

  private func scanned(_ names: Set<String>) -> PlanNode? {
    before.nodes.first { names.contains($0.table ?? "") && $0.isFullScan }
  }

  private func isIndexed(_ name: String) -> Bool {
    indexes.contains { names(of: $0.table).contains(name.asciiLowercased) }
  }

  /// The table's name and its aliases, as plans call it, in lower case.
  private func names(of table: String) -> Set<String> {
    var names: Set<String> = [table.asciiLowercased]
    for source in shape.selectsWithViews.flatMap(\.sources)
    where source.table?.asciiLowercased == table.asciiLowercased {
      names.insert(source.name.asciiLowercased)
    }
    return names
  }
}

extension PlanNode {
  /// The table that the node reads, as the plan calls it, in lower case.
  fileprivate var table: String? {
    switch step {
    case .scan(let table, _, _), .search(let table, _, _, _), .automaticIndex(let table, _, _): table.asciiLowercased
    default: nil
    }
  }

  /// Includes a search without terms: it looks for min() or max() from one end, and may read up to the other end.
  fileprivate var isFullScan: Bool {
    switch step {
    case .scan: true
    case .search(_, let index, _, let terms): index == nil && terms.isEmpty
    default: false
    }
  }

  fileprivate var isSearch: Bool { if case .search = step { !isFullScan } else { false } }

  fileprivate var isCovering: Bool {
    switch step {
    case .scan(_, _, let isCovering), .search(_, _, let isCovering, _): isCovering
    default: false
    }
  }
}
