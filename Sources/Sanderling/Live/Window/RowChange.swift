/// One change to the rows of a live list.
public enum RowChange: Hashable, Sendable {
  /// The row at a position is removed.
  case remove(at: Int)
  /// A row is inserted at this position.
  case insert(at: Int)
  /// The row is removed at one position and then inserted at the other.
  case move(from: Int, to: Int)
  /// The row at a position has new content.
  case update(at: Int)
}
