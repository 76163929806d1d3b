extension IndexBench {
  /// What a set of indexes that were built does to a statement with values of each kind, beside none of those that were built.
  ///
  /// Throws `DiagnosisError`. O(rows read).
  func harm(
    to statement: AnalyzedStatement, with set: [IndexCandidate], by check: HarmCheck
  ) throws -> HarmCheck.Verdict {
    guard try check.concerns(statement) else { return .harmless }
    guard let trials = try arranged(set, near: statement, { try check.trials(of: statement) }) else { return .untried }
    return try arranged([], near: statement) { try check.verdict(on: trials) } ?? .untried
  }
}
