/// A statement of a diagnosis, with its measurements and its remaining time.
struct StatementWork {
  /// Its position in the workload, from 1.
  let number: Int
  var statement: AnalyzedStatement
  var time: StatementTime
  /// Whether fixes remain untried for lack of time. True until the search for fixes has ended.
  var isCutShort = true

  var name: String { "S\(statement.statement.id)" }
  /// The cost of all executions of the statement.
  var cost: Double { ExecutionCost.of(statement.measurements) * Double(max(1, statement.statement.count)) }
  /// The time of all executions of the statement according to the measurements, in seconds.
  var measuredTime: Double {
    let mean = statement.measurements.warmTime.inSeconds / Double(max(1, statement.measurements.count))
    return mean * Double(max(1, statement.statement.count))
  }
  var isWorthATrial: Bool { GainRule(before: statement.measurements).isWorthATrial }

  /// Returns two seconds for up to 100 MB, and proportionally more for larger databases, since reading all rows takes
  /// that long.
  static func usualBudget(bytes: Int64) -> Duration {
    .seconds(2) * max(1, Double(bytes) / 100_000_000)
  }

  private static let shareOfCounting = 0.7

  /// Returns the progress of the work after the given number of trials.
  func state(tried: Int) -> StatementReport.State {
    let measurements = statement.baseline.map { (bindings: $0.sample.name, measurement: $0.measurement) }
    if measurements.isEmpty { return .notMeasured(reason: Self.noTimeToMeasure) }
    return .measured(measurements, FixTrials(tried, isCutShort: isCutShort))
  }

  static let noTimeToMeasure = "The time ended before it was measured; --budget allows more."

  /// Returns the report on the statement. Counts the rows of the plan if `countsRows` is set and time remains.
  mutating func report(on connection: SQLiteConnection, schema: DatabaseSchema, countsRows: Bool) -> StatementReport {
    let analyzed = statement
    let worst = analyzed.baseline.max { $0.measurement.steps < $1.measurement.steps }
    var plan = analyzed.plan
    if countsRows {
      plan = time.spend(Self.shareOfCounting, on: connection) {
        PlanCounter(connection: connection, schema: schema).counted(
          analyzed.plan, of: analyzed.sql, bindings: worst?.sample.values ?? [:], measurement: worst?.measurement)
      }
    }
    return StatementReport(
      statement: analyzed.statement, plan: plan, state: state(tried: 0),
      hidden: HiddenCosts(analyzed: analyzed, schema: schema).sentences)
  }
}
