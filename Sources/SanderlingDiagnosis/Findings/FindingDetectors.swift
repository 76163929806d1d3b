/// A detector for one kind of problem in a statement of the workload.
protocol FindingDetector: Sendable {
  /// Finds the problems of a statement. Throws `DiagnosisError` if the copy can't be read or if the budget ends.
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding]
}

/// The detectors whose fixes change statements. `IndexAdvisor` finds the indexes.
enum FindingDetectors {
  static let all: [any FindingDetector] = [
    JoinFanOutDetector(), LimitedGroupsDetector(), LargeOffsetDetector(), RepeatedStatementDetector(),
    ConditionRewriteDetector(),
    MembershipDetector(), WriteConditionDetector(), AlternativesDetector(), SwitchedConditionDetector(),
    OuterJoinDetector(), AntiJoinDetector(), ExtremesDetector(), ExtremeOfGroupsDetector(),
    FirstOfPartitionDetector(), NumberedListDetector(), DifferentValuesDetector(), ExtremePerRowDetector(),
    CountedChildrenDetector(),
    CountedGroupsDetector(), RunningTotalDetector(), GroupedSubqueryDetector(), GroupConditionDetector(),
    RestrictedGroupsDetector(),
    RestrictedUnionDetector(), GroupedBeforeJoinDetector(),
    GroupsOfOneDetector(), EndsOfGroupsDetector(), CopiedOrderDetector(), JoinOrderDetector(), NullOrderDetector(),
    OrderWalkDetector(),
    TriggerColumnsDetector(), CountDetector(), LateRowsDetector(), WideRowsDetector(), TextSearchDetector(),
    ValueTypeDetector(), IndexHintDetector(), MisleadingIndexDetector(),
  ]

  /// The limit of a statement whose detectors the budget stopped.
  static let limit = "The budget ended before all fixes of the statement were tried."

  /// The findings of the detectors, and the detectors that the budget stopped.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled, or if a trial left the copy changed.
  static func findings(
    of detectors: [any FindingDetector] = all, for analyzed: AnalyzedStatement, in context: DetectorContext
  ) throws -> (findings: [Finding], stopped: [any FindingDetector]) {
    // A detector may ask what this database can't answer, for example about a virtual table whose module is missing.
    let (findings, stopped, _) = try context.findings(of: detectors) { try $0.findings(for: analyzed, in: context) }
    return (findings, stopped)
  }
}
