import Foundation

/// What an execution costs, in a number that is the same in each run: about the steps of SQLite's virtual machine.
enum ExecutionCost {
  /// A look-up of a page in the cache takes about as long as this many steps.
  static let stepsPerPage = 50.0

  static func of(_ measurement: Measurement) -> Double {
    var cost = Double(measurement.steps) + stepsPerPage * Double(measurement.pages)
    if measurement.sorts > 0 {
      // Comparisons are no steps of the virtual machine.
      let rows = Double(max(2, measurement.rowsReturned))
      cost += rows * log2(rows)
    }
    return cost
  }

  static func of(_ measurements: [Measurement]) -> Double {
    measurements.reduce(0) { $0 + of($1) }
  }
}
