/// The statements of a workload by their expected total cost, the greatest first.
///
/// If the time does not suffice for all, the most important ones come first. A log gives their times; otherwise plans
/// and table sizes give the approximate rows read.
struct WorkloadOrder {
  struct Item {
    /// Its position in the workload, from 1.
    let number: Int
    var statement: WorkloadStatement
    let plan: QueryPlan
    let shape: QueryShape?
    /// In seconds if a log has all times, otherwise the approximate number of rows read.
    var cost: Double
  }

  private(set) var items: [Item] = []
  private(set) var skipped: [SkippedInput] = []
  /// Whether the costs are estimated from plans.
  let isEstimated: Bool

  /// Plans all statements. With the schema, strings in double quotes get single quotes, and fingerprints show no
  /// values. Statements that differ only in such strings become one.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled. O(statements · lines of their plans).
  init(_ workload: Workload, connection: SQLiteConnection, schema: DatabaseSchema) throws {
    let statements = workload.statements
    isEstimated = !statements.allSatisfy { $0.totalTime != nil }
    let (reader, expected) = (PlanReader(connection: connection, schema: schema), ExpectedCost(schema: schema))
    let (nearest, names) = (NearestName(schema: schema), schema.names)
    let strings = QuotedStrings(connection: connection, schema: schema)
    var places: [String: Int] = [:]
    for (place, original) in statements.enumerated() {
      try Task.checkCancellation()
      var statement = original
      do {
        statement.sql = try strings.rewritten(original.sql)
        statement.fingerprint = Fingerprint.of(statement.sql, names: names)
        let plan = try reader.plan(of: statement.sql)
        let shape = try? ShapeReader.shape(of: statement.sql, in: schema.description)
        let cost =
          isEstimated
          ? Double(max(1, statement.count)) * expected.of(plan, in: shape)
          : statement.totalTime?.inSeconds ?? 0
        if let known = places[statement.fingerprint] {
          items[known].statement.add(statement)
          items[known].cost += cost
        } else {
          places[statement.fingerprint] = items.count
          items.append(Item(number: place + 1, statement: statement, plan: plan, shape: shape, cost: cost))
        }
      } catch let error as DiagnosisError {
        if error.endsDiagnosis { throw error }
        let name = statements.count > 1 ? "S\(statement.id): " : ""
        skipped.append(
          SkippedInput(
            place: statement.places.first, reason: "\(name)\(nearest.explained(error, in: statement.sql))"))
      }
    }
    items.sort { $0.cost == $1.cost ? $0.number < $1.number : $0.cost > $1.cost }
  }

  /// Returns the known share of the workload's time, after some statements were measured and fixes were tried for some
  /// of these.
  ///
  /// - Parameters:
  ///   - times: The time of all executions of each measured statement, in seconds, by the statement's number.
  ///   - searched: The statements that fixes were tried for.
  func coverage(measured times: [Int: Double], searched: Set<Int>) -> WorkloadCoverage {
    let weights = weights(times)
    let all = weights.values.reduce(0, +)
    func share(_ isMeant: (Int) -> Bool) -> Double {
      all > 0 ? weights.reduce(0) { $0 + (isMeant($1.key) ? $1.value : 0) } / all : 1
    }
    return WorkloadCoverage(
      statements: items.count, measured: times.count, searched: searched.count,
      executions: items.reduce(0) { $0.addingClamped(max(1, $1.statement.count)) }, share: share { times[$0] != nil },
      searchedShare: share(searched.contains), isEstimated: isEstimated)
  }

  /// Returns the time of all executions of each statement: the log's times, otherwise the measured ones. For unmeasured
  /// statements, the plan gives the rows, and the measured statements give the time of a row.
  private func weights(_ times: [Int: Double]) -> [Int: Double] {
    var weights = Dictionary(items.map { ($0.statement.id, $0.cost) }) { first, _ in first }
    let cost = times.keys.reduce(0) { $0 + weights[$1, default: 0] }
    guard isEstimated, cost > 0 else { return weights }
    let timeOfRow = times.values.reduce(0, +) / cost
    weights = weights.mapValues { $0 * timeOfRow }
    return weights.merging(times) { _, measured in measured }
  }
}

extension WorkloadStatement {
  /// The greatest number of stored sets of values, and of stored places, for each statement.
  private static let most = (bindings: 8, places: 20)

  /// Adds the executions of a statement that proved to be the same.
  mutating func add(_ other: WorkloadStatement) {
    let literals = { (statement: WorkloadStatement) in
      statement.sharedLiterals ?? Set(LiteralEvidence.literals(in: statement.sql))
    }
    sharedLiterals = literals(self).intersection(literals(other))
    count = count.addingClamped(other.count)
    if let time = other.totalTime { totalTime = (totalTime ?? .zero) + time }
    if let rows = other.totalRows { totalRows = (totalRows ?? 0).addingClamped(rows) }
    operations.merge(other.operations) { $0.addingClamped($1) }
    callers.merge(other.callers) { $0.addingClamped($1) }
    mostPerOperation = max(mostPerOperation, other.mostPerOperation)
    bindings += other.bindings.prefix(max(0, Self.most.bindings - bindings.count)).filter { !bindings.contains($0) }
    places += other.places.prefix(max(0, Self.most.places - places.count))
    isLogged = isLogged || other.isLogged
  }
}

extension FixedWidthInteger {
  /// Adds without overflow, because the counts of a log may be arbitrarily large.
  func addingClamped(_ other: Self) -> Self {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
