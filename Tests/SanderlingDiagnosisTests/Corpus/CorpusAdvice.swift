import SanderlingDiagnosis

/// A tool's advice for one statement, in a form that can be applied and measured.
struct CorpusAdvice: Sendable {
  /// The kinds of problem that the tool named; nil for a tool that names no kinds and only proposes changes.
  var kinds: Set<FindingKind>?
  /// Changes of the database: DDL and ANALYZE.
  var changes: [String] = []
  var replacement: String?
  /// The cost after the change divided by the cost before, as the tool measured it. Used only if the replacement has
  /// parameters whose values only the tool knows.
  var reportedRatio: Double?

  /// Whether the advice creates a full-text table. The app must then write the query that replaces the search.
  var makesSearchTable: Bool { changes.contains { $0.hasPrefix("CREATE VIRTUAL TABLE") } }

  var proposesChange: Bool { !changes.isEmpty || replacement != nil }
}
