/// Looks for one kind of problem of the whole database.
protocol DatabaseDetector: Sendable {
  /// Throws `DiagnosisError` when the copy can't be read or the budget ends.
  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding]
}

/// The detectors that need no statement, though they measure with those that there are.
enum DatabaseDetectors {
  static let all: [any DatabaseDetector] = [
    OverlappingIndexDetector(), HarmfulIndexDetector(), UnusedIndexDetector(), ForeignKeyDetector(),
    StatisticsDetector(), FreeSpaceDetector(), PageSizeDetector(), WriteSettingsDetector(), CacheSizeDetector(),
  ]

  /// The findings of all detectors, and what the budget left out.
  ///
  /// Throws `DiagnosisError` when the diagnosis was cancelled, or when a trial left the copy changed.
  static func findings(
    for statements: [AnalyzedStatement], in context: DetectorContext
  ) throws -> (findings: [Finding], limits: [String]) {
    var findings: [Finding] = []
    var isCutShort = false
    for detector in all {
      if context.deadline.hasPassed {
        isCutShort = true
        break
      }
      do {
        findings += try context.limited { try detector.findings(for: statements, in: context) }
      } catch DiagnosisError.stopped(let reason) where reason != .cancelled {
        isCutShort = true
      } catch DiagnosisError.statement, DiagnosisError.notAllowed, DiagnosisError.unavailable,
        DiagnosisError.diskFull, DiagnosisError.corrupt
      {
        isCutShort = true
      }
    }
    return (findings, isCutShort ? ["Some settings and indexes could not be tried within the budget."] : [])
  }
}
