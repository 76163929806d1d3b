import Sanderling

/// The deliveries of live results, with their times.
struct DeliveryLog: Sendable {
  /// A change of one result, as the main actor took it.
  private struct Delivery {
    /// The commit that the result was known to contain before.
    let after: UInt64
    /// The commit that it contains now.
    let through: UInt64
    let time: ContinuousClock.Instant
  }

  private var deliveries: [Delivery] = []

  var count: Int { deliveries.count }

  mutating func append(after: Commit?, through: Commit, time: ContinuousClock.Instant) {
    deliveries.append(Delivery(after: after?.number ?? 0, through: through.number, time: time))
  }

  /// The times that commits waited for their delivery.
  ///
  /// If a delivery shows several commits, the first counts, which waited longest. Deliveries without a commit of the
  /// import are left out, for example the first content.
  ///
  /// - Parameter commits: The commits of the import, in their order.
  func figures(_ commits: [CommitTimes.Entry]) -> DeliveryFigures {
    let delays = deliveries.compactMap { delivery -> Duration? in
      let index = commits.partitioningIndex { $0.number > delivery.after }
      guard index < commits.count, commits[index].number <= delivery.through else { return nil }
      return commits[index].time.duration(to: delivery.time)
    }
    return DeliveryFigures(delays: delays)
  }
}

/// How many deliveries there were, and how long they took from the commit of a write until the main actor had the rows.
struct DeliveryFigures: Hashable, Sendable {
  let count: Int
  /// All nil when there were none.
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

  /// The smallest delay that so many hundredths of all don't exceed.
  private static func percentile(_ percent: Int, of sorted: [Duration]) -> Duration? {
    sorted.isEmpty ? nil : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
  }
}

extension Array {
  /// The first position whose element belongs to the second part of a partitioned array. O(log n).
  fileprivate func partitioningIndex(where belongsInSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if belongsInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
