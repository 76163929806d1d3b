/// The part of a workload that a diagnosis examined, if its time does not suffice for all.
public struct WorkloadCoverage: Hashable, Sendable {
  /// The number of different statements.
  public var statements: Int
  /// The number of measured statements: those with the greatest total time.
  public var measured: Int
  /// The number of measured statements that fixes were searched for.
  public var searched: Int
  /// The executions of all statements.
  public var executions: Int
  /// The measured statements' share of the total time, 0 to 1.
  public var share: Double
  /// The share of the statements that fixes were searched for, 0 to 1.
  public var searchedShare: Double
  /// Whether the shares are estimated from plans, since the input has no times.
  public var isEstimated: Bool

  public init(
    statements: Int, measured: Int, searched: Int, executions: Int, share: Double, searchedShare: Double,
    isEstimated: Bool
  ) {
    self.statements = statements
    self.measured = measured
    self.searched = searched
    self.executions = executions
    self.share = share
    self.searchedShare = searchedShare
    self.isEstimated = isEstimated
  }
}
