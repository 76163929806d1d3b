/// The data from which the engine finds the changes that concern a live query.
///
/// Queries of one form share all of it except their compared values.
struct RoutePlan: Sendable {
  private final class Form: Sendable {
    let root: RecordType
    let routeTerm: Term?
    let isWholeCondition: Bool
    let ordering: PreparedOrdering?
    let needs: [CaptureNeed]
    let columns: ColumnMask
    let dependencies: [(dependency: Dependency, usage: LiveUsage)]
    let counted: [(term: Term, dependency: Dependency)]
    let magnitudes: [Term]
    let magnitudePositions: [Int?]

    init(
      root: RecordType, condition: Term?, orderings: [Ordering], outputs: [Term], prefetched: [PrefetchedRows]
    ) throws {
      var tree = DependencyTree(root: root)
      if let condition { tree.visit(condition, .membership) }
      for ordering in orderings { tree.visit(ordering.term, .membership) }
      for output in outputs { tree.visit(output, .output) }
      for rows in prefetched { tree.visit(rows) }
      let conjuncts = condition?.conjuncts ?? []
      let evaluable = conjuncts.filter(\.isEvaluable)
      self.root = root
      routeTerm = Term.all(evaluable)
      isWholeCondition = evaluable.count == conjuncts.count
      ordering = orderings.allSatisfy(\.term.isEvaluable) ? try PreparedOrdering(orderings) : nil
      needs = tree.needs
      columns = ColumnMask(needs.first { $0.table == root }?.columns ?? [])
      dependencies = tree.dependencies
      counted = tree.counted.map { [tree] in ($0.term, tree.dependency(of: $0.node)) }
      var magnitudes: [Term] = []
      magnitudePositions = counted.map { [count = counted.count] counted in
        counted.term.sumOfMagnitudes.map { term in
          magnitudes.append(term)
          return count + magnitudes.count - 1
        }
      }
      self.magnitudes = magnitudes
      _ = try routeTerm.map { try PreparedTerm(condition: $0) }
    }
  }

  private let form: Form
  /// The values of the form's stand-ins.
  private var values: [StorageValue] = []

  /// - Parameters:
  ///   - orderings: The query's own orderings.
  ///   - outputs: The terms that are read of each row.
  ///   - prefetched: The prefetched rows of the query.
  init(
    root: RecordType, condition: Term?, orderings: [Ordering], outputs: [Term], prefetched: [PrefetchedRows] = []
  ) throws {
    form = try Form(
      root: root, condition: condition, orderings: orderings, outputs: outputs, prefetched: prefetched)
  }

  /// The tables that the query reads.
  var tables: Set<RecordType> { Set(needs.map(\.table)) }

  /// The plan of a query of the same form.
  func filled(_ values: [StorageValue]) -> RoutePlan {
    var plan = self
    plan.values = values
    return plan
  }

  var root: RecordType { form.root }
  /// Whether ``condition()`` is the whole condition of the query.
  var isWholeCondition: Bool { form.isWholeCondition }
  /// The sort key of a row without its primary key, if Swift evaluates it.
  var ordering: PreparedOrdering? { form.ordering }
  var needs: [CaptureNeed] { form.needs }
  /// The columns of the query's own rows that decide about membership and order.
  var columns: ColumnMask { form.columns }
  var dependencies: [(dependency: Dependency, usage: LiveUsage)] { form.dependencies }
  /// The counts and sums that changes of single rows maintain.
  var counted: [(term: Term, dependency: Dependency)] { form.counted }
  /// The magnitudes of these sums: see ``SumBound``.
  var magnitudes: [Term] { form.magnitudes }
  /// The position of each sum's magnitude, after all counts and sums; nil for counts.
  var magnitudePositions: [Int?] { form.magnitudePositions }

  private var routeTerm: Term? { form.routeTerm?.filled(values) }

  /// The conditions of the query that Swift evaluates, prepared for rows; nil for none. O(conditions).
  func condition() throws -> PreparedTerm? {
    try routeTerm.map { try PreparedTerm(condition: $0) }
  }

  /// The signature under which rows are looked up. O(conditions).
  func signature(bound: RouteBound?) -> RouteSignature {
    RouteSignature(condition: routeTerm, bound: bound)
  }
}
