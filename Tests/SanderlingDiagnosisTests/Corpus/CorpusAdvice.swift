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

  var proposesChange: Bool { !changes.isEmpty || replacement != nil }
}
