import Foundation

/// The cost of an execution as one number, about the steps of SQLite's virtual machine. Each run has the same number.
enum ExecutionCost {
  /// The cost of a page in steps, in the cache or not.
  ///
  /// 63 executions over tables and indexes of 100,000 rows were measured with warm caches. There, 10 to 15 steps
  /// predict the time best: the standard deviation of its logarithm is 0.59, against 0.84 with 50 steps. But an app may
  /// start with cold caches, and a cold page costs thousands of steps.
  static let stepsPerPage = 50.0
  /// The comparisons of a sort are no steps. This is their cost for each row and each level of the sort.
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

  /// The cost of executions, compared with the executions of the same statement `before`.
  ///
  /// If a run ended before and was stopped now, its cost is only a lower bound. It never counts as a gain, but as
  /// several times the cost of before. If counts show no gain, but the clock clearly shows less than half of the time,
  /// the cost is the same share of the cost of before.
  static func of(_ measurements: [StatementMeasurement], beside before: [StatementMeasurement]) -> Double {
    let isStopped =
      measurements.count < before.count || zip(before, measurements).contains { $0.isComplete && !$1.isComplete }
    let (counted, countedBefore) = (of(measurements), of(before))
    if isStopped { return max(counted, factorOfStopped * countedBefore) }
    // Counts are more exact than a clock. If they show a gain, they decide its size.
    guard counted > (1 - GainRule.leastShare) * countedBefore, let share = shareByClock(of: measurements, before) else {
      return counted
    }
    return share * countedBefore
  }

  /// The remaining share of the time, if it is less than half by more than noise; nil if the clock proves nothing.
  ///
  /// With a cold cache, each page is read from the disk once: of a thousand reads of one page, 999 find it in the
  /// cache. So the pages that were read with an empty cache count beside the clock, each with the time of a read from
  /// the disk. A fix that reads more of them is not faster until the cache is warm.
  static func shareByClock(of after: [StatementMeasurement], _ before: [StatementMeasurement]) -> Double? {
    guard !before.isEmpty, after.count == before.count, (before + after).allSatisfy(\.isComplete) else { return nil }
    let (time, timeBefore) = (after.warmTime, before.warmTime)
    guard timeBefore - time > leastSavedTime, time < timeBefore * mostShareByClock,
      after.reduce(.zero, { $0 + $1.timeFromDisk }) <= before.reduce(.zero, { $0 + $1.timeFromDisk }),
      zip(before, after).allSatisfy({ $1.warmTime < $0.warmTime * 1.5 + leastSavedTime })
    else { return nil }
    return time.inSeconds / timeBefore.inSeconds
  }

  /// Other processes and the caches of the processor change the time of a thread by less.
  private static let leastSavedTime = Duration.milliseconds(1)
  private static let mostShareByClock = 0.5
  /// The time to read a page from the flash of a phone.
  fileprivate static let timeOfPage = Duration.microseconds(100)

  /// The greatest cost that `IndexSetSearch` assumes for a statement, as a multiple of its cost before.
  static let factorOfStopped = 3.0
}

extension StatementMeasurement {
  /// About the time with an empty cache.
  fileprivate var timeFromDisk: Duration { warmTime + ExecutionCost.timeOfPage * Double(max(0, coldPages)) }
}
