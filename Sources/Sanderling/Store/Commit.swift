/// A committed transaction, with its number in the order of commits since the store was opened.
///
/// Every commit through the store's writer has a number, including empty commits and commits of plain GRDB calls.
/// Commits of other connections and processes have no number.
public struct Commit: Hashable, Comparable, Sendable {
  /// The number in the order of commits since the store was opened.
  public let number: UInt64

  public static func < (lhs: Commit, rhs: Commit) -> Bool {
    lhs.number < rhs.number
  }
}

/// The value that a write returned, and the commit of the write.
public struct Written<Value: Sendable>: Sendable {
  /// The value that the write returned.
  public let value: Value
  /// The commit of the write.
  public let commit: Commit
}
