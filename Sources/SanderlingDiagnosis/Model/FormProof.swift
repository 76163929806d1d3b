import SanderlingTerminal

/// The evidence that a statement and its rewrite return the same rows.
///
/// ```swift
/// if let proof = finding.formProof, !proof.followsFromRules {
///   print("\(proof.comparisonsWithRows) comparisons with rows")
/// }
/// ```
public struct FormProof: Hashable, Sendable {
  /// The number of comparisons in which both ran over the same rows with the same values and returned the same rows.
  /// They use small databases that are made to show a difference. Comparisons on the copy are not included.
  public var comparisons: Int
  /// The number of comparisons in which the statement returned rows, because two empty results prove little. The single
  /// row of an aggregate counts if it has a value other than NULL and 0.
  public var comparisonsWithRows: Int
  /// Whether the rules of SQL make both equal for all rows. Then comparisons could only refute that, and need not
  /// confirm it.
  public var followsFromRules: Bool

  public init(comparisons: Int, comparisonsWithRows: Int, followsFromRules: Bool = false) {
    self.comparisons = comparisons
    self.comparisonsWithRows = comparisonsWithRows
    self.followsFromRules = followsFromRules
  }

  /// The number of comparisons below which nothing is proven.
  static let leastComparisons = 16
  /// The number of comparisons with rows below which nothing is proven.
  static let leastWithRows = 8

  /// The reason why the comparisons are too few to prove that both forms mean the same, as a sentence; nil if they
  /// suffice.
  var shortage: String? {
    if followsFromRules { return nil }
    if comparisons < Self.leastComparisons {
      return
        "Both forms could be compared only \(Figure.count(comparisons, "time")); a proof needs \(Self.leastComparisons) comparisons."
    }
    if comparisonsWithRows < Self.leastWithRows {
      return
        "Of \(comparisons) comparisons, \(comparisonsWithRows) had rows; a proof needs \(Self.leastWithRows) with rows."
    }
    return nil
  }

  /// The proof as a sentence, for all output formats.
  var text: String {
    let rule = followsFromRules ? "Both forms are equal by the rules of SQL. " : ""
    if comparisons == 0 { return rule + "No comparison was possible." }
    return rule + "Compared with the other form \(Figure.count(comparisons, "time")), "
      + "\(Figure.count(comparisonsWithRows, "time")) with rows: the same each time."
  }
}
