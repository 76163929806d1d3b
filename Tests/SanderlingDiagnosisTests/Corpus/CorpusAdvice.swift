import SanderlingDiagnosis

/// A tool's advice for one statement, in a form that can be applied and measured.
struct CorpusAdvice: Sendable {
  /// The kinds of problem that it named; nil for a tool that has no kinds and only proposes changes.
  var kinds: Set<FindingKind>?
  /// DDL and ANALYZE.
  var changes: [String] = []
  var replacement: String?
  /// The tool's own measurement: cost after to cost before. Used only if the replacement has parameters whose values
  /// only the tool knows.
  var reportedRatio: Double?

  /// Whether it creates a full-text table. The app must then write the query that replaces the search.
  var makesSearchTable: Bool { changes.contains { $0.hasPrefix("CREATE VIRTUAL TABLE") } }

  var proposesChange: Bool { !changes.isEmpty || replacement != nil }
}
