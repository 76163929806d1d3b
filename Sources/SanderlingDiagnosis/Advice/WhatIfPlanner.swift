/// Asks SQLite, on a database without rows but with the same schema and statistics, which indexes it would use if they
/// existed.
final class WhatIfPlanner {
  private let connection: SQLiteConnection
  private let names: IndexNames
  /// The candidates that exist now, in addition to the schema's own indexes.
  private var created: Set<IndexCandidate> = []
  /// The statistics of candidates that were built elsewhere.
  private var figures: [IndexCandidate: [BoundValue]] = [:]

  init(connection: SQLiteConnection, names: IndexNames) {
    self.connection = connection
    self.names = names
  }

  /// Takes over statistics of candidates. Without them, the planner doesn't foresee a skip-scan, or that an index finds
  /// many rows.
  func learn(_ known: [IndexCandidate: [BoundValue]]) {
    for (candidate, row) in known where figures[candidate] == nil {
      drop([candidate])
      figures[candidate] = row
    }
  }

  /// The lines of the plan. Values are bound, because patterns and partial indexes depend on them.
  ///
  /// Throws `DiagnosisError`.
  func details(of sql: String, bindings: [Int: BoundValue]) throws -> [String] {
    try PlanReader(connection: connection).lines(of: sql, bindings: bindings).map(\.detail)
  }

  /// The names of the indexes that the plan uses, in its order.
  func indexes(of sql: String, bindings: [Int: BoundValue]) throws -> [String] {
    Self.indexes(in: try details(of: sql, bindings: bindings))
  }

  /// The names of the indexes that lines of a plan use.
  static func indexes(in details: [String]) -> [String] {
    details.compactMap { PlanStep(detail: $0).index ?? membershipIndex($0) }
  }

  /// The index in `USING INDEX i FOR IN-OPERATOR`, which replaces a subquery's list.
  private static func membershipIndex(_ detail: String) -> String? {
    let ending = " FOR IN-OPERATOR"
    guard detail.hasPrefix("USING INDEX "), detail.hasSuffix(ending) else { return nil }
    return String(detail.dropFirst(12).dropLast(ending.count))
  }

  /// The sets of candidates that SQLite would use: with all candidates, with only the candidates of each seed, and
  /// without each candidate that it chose. SQLite's own choice comes first. Then come the sets with the fewest scans of
  /// tables or indexes.
  ///
  /// Candidates that SQLite refuses are left out. Throws `DiagnosisError`. At most `maximumPlans` plans.
  func usedSets(
    of sql: String, bindings: [Int: BoundValue], among candidates: [IndexCandidate],
    seeds: [Set<IndexCandidate>] = [], maximumPlans: Int = 64
  ) throws -> [[IndexCandidate]] {
    try usedPlans(of: sql, bindings: bindings, among: candidates, seeds: seeds, maximumPlans: maximumPlans).map(\.set)
  }

  /// The sets of candidates that SQLite would use, like `usedSets`, with their plans. Throws `DiagnosisError`.
  func usedPlans(
    of sql: String, bindings: [Int: BoundValue], among candidates: [IndexCandidate],
    seeds: [Set<IndexCandidate>] = [], maximumPlans: Int = 64
  ) throws -> [(set: [IndexCandidate], lines: [PlanLine])] {
    var byName: [String: IndexCandidate] = [:]
    for candidate in candidates { byName[names.name(of: candidate).asciiLowercased] = candidate }
    let usable = try create(candidates)
    defer { drop(created) }
    var queue: [Set<IndexCandidate>] = []
    var asked: Set<Set<IndexCandidate>> = []
    for seed in [usable] + seeds.map(usable.intersection) where asked.insert(seed).inserted { queue.append(seed) }
    var found: [(set: [IndexCandidate], lines: [PlanLine], scans: Int)] = []
    var known: Set<Set<IndexCandidate>> = []
    var place = 0
    while place < queue.count, place < maximumPlans {
      let available = queue[place]
      place += 1
      try arrange(available)
      var used: [IndexCandidate] = []
      let lines = try PlanReader(connection: connection).lines(of: sql, bindings: bindings)
      let details = lines.map(\.detail)
      for name in Self.indexes(in: details) {
        if let candidate = byName[name.asciiLowercased], !used.contains(candidate) { used.append(candidate) }
      }
      if used.isEmpty { continue }
      if known.insert(Set(used)).inserted {
        found.append((used, lines, details.count { if case .scan = PlanStep(detail: $0) { true } else { false } }))
      }
      for candidate in used where asked.insert(available.subtracting([candidate])).inserted {
        queue.append(available.subtracting([candidate]))
      }
    }
    let others = found.dropFirst().enumerated().sorted { ($0.element.scans, $0.offset) < ($1.element.scans, $1.offset) }
    return (found.prefix(1) + others.map(\.element)).map { ($0.set, $0.lines) }
  }

  /// The candidates that SQLite would use if only these candidates existed.
  ///
  /// The candidates stay for the next call, which often has nearly the same ones. Throws `DiagnosisError`.
  func used(
    of sql: String, bindings: [Int: BoundValue], among candidates: Set<IndexCandidate>
  ) throws -> Set<IndexCandidate> {
    try arrange(candidates)
    let used = Set(try indexes(of: sql, bindings: bindings).map(\.asciiLowercased))
    return candidates.filter { used.contains(names.name(of: $0).asciiLowercased) }
  }

  /// Removes all candidates.
  func clear() { drop(created) }

  /// The lines of the plan with these candidates in addition, and without the indexes of some names.
  func details(
    of sql: String, bindings: [Int: BoundValue], with candidates: [IndexCandidate], dropping dropped: [String] = []
  ) throws -> [String] {
    try connection.undoing {
      for candidate in candidates { try connection.run(candidate.creation(named: names.name(of: candidate))) }
      for name in dropped { try connection.run("DROP INDEX \(name.quotedIdentifier)") }
      return try details(of: sql, bindings: bindings)
    }
  }

  private func create(_ candidates: [IndexCandidate]) throws -> Set<IndexCandidate> {
    var hasNewFigures = false
    for candidate in candidates where !created.contains(candidate) {
      do {
        try connection.run(candidate.creation(named: names.name(of: candidate)), authority: .trial)
        created.insert(candidate)
        if let row = figures[candidate] {
          try connection.run("INSERT INTO sqlite_stat1 VALUES (?, ?, ?)", row)
          hasNewFigures = true
        }
      } catch DiagnosisError.statement, DiagnosisError.notAllowed {
        // SQLite can't index the expression, or the table couldn't be copied.
        continue
      }
    }
    if hasNewFigures { try connection.run("ANALYZE sqlite_master") }
    return created
  }

  private func arrange(_ wanted: Set<IndexCandidate>) throws {
    drop(created.subtracting(wanted))
    _ = try create(wanted.subtracting(created).sorted { $0.definition < $1.definition })
  }

  private func drop(_ candidates: Set<IndexCandidate>) {
    for candidate in candidates {
      let name = names.name(of: candidate).quotedIdentifier
      if (try? connection.run("DROP INDEX \(name)", authority: .trial)) != nil { created.remove(candidate) }
    }
  }
}

extension PlanStep {
  /// The stored index that the step reads.
  var index: String? {
    switch self {
    case .scan(_, let index, _), .search(_, let index, _, _): index
    default: nil
    }
  }
}
