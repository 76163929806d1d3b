/// A detector for one kind of problem of the whole database.
protocol DatabaseDetector: Sendable {
  /// Finds the problems. Throws `DiagnosisError` if the copy can't be read or if the budget ends.
  func findings(for statements: [AnalyzedStatement], in context: DetectorContext) throws -> [Finding]
}

/// The detectors that need no statement. If there are statements, the detectors measure with them.
enum DatabaseDetectors {
  static let all: [any DatabaseDetector] = [
    OverlappingIndexDetector(), HarmfulIndexDetector(), UnusedIndexDetector(), ForeignKeyDetector(),
    StatisticsDetector(), FreeSpaceDetector(), PageSizeDetector(), WriteSettingsDetector(), CacheSizeDetector(),
  ]

  /// The findings of all detectors, and the limits by the budget.
  ///
  /// Throws `DiagnosisError` if the diagnosis was cancelled, or if a trial left the copy changed.
  static func findings(
    for statements: [AnalyzedStatement], in context: DetectorContext
  ) throws -> (findings: [Finding], limits: [String]) {
    let (findings, stopped, hasFailed) = try context.findings(of: all) {
      try $0.findings(for: statements, in: context)
    }
    var limits: [String] = []
    if !stopped.isEmpty { limits.append("Some settings and indexes could not be tried within the budget.") }
    if hasFailed { limits.append("SQLite refused a trial of a setting or an index, which was left out.") }
    return (findings, limits)
  }
}
