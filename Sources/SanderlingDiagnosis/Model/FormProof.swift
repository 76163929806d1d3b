import SanderlingTerminal

/// The evidence that a statement and its other form return the same rows.
///
/// ```swift
/// if let proof = finding.formProof, !proof.followsFromRules {
///   print("\(proof.comparisonsWithRows) comparisons with rows")
/// }
/// ```
public struct FormProof: Hashable, Sendable {
  /// How often both ran over the same rows with the same values, and returned the same. Counted on small databases that are made to show a
  /// difference; comparisons on the copy come on top.
  public var comparisons: Int
  /// The comparisons in which the statement returned rows: two empty results prove little. The one row of an aggregate counts where it
  /// holds anything but NULL and 0.
  public var comparisonsWithRows: Int
  /// Whether the rules of SQL make both forms equal for all rows. Then comparisons may contradict, and need not confirm.
  public var followsFromRules: Bool

  public init(comparisons: Int, comparisonsWithRows: Int, followsFromRules: Bool = false) {
    self.comparisons = comparisons
    self.comparisonsWithRows = comparisonsWithRows
    self.followsFromRules = followsFromRules
  }

  /// Fewer comparisons prove nothing.
  static let leastComparisons = 16
  /// Fewer comparisons with rows prove nothing.
  static let leastWithRows = 8

  /// The reason why the comparisons are too few to prove that both forms mean the same, as a sentence; nil if they
  /// suffice.
  var shortage: String? {
    if followsFromRules { return nil }
    if comparisons < Self.leastComparisons {
      return "The two could be compared \(comparisons) times only; \(Self.leastComparisons) are the least."
    }
    if comparisonsWithRows < Self.leastWithRows {
      return "Of \(comparisons) comparisons, \(comparisonsWithRows) had rows; \(Self.leastWithRows) are the least."
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
