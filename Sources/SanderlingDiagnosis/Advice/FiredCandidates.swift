/// Finds candidates for the statements of the triggers that a write fires.
struct FiredCandidates {
  let advisor: IndexAdvisor
  let planner: WhatIfPlanner

  /// The candidates that SQLite would use if the triggers' statements ran by themselves, because no plan of the write
  /// shows their reads.
  ///
  /// Throws `DiagnosisError` if the diagnosis is cancelled. O(statements · plans).
  func candidates(for statement: AnalyzedStatement) throws -> [IndexCandidate] {
    let reader = IndexCandidates(
      schema: advisor.schema, facts: advisor.facts, evidence: advisor.evidence, statement: statement.statement.id)
    var found: [IndexCandidate] = []
    func add(_ candidates: [IndexCandidate]) {
      found = found.merged(
        with: candidates.map { candidate in
          var candidate = candidate
          candidate.purposes.insert(.trigger)
          return candidate
        })
    }
    for fired in statement.fired {
      add(reader.foreignKeyCandidates(for: fired.shape))
      let all = reader.candidates(for: fired.shape).filter { !$0.purposes.contains(.foreignKey) && $0.condition == nil }
      if all.isEmpty { continue }
      do {
        let sets = try planner.usedSets(of: fired.sql, bindings: [:], among: all, maximumPlans: 4)
        add(sets.first ?? [])
      } catch let error as DiagnosisError where error != .stopped(.cancelled) {
        continue
      }
    }
    return found
  }
}

extension [IndexCandidate] {
  /// Adds other candidates, each once. A candidate of both lists has the purposes of both.
  func merged(with others: [IndexCandidate]) -> [IndexCandidate] {
    var merged = self
    for other in others {
      if let place = merged.firstIndex(of: other) {
        merged[place].purposes.formUnion(other.purposes)
      } else {
        merged.append(other)
      }
    }
    return merged
  }
}
