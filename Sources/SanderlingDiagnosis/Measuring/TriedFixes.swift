/// Counts the fixes that are tried for each statement, so that a report never calls a statement as good as it can be where
/// nothing was tried.
///
/// The runners of one diagnosis share it. Belongs to the thread of the diagnosis.
final class TriedFixes {
  private var counts: [Int: Int] = [:]

  /// Notes that a fix is measured for a statement, by the statement's number.
  func note(_ statement: Int) { counts[statement, default: 0] += 1 }

  /// How many fixes were measured for a statement.
  func count(of statement: Int) -> Int { counts[statement, default: 0] }
}
