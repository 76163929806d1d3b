import Foundation

/// What an execution costs, in a number that is the same in each run: about the steps of SQLite's virtual machine.
enum ExecutionCost {
  /// A look-up of a page in the cache takes about as long as so many steps.
  ///
  /// Of 63 executions that take more than 20 µs, over tables and indexes of 100,000 rows, 10 to 15 predict the time best;
  /// with 50, look-ups by an index seem to take longer than scans that take twenty times as long.
  static let stepsPerPage = 15.0
  /// Comparisons of a sort are no steps: so many for each row and level of the sort.
  static let stepsPerComparison = 1.0

  static func of(_ measurement: Measurement) -> Double {
    var cost = Double(measurement.steps) + stepsPerPage * Double(measurement.pages)
    if measurement.sorts > 0 {
      let rows = Double(max(2, measurement.rowsReturned))
      cost += stepsPerComparison * rows * log2(rows)
    }
    return cost
  }

  static func of(_ measurements: [Measurement]) -> Double {
    measurements.reduce(0) { $0 + of($1) }
  }
}
