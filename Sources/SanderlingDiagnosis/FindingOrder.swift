/// Sorts findings by their saving over the whole workload. Wrong results come first, remarks on the database last.
struct FindingOrder {
  /// The number of executions of each statement.
  private let counts: [Int: Int]

  init(_ statements: [WorkloadStatement]) {
    counts = Dictionary(statements.map { ($0.id, $0.count) }) { first, _ in first }
  }

  /// Returns the findings in order. O(findings · log findings).
  func sorted(_ findings: [Finding]) -> [Finding] {
    let ranked = findings.enumerated().map { (place: $0, rank: rank($1), finding: $1) }
    return ranked.sorted {
      if $0.rank != $1.rank { return $0.rank > $1.rank }
      return $0.place < $1.place
    }.map(\.finding)
  }

  private func rank(_ finding: Finding) -> Rank {
    guard case .proven(let comparisons) = finding.outcome, !comparisons.isEmpty else {
      return Rank(
        isRemark: finding.isRemark, isWrongResult: finding.severity == .wrongResult, gain: 0, severity: finding.severity
      )
    }
    let count = finding.statement.flatMap { counts[$0] } ?? 1
    let gain = (comparisons.workBefore - comparisons.workAfter) / Double(comparisons.count) * Double(count)
    return Rank(
      isRemark: finding.isRemark, isWrongResult: finding.severity == .wrongResult, gain: gain,
      severity: finding.severity)
  }

  private struct Rank: Comparable {
    let isRemark: Bool
    let isWrongResult: Bool
    let gain: Double
    let severity: Severity

    static func < (one: Rank, other: Rank) -> Bool {
      if one.isRemark != other.isRemark { return one.isRemark }
      if one.isWrongResult != other.isWrongResult { return other.isWrongResult }
      if one.gain != other.gain { return one.gain < other.gain }
      return one.severity < other.severity
    }
  }
}
