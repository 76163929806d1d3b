extension IndexAdvice {
  /// The remaining share of a statement's cost with indexes of other statements, up to which they count as a fix.
  static let shareOfAnotherFix = 0.7

  /// The new indexes that a statement reads.
  func read(by statement: Int) -> [IndexChange] { create.filter { $0.statements.contains(statement) } }

  /// The effect of the set on a statement; nil if the set changes nothing.
  func gain(of statement: Int) -> Comparison? { gains.first { $0.statement == statement }?.comparison }

  /// The remaining share of a statement's cost.
  func shareOfCost(of statement: Int) -> Double {
    gain(of: statement).map { ExecutionCost.of([$0.after], beside: [$0.before]) / max(1, $0.before.work) } ?? 1
  }
}

extension Finding {
  /// Replaces the indexes, or ANALYZE, of the fix by indexes of a plan.
  mutating func follow(_ own: [IndexChange], of plan: IndexAdvice, _ gain: Comparison, _ names: IndexNames) {
    let rest = (fix?.sql ?? []).filter { !$0.changesSchema && !$0.hasPrefix("PRAGMA") }
    let ownNames = Set(own.map(\.name))
    let figures = plan.migrationSQL.filter { sql in
      sql == "ANALYZE" || ownNames.contains { sql == "ANALYZE \($0.quotedIdentifier)" }
    }
    let texts = plan.candidates.filter { ownNames.contains(names.name(of: $0)) }
      .map { IndexFixText(index: $0, name: names.name(of: $0)) }
    let sql = own.map(\.sql) + figures + rest
    guard sql != fix?.sql else { return }
    if rest.isEmpty {
      fix = Fix(indexes: texts, sql: sql)
      (outcome, formProof) = (.proven([gain]), nil)
      evidence.removeAll { $0.name.hasPrefix("size of ") }
      evidence += own.map { Evidence(name: "size of \($0.name)", value: Double($0.pages), unit: "pages") }
    }
    fix?.sql = sql
  }

  /// Replaces the fix's indexes by the ANALYZE of a plan.
  mutating func followStatistics(_ gain: Comparison) {
    fix = Fix(summary: "Run ANALYZE: it makes the statement faster without an index", sql: ["ANALYZE"])
    (outcome, formProof) = (.proven([gain]), nil)
    evidence.removeAll { $0.name.hasPrefix("size of ") }
    limits.append("It was measured together with the other changes of this report.")
  }
}

extension [Finding] {
  /// Adds the limits of statements with indexes, by their numbers, to the findings that propose these indexes.
  /// O(findings).
  mutating func note(_ limits: [Int: String]) {
    for place in indices where self[place].isProven && self[place].fix?.sql.contains(where: \.createsIndex) ?? false {
      guard let limit = self[place].statement.flatMap({ limits[$0] }), !self[place].limits.contains(limit) else {
        continue
      }
      self[place].limits.append(limit)
    }
  }
}
