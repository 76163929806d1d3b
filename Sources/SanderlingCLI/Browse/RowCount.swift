import Sanderling

/// A number of rows: exact once all are counted, a lower bound before.
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
