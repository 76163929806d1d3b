/// Looks for one kind of problem in one statement of the workload.
protocol FindingDetector: Sendable {
  /// Throws `DiagnosisError` when the copy can't be read or the budget ends.
  func findings(for analyzed: AnalyzedStatement, in context: DetectorContext) throws -> [Finding]
}

/// The detectors whose fixes change statements. Indexes are found by `IndexAdvisor`.
enum FindingDetectors {
  static let all: [any FindingDetector] = [
    JoinFanOutDetector(), LargeOffsetDetector(), RepeatedStatementDetector(), ConditionRewriteDetector(),
    MembershipDetector(), AlternativesDetector(), OuterJoinDetector(), ExtremesDetector(), CountedChildrenDetector(),
    CountDetector(),
    LateRowsDetector(), WideRowsDetector(),
    TextSearchDetector(), ValueTypeDetector(),
  ]

  /// The findings of all detectors; one that the budget stopped leaves a limit instead.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled, or when a trial left the copy changed.
  static func findings(
    for analyzed: AnalyzedStatement, in context: DetectorContext
  ) throws -> (findings: [Finding], limits: [String]) {
    var findings: [Finding] = []
    var isCutShort = false
    for detector in all {
      if context.deadline.hasPassed {
        isCutShort = true
        break
      }
      do {
        findings += try context.limited { try detector.findings(for: analyzed, in: context) }
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        isCutShort = true
      } catch DiagnosisError.statement, DiagnosisError.notAllowed, DiagnosisError.unavailable {
        // A detector's question that this database can't answer, as one about a table of a missing module.
        continue
      }
    }
    return (findings, isCutShort ? ["The budget ended before all fixes of the statement were tried."] : [])
  }
}
