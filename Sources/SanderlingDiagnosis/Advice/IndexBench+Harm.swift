extension IndexBench {
  /// The effect of a set of built indexes on a statement with values of each kind, compared with the copy without built
  /// indexes.
  ///
  /// Throws `DiagnosisError`. O(rows read); O(1) for a set that was tried before.
  func harm(
    to statement: AnalyzedStatement, with set: [IndexCandidate], by check: HarmCheck
  ) throws -> HarmCheck.Verdict {
    guard try check.concerns(statement) else { return .harmless }
    let tables = tables(near: statement)
    let key = Harms(statement: statement.statement.id, set: Set(set.filter { isNear($0, tables) }))
    if let known = harms[key] { return known }
    guard let trials = try arranged(set, near: statement, { try check.trials(of: statement) }) else { return .untried }
    let verdict = try arranged([], near: statement) { try check.verdict(on: trials) } ?? .untried
    if verdict != .untried { harms[key] = verdict }
    return verdict
  }
}
