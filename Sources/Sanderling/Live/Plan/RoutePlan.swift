/// What the engine needs to find out which changes concern a live query.
struct RoutePlan: Sendable {
  let root: RecordType
  /// Those conditions of the query that Swift evaluates; nil for none.
  let condition: PreparedTerm?
  /// Whether they are all of its conditions.
  let isWholeCondition: Bool
  /// The sort key of a row without its primary key, if Swift evaluates it.
  let ordering: PreparedOrdering?
  let needs: [CaptureNeed]
  let dependencies: [(dependency: Dependency, usage: LiveUsage)]
  /// The counts and sums that follow from changes of single rows.
  let counted: [(term: Term, dependency: Dependency)]
  private let routeTerm: Term?

  /// - Parameters:
  ///   - orderings: The query's own.
  ///   - outputs: What is read of each row.
  init(root: RecordType, condition: Term?, orderings: [Ordering], outputs: [Term]) throws {
    var tree = DependencyTree(root: root)
    if let condition { tree.visit(condition, .membership) }
    for ordering in orderings { tree.visit(ordering.term, .membership) }
    for output in outputs { tree.visit(output, .output) }
    let conjuncts = condition?.conjuncts ?? []
    let evaluable = conjuncts.filter(\.isEvaluable)
    self.root = root
    routeTerm = Term.all(evaluable)
    self.condition = try routeTerm.map { try PreparedTerm(condition: $0) }
    isWholeCondition = evaluable.count == conjuncts.count
    ordering = orderings.allSatisfy(\.term.isEvaluable) ? try PreparedOrdering(orderings) : nil
    needs = tree.needs
    dependencies = tree.dependencies
    counted = tree.counted.map { [tree] in ($0.term, tree.dependency(of: $0.node)) }
  }

  func signature(bound: RouteBound?) -> RouteSignature {
    RouteSignature(condition: routeTerm, bound: bound)
  }
}
