import Foundation

/// What an execution costs, in a number that is the same in each run: about the steps of SQLite's virtual machine.
enum ExecutionCost {
  /// What a page counts in steps, whether it was in the cache or not.
  ///
  /// Of 63 executions over tables and indexes of 100,000 rows with warm caches, 10 to 15 predict the time best (standard
  /// deviation of its logarithm 0.59, against 0.84 with 50). But apps find caches cold: then a page takes thousands.
  static let stepsPerPage = 50.0
  /// Comparisons of a sort are no steps: so many for each row and level of the sort.
  static let stepsPerComparison = 1.0

  static func of(_ measurement: StatementMeasurement) -> Double {
    var cost =
      Double(measurement.steps) + stepsPerPage * (Double(measurement.pages) + Double(measurement.automaticIndexRows))
    if measurement.sorts > 0 {
      let rows = Double(max(2, measurement.rowsReturned))
      cost += stepsPerComparison * rows * log2(rows)
    }
    return cost
  }

  static func of(_ measurements: [StatementMeasurement]) -> Double {
    measurements.reduce(0) { $0 + of($1) }
  }

  /// What executions cost that came to their end `before`. One that was stopped is known by a lower bound only, which is
  /// never a gain, however little it is: it counts as several times the cost of before.
  static func of(_ measurements: [StatementMeasurement], beside before: [StatementMeasurement]) -> Double {
    let isStopped =
      measurements.count < before.count || zip(before, measurements).contains { $0.isComplete && !$1.isComplete }
    return isStopped ? max(of(measurements), factorOfStopped * of(before)) : of(measurements)
  }

  /// As many times as `IndexSetSearch` takes a statement to cost at most.
  static let factorOfStopped = 3.0
}
