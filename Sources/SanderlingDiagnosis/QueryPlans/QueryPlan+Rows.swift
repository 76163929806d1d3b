extension QueryPlan {
  /// Creates a plan from the rows of EXPLAIN QUERY PLAN in their order, with the columns `id`, `parent` and `detail`.
  /// O(rows).
  public init(rows: [(id: Int, parent: Int, detail: String)]) {
    let lines = rows.map { PlanLine(id: $0.id, parent: $0.parent, detail: $0.detail) }
    self = PlanTree.plan(of: lines, aliases: [:], schema: nil)
  }
}
