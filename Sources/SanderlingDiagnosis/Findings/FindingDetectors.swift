/// Looks for one kind of problem in one statement of the workload.
protocol FindingDetector: Sendable {
  /// Throws `DiagnosisError` when the copy can't be read or the budget ends.
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding]
}

/// The detectors whose fixes change statements. Indexes are found by `IndexAdvisor`.
enum FindingDetectors {
  static let all: [any FindingDetector] = [
    JoinFanOutDetector(), LargeOffsetDetector(), RepeatedStatementDetector(), ConditionRewriteDetector(),
    MembershipDetector(), AlternativesDetector(), OuterJoinDetector(), ExtremesDetector(), ExtremeOfGroupsDetector(),
    FirstOfPartitionDetector(), ExtremePerRowDetector(), CountedChildrenDetector(), JoinOrderDetector(),
    CountDetector(), LateRowsDetector(), WideRowsDetector(), TextSearchDetector(), ValueTypeDetector(),
  ]

  /// The findings of all detectors; one that the budget stopped leaves a limit instead.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled, or when a trial left the copy changed.
  static func findings(
    for analyzed: AnalyzedStatement, in context: DetectorContext
  ) throws -> (findings: [Finding], limits: [String]) {
    // A detector's question may be one that this database can't answer, as about a table of a missing module.
    let (findings, isCutShort, _) = try context.findings(of: all) { try $0.findings(for: analyzed, in: context) }
    return (findings, isCutShort ? ["The budget ended before all fixes of the statement were tried."] : [])
  }
}
