/// A committed transaction, by its number in the order of commits since the store was opened.
///
/// Numbers count every commit through the store's writer, those of plain GRDB calls included, and empty ones too. Commits
/// of other connections and processes have none.
public struct Commit: Hashable, Comparable, Sendable {
  /// The number in the order of commits since the store was opened.
  public let number: UInt64

  public static func < (lhs: Commit, rhs: Commit) -> Bool {
    lhs.number < rhs.number
  }
}

/// The value that a write returned, and its commit.
public struct Written<Value: Sendable>: Sendable {
  /// The value that the write returned.
  public let value: Value
  /// The commit of the write.
  public let commit: Commit
}
