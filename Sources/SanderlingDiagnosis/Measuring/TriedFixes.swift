/// Counts the tried fixes of each statement, so that a report never calls a statement optimal for which nothing was
/// tried.
///
/// Shared by the runners of one diagnosis. Belongs to the diagnosis's thread.
final class TriedFixes {
  private var counts: [Int: Int] = [:]

  /// Counts a fix that is measured for a statement, by the statement's number.
  func note(_ statement: Int) { counts[statement, default: 0] += 1 }

  /// The number of fixes that were measured for a statement.
  func count(of statement: Int) -> Int { counts[statement, default: 0] }
}
