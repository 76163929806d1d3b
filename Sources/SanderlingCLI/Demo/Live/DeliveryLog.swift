import Sanderling

/// The deliveries of live results, with their times.
struct DeliveryLog: Sendable {
  /// A change of one result, as the main actor received it.
  private struct Delivery {
    /// The last commit that the result contained before.
    let after: UInt64
    /// The last commit that the result contains now.
    let through: UInt64
    let time: ContinuousClock.Instant
  }

  private var deliveries: [Delivery] = []

  var count: Int { deliveries.count }

  mutating func append(after: Commit?, through: Commit, time: ContinuousClock.Instant) {
    deliveries.append(Delivery(after: after?.number ?? 0, through: through.number, time: time))
  }

  /// Returns the delays from commits to deliveries.
  ///
  /// Each delivery counts once, with its earliest commit, which waited longest. Deliveries without a commit of the
  /// import are left out, such as the first rows.
  ///
  /// - Parameter commits: The commits of the import, in order.
  func figures(_ commits: [CommitTimes.Entry]) -> DeliveryFigures {
    let delays = deliveries.compactMap { delivery -> Duration? in
      let index = commits.partitioningIndex { $0.number > delivery.after }
      guard index < commits.count, commits[index].number <= delivery.through else { return nil }
      return commits[index].time.duration(to: delivery.time)
    }
    return DeliveryFigures(delays: delays)
  }
}

/// The number of deliveries, and the delays from the commit of a write until the main actor had the rows.
struct DeliveryFigures: Hashable, Sendable {
  let count: Int
  /// The median delay. It and the next two delays are nil without deliveries.
  let median: Duration?
  let percentile99: Duration?
  let longest: Duration?

  init(delays: [Duration]) {
    let sorted = delays.sorted()
    count = sorted.count
    median = Self.percentile(50, of: sorted)
    percentile99 = Self.percentile(99, of: sorted)
    longest = sorted.last
  }

  /// Returns the smallest delay that at least the given percentage of delays doesn't exceed.
  private static func percentile(_ percent: Int, of sorted: [Duration]) -> Duration? {
    sorted.isEmpty ? nil : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
  }
}

extension Array {
  /// Returns the first position of the second part of a partitioned array. O(log n).
  fileprivate func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
