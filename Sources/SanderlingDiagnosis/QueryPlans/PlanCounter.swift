/// Counts the rows that pass each loop of a plan, and the cost of each loop.
///
/// SQLite reports neither; few builds have its option of scan statistics. So for a join in the order of the plan,
/// separate statements count the rows of the first source, the first two and so on, with the conditions on them. Their
/// CROSS JOINs keep the order. The difference between their instruction counts is the cost of a loop.
///
/// Only the loops of the outermost SELECT, UPDATE or DELETE are counted. Unknown figures stay nil: loops of subqueries
/// and compound SELECTs, joins with USING, RIGHT and FULL joins, loops that a LIMIT ends early, and those beyond the
/// budget.
struct PlanCounter {
  let connection: SQLiteConnection
  let schema: DatabaseSchema
  var timeBudget = Duration.seconds(2)

  /// Returns the plan with rows, rows read and shares. O(cost of the statement times its sources).
  func counted(
    _ plan: QueryPlan, of sql: String, bindings: [Int: BoundValue], measurement: StatementMeasurement? = nil
  ) -> QueryPlan {
    guard let shape = try? ShapeReader.shape(of: sql, in: schema.description),
      let core = shape.resolved.cores.first(where: {
        $0.parent == nil && [.statement, .update, .delete].contains($0.role)
      }),
      !core.isCompound, let select = shape.select(core.id)
    else { return plan }
    let sorts = plan.roots.contains { if case .temporaryBTree = $0.step { true } else { false } }
    // A LIMIT ends the loops early, unless all rows must be sorted first.
    if select.limit != nil, !sorts { return plan }
    let places = plan.roots.indices.filter { plan.roots[$0].loopTable != nil }
    let sources = places.compactMap { place in
      select.sources.first { $0.name.asciiLowercased == plan.roots[place].loopTable?.asciiLowercased }
    }
    guard sources.count == places.count, Set(sources.map(\.id)).count == sources.count else { return plan }
    let prefixes = PlanPrefixes(shape: shape, core: core, sources: sources)
    return connection.limited(to: timeBudget) {
      counted(plan, prefixes, sources, places, bindings, measurement)
    }
  }

  private func counted(
    _ plan: QueryPlan, _ prefixes: PlanPrefixes, _ sources: [SourceShape], _ places: [Int],
    _ bindings: [Int: BoundValue], _ measurement: StatementMeasurement?
  ) -> QueryPlan {
    var plan = plan
    var before: (rows: Int64, steps: Int64) = (1, 0)
    var loopSteps: [Int: Int64] = [:]
    for (count, place) in places.enumerated() {
      guard let sql = prefixes.sql(count + 1), let counted = run(sql, bindings) else { break }
      plan.roots[place].rows = counted.rows
      plan.roots[place].rowsRead = rowsRead(plan.roots[place], of: sources[count], times: before.rows, counted.rows)
      loopSteps[place] = max(0, counted.steps - before.steps)
      before = counted
    }
    guard let measurement, measurement.isComplete, loopSteps.count == places.count else { return plan }
    share(measurement.steps, among: loopSteps, in: &plan)
    return plan
  }

  private func run(_ sql: String, _ bindings: [Int: BoundValue]) -> (rows: Int64, steps: Int64)? {
    guard let statement = try? connection.prepare(sql, authority: .reading),
      (try? statement.bind(bindings)) != nil, (try? statement.step()) == true
    else { return nil }
    let rows = statement.integer(at: 0)
    return (rows, statement.counter(.steps))
  }

  /// Returns the rows that a node reads. A scan reads the whole table for each earlier row. A search with a unique key,
  /// or one that returns all its rows, reads at least the returned rows.
  private func rowsRead(_ node: PlanNode, of source: SourceShape, times: Int64, _ rows: Int64) -> Int64? {
    guard case .scan(_, let index, _) = node.step, let table = source.table.flatMap(schema.table),
      let count = table.rowCount, index.flatMap({ schema.index($0) })?.isPartial != true
    else { return nil }
    let (product, overflows) = count.multipliedReportingOverflow(by: times)
    return overflows ? nil : max(product, rows)
  }

  /// The work outside loops belongs to the single node that is no loop; with several such nodes it can't be divided.
  private func share(_ steps: Int64, among loops: [Int: Int64], in plan: inout QueryPlan) {
    let total = Double(max(steps, loops.values.reduce(0, +), 1))
    for (place, steps) in loops { plan.roots[place].share = Double(steps) / total }
    let others = plan.roots.indices.filter { loops[$0] == nil }
    if others.count == 1 {
      plan.roots[others[0]].share = max(0, 1 - plan.roots.compactMap(\.share).reduce(0, +))
    }
  }
}

extension PlanNode {
  /// The table, or its alias, that the node loops over; nil for other nodes.
  fileprivate var loopTable: String? {
    switch step {
    case .scan(let table, _, _), .search(let table, _, _, _), .automaticIndex(let table, _, _),
      .virtualTable(let table, _):
      table
    case .multiIndexOr: children.lazy.compactMap { $0.children.first?.loopTable ?? $0.loopTable }.first
    default: nil
    }
  }
}
