import Sanderling

/// The pages of one record from the first one on, until no page follows.
struct HTTPList: Sendable {
  /// How many rows its largest page had.
  private(set) var largest = 0
  /// The rows of its last page.
  private(set) var last: [[String: ForeignValue]] = []
  /// The smallest number of rows that the server told since a list was short of them; nil for a list that is read for the first time.
  private var told: Int?

  init() {}

  /// Takes the rows of the next page.
  ///
  /// - Returns: How many of them the page before didn't have: a page may begin with the last rows of the one before, or be that one again.
  mutating func take(_ rows: [[String: ForeignValue]]) -> Int {
    let known = Set(last)
    (largest, last) = (Swift.max(largest, rows.count), rows)
    return known.isEmpty ? rows.count : rows.count { !known.contains($0) }
  }

  /// The verdict of the server's number of rows on a list that came to its end.
  enum Verdict {
    case isWhole
    /// Rows may have been added since its pages were read: only a second list tells, which begins after the server told the number.
    case isReadAgain(HTTPList)
    case isShort
  }

  func verdict(received: Int, told now: Int) -> Verdict {
    if received >= Swift.min(told ?? now, now) { return .isWhole }
    guard told == nil else { return .isShort }
    var second = HTTPList()
    second.told = now
    return .isReadAgain(second)
  }
}
