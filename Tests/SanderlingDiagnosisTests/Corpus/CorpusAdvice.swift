import SanderlingDiagnosis

/// What a tool says about one statement, in a form that can be applied and measured.
struct CorpusAdvice: Sendable {
  /// The kinds of problem that it named; nil for a tool that has no kinds and only proposes changes.
  var kinds: Set<FindingKind>?
  /// DDL and ANALYZE.
  var changes: [String] = []
  var replacement: String?
  /// What the tool measured: cost after to cost before. Only used where the replacement takes values that nobody else
  /// knows.
  var reportedRatio: Double?

  /// Whether it makes a full-text table: what is searched in its place is for the app to write.
  var makesSearchTable: Bool { changes.contains { $0.hasPrefix("CREATE VIRTUAL TABLE") } }

  var proposesChange: Bool { !changes.isEmpty || replacement != nil }
}
