/// The findings that make a run fail, for scripts and continuous integration.
public struct FailurePolicy: Hashable, Sendable {
  /// The least severity that fails; nil if no finding fails.
  public var severity: Severity?

  /// Creates a policy that fails on findings of at least a severity; nil fails on none.
  public init(failingOn severity: Severity?) {
    self.severity = severity
  }

  /// Returns the findings that make the run fail.
  public func failures(in report: DiagnosisReport) -> [Finding] {
    guard let severity else { return [] }
    // A finding that holds without any of the statements does not fail the run.
    return report.findings.filter { ($0.isRemark ? .note : $0.severity) >= severity }
  }

  /// Returns 2 if a finding makes the run fail, otherwise 0. Errors that prevent a diagnosis have the exit code 1.
  public func exitCode(for report: DiagnosisReport) -> Int32 {
    failures(in: report).isEmpty ? 0 : 2
  }
}
