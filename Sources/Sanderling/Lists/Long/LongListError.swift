/// Why a query can't be a long list, or why a long list can't answer a request.
public enum LongListError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The query limits or skips rows.
  case isLimited
  /// The query's rows have no stable places, for the given reason.
  case hasNoPlaces(String)
  /// The query has no row with this key.
  case isGone
  /// The list has no such positions.
  case outOfBounds(Range<Int>, count: Int)

  public var description: String {
    switch self {
    case .isLimited:
      "A long list has all rows of its query: leave out limit and offset, or use a live list for the first rows."
    case .hasNoPlaces(let reason):
      "The query can't be a long list, which finds rows by their ordering values and their key: \(reason). Use a live list."
    case .isGone: "The query has no row with this key: the row was deleted, or doesn't satisfy the condition."
    case .outOfBounds(let range, let count):
      "The list has \(count) rows, and not all positions from \(range.lowerBound) to \(range.upperBound - 1): ask for positions below \(count)."
    }
  }
}
