/// The part of a workload that a diagnosis examined, if its time does not suffice for all.
public struct WorkloadCoverage: Hashable, Sendable {
  /// Different statements, and those of them that were measured: the ones that take the most time in all.
  public var statements: Int
  /// The number of statements that were measured.
  public var measured: Int
  /// The measured ones that fixes were searched for.
  public var searched: Int
  /// Executions of all of them.
  public var executions: Int
  /// The measured statements' part of the time of all, 0 to 1.
  public var share: Double
  /// The part of those that fixes were searched for, 0 to 1.
  public var searchedShare: Double
  /// Whether the parts are estimated from plans, since the input has no times.
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
