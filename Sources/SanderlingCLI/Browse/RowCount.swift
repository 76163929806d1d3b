import Sanderling

/// How many rows there are, as far as they were counted.
struct RowCount: Equatable, CustomStringConvertible {
  let count: Int?
  let least: Int

  init(count: Int?, least: Int) {
    (self.count, self.least) = (count, least)
  }

  init(_ snapshot: LongSnapshot<BrowsedRow>) {
    self.init(count: snapshot.count, least: snapshot.leastCount)
  }

  var description: String { count.map(\.grouped) ?? "at least \(least.grouped)" }
}
