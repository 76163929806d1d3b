import Sanderling

/// The pages of one record, from the first one to the last.
struct HTTPList: Sendable {
  /// The number of rows of its largest page.
  private(set) var largest = 0
  /// The rows of its last page.
  private(set) var last: [[String: ForeignValue]] = []
  /// The smallest row count from the server since a list had fewer rows; nil for a list that is read for the first
  /// time.
  private var told: Int?

  init() {}

  /// Adds the rows of the next page.
  ///
  /// - Returns: The number of rows that the previous page didn't have. A page may begin with the last
  ///   rows of the previous page, or repeat the previous page.
  mutating func take(_ rows: [[String: ForeignValue]]) -> Int {
    let known = Set(last)
    (largest, last) = (Swift.max(largest, rows.count), rows)
    return known.isEmpty ? rows.count : rows.count { !known.contains($0) }
  }

  /// The comparison of a finished list with the server's number of rows.
  enum Verdict {
    case isWhole
    /// Rows may have been added since its pages were read. Only a second list decides, which begins after the server's
    /// count.
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
