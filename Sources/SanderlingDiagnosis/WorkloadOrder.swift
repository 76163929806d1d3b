/// The statements of a workload with what all their executions are expected to cost, the greatest first.
///
/// Where time does not suffice for all, those come first that matter most. A log knows what they took; else plans and the sizes
/// of tables tell about how much they read.
struct WorkloadOrder {
  struct Item {
    /// Its place in the workload, from 1.
    let number: Int
    let statement: WorkloadStatement
    let plan: QueryPlan
    let shape: QueryShape?
    /// Seconds where a log told all times, else rows that are read, about.
    var cost: Double
  }

  private(set) var items: [Item] = []
  private(set) var skipped: [SkippedInput] = []
  /// Whether the costs come from plans.
  let isEstimated: Bool

  /// Plans all statements.
  ///
  /// Throws `DiagnosisError` when the diagnosis is cancelled. O(statements · lines of their plans).
  init(_ workload: Workload, connection: SQLiteConnection, schema: DatabaseSchema) throws {
    let statements = workload.statements
    isEstimated = !statements.allSatisfy { $0.totalTime != nil }
    let (reader, expected) = (PlanReader(connection: connection, schema: schema), ExpectedCost(schema: schema))
    let names = NearestName(schema: schema)
    for (place, statement) in statements.enumerated() {
      try Task.checkCancellation()
      do {
        let plan = try reader.plan(of: statement.sql)
        let shape = try? ShapeReader.shape(of: statement.sql, in: schema.description)
        let cost =
          isEstimated
          ? Double(max(1, statement.count)) * expected.of(plan, in: shape)
          : statement.totalTime?.inSeconds ?? 0
        items.append(Item(number: place + 1, statement: statement, plan: plan, shape: shape, cost: cost))
      } catch let error as DiagnosisError {
        if error == .trialNotUndone || error == .stopped(.cancelled) { throw error }
        let name = statements.count > 1 ? "S\(statement.id): " : ""
        skipped.append(
          SkippedInput(
            place: statement.places.first, reason: "\(name)\(names.explained(error, in: statement.sql))"))
      }
    }
    items.sort { $0.cost == $1.cost ? $0.number < $1.number : $0.cost > $1.cost }
  }

  /// How much is known of the workload, when some of its statements were measured and fixes were searched for some of these.
  func coverage(measured: Set<Int>, searched: Set<Int>) -> WorkloadCoverage {
    func share(_ ids: Set<Int>) -> Double {
      let all = items.reduce(0) { $0 + $1.cost }
      guard all > 0 else { return 1 }
      return items.reduce(0) { $0 + (ids.contains($1.statement.id) ? $1.cost : 0) } / all
    }
    return WorkloadCoverage(
      statements: items.count, measured: measured.count, searched: searched.count,
      executions: items.reduce(0) { $0.addingClamped(max(1, $1.statement.count)) }, share: share(measured),
      searchedShare: share(searched), isEstimated: isEstimated)
  }
}

extension FixedWidthInteger {
  /// Counts of logs may be anything.
  func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
