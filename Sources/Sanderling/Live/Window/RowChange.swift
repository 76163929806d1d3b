/// One change to the rows of a live list.
public enum RowChange: Hashable, Sendable {
  case remove(at: Int)
  case insert(at: Int)
  /// The row is taken out at one position and then put in at the other.
  case move(from: Int, to: Int)
  case update(at: Int)
}
