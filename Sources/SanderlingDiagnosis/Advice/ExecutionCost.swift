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

  /// What executions cost, compared with those of the same statement `before`.
  ///
  /// One that came to its end before and was stopped now is known by a lower bound only, which is never a gain, however little
  /// it is: it counts as several times the cost of before. Where counts show no gain, and a clock leaves no doubt that it takes
  /// less than half, its share of the cost of before is the cost.
  static func of(_ measurements: [StatementMeasurement], beside before: [StatementMeasurement]) -> Double {
    let isStopped =
      measurements.count < before.count || zip(before, measurements).contains { $0.isComplete && !$1.isComplete }
    let (counted, countedBefore) = (of(measurements), of(before))
    if isStopped { return max(counted, factorOfStopped * countedBefore) }
    // Counts are more exact: where they show a gain, they say how much it is.
    guard counted > (1 - GainRule.leastShare) * countedBefore, let share = shareByClock(of: measurements, before) else {
      return counted
    }
    return share * countedBefore
  }

  /// What is left of the time where that is less than half, by more than noise; nil where the clock is no proof.
  ///
  /// Pages count as much as they do for a cold cache, where each is read from the disk once: one that is looked at a thousand
  /// times was in the cache 999 times. So what decides beside the clock is how many pages were read with an empty cache. A fix
  /// that reads more of them, by what a disk takes for a page, is not faster until the cache is warm.
  static func shareByClock(of after: [StatementMeasurement], _ before: [StatementMeasurement]) -> Double? {
    guard !before.isEmpty, after.count == before.count, (before + after).allSatisfy(\.isComplete) else { return nil }
    let (time, timeBefore) = (after.warmTime, before.warmTime)
    guard timeBefore - time > leastSavedTime, time < timeBefore * mostShareByClock,
      after.reduce(.zero, { $0 + $1.timeFromDisk }) <= before.reduce(.zero, { $0 + $1.timeFromDisk }),
      zip(before, after).allSatisfy({ $1.warmTime < $0.warmTime * 1.5 + leastSavedTime })
    else { return nil }
    return time.inSeconds / timeBefore.inSeconds
  }

  /// Other processes, and caches of the processor, change the time of a thread by less.
  private static let leastSavedTime = Duration.milliseconds(1)
  private static let mostShareByClock = 0.5
  /// What a page takes to be read from the flash of a phone.
  fileprivate static let timeOfPage = Duration.microseconds(100)

  /// As many times as `IndexSetSearch` takes a statement to cost at most.
  static let factorOfStopped = 3.0
}

extension StatementMeasurement {
  /// What it takes with an empty cache, about.
  fileprivate var timeFromDisk: Duration { warmTime + ExecutionCost.timeOfPage * Double(max(0, coldPages)) }
}
