/// One change to the rows of a live list.
public enum RowChange: Hashable, Sendable {
  /// The row at a position is removed.
  case remove(at: Int)
  /// A row is inserted, and has this position then.
  case insert(at: Int)
  /// The row is taken out at one position and then put in at the other.
  case move(from: Int, to: Int)
  /// The row at a position has another content.
  case update(at: Int)
}
