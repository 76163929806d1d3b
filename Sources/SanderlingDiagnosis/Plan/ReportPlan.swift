import Foundation

/// One plan for a whole report: one fix for each statement, and indexes that are measured together.
///
/// Single findings may contradict each other. For example, one finding has an index for a statement, and another
/// finding rewrites the statement. Or one finding needs an index that another drops, or statistics help only by an
/// index that is dropped.
struct ReportPlan {
  private let ledger: RewriteLedger
  /// Whether there is only one statement, so that its indexes cost no other statement anything.
  private let isOfOneStatement: Bool
  /// The statements that would need an index on an expression.
  private let expressions: Set<Int>
  /// The places of the findings that the plan follows, by statement.
  private var chosen: [Int: Int] = [:]
  /// The places of findings that better findings make pointless, with the places of the better findings.
  private var outdone: [Int: Int] = [:]

  /// The reason why a statement's own indexes are not proposed.
  static let leftOut =
    "Left out of the indexes for all statements: it costs others more than it saves, or others serve as well."
  /// The same reason for the only statement.
  static let leftOutAlone = "Measured together with the other changes of this report, it makes the statement no faster."

  /// An index is preferred to a rewrite that gains a little more, because an index changes no code.
  private static let preferenceOfIndexes = 1.2
  /// A rewrite without an index is preferred to an index on an expression that gains a little more, because no other
  /// statement reads such an index.
  private static let preferenceToExpressions = 1.5
  /// A fix is preferred to dropping an index that gains a little more.
  private static let preferenceToDrops = 1.5
  /// A fix is preferred to a full-text table that gains more.
  private static let preferenceToSearchTables = 4.0

  /// - Parameter advice: The advice for single statements.
  init(
    _ findings: [Finding], ledger: RewriteLedger, advice: [StatementAdvice] = [], isOfOneStatement: Bool = false
  ) {
    (self.ledger, self.isOfOneStatement) = (ledger, isOfOneStatement)
    expressions = Set(advice.filter { $0.candidates.contains(where: \.hasExpression) }.map(\.statement))
    let rivals = findings.indices.filter { findings[$0].statement != nil && Self.isRival(findings[$0], ledger) }
    for (statement, places) in Dictionary(grouping: rivals, by: { findings[$0].statement ?? 0 }) {
      guard let best = places.min(by: { rank(findings[$0]) < rank(findings[$1]) }) else { continue }
      chosen[statement] = best
      for place in places where place != best { outdone[place] = best }
    }
  }

  private static func isRival(_ finding: Finding, _ ledger: RewriteLedger) -> Bool {
    if ledger.entry(of: finding) != nil { return finding.isProven || finding.severity == .wrongResult }
    return finding.isProven && (finding.createsOnly || finding.dropsOnly || finding.makesSearchTable)
  }

  private func rank(_ finding: Finding) -> Double {
    // Right results come before fast ones.
    if finding.severity == .wrongResult { return -1 }
    guard case .proven(let comparisons) = finding.outcome else { return .infinity }
    // An index takes less space and less time of writes than a full-text table, and needs no other code.
    if finding.makesSearchTable { return Self.preferenceToSearchTables * comparisons.workAfter + 2000 }
    // Code outside the workload may need an index that is dropped.
    if finding.dropsOnly { return Self.preferenceToDrops * comparisons.workAfter + 1000 }
    if let entry = ledger.entry(of: finding), entry.advice == nil, finding.statement.map(expressions.contains) == true {
      return comparisons.workAfter / Self.preferenceToExpressions - 1000
    }
    return ledger.entry(of: finding) == nil
      ? comparisons.workAfter : Self.preferenceOfIndexes * comparisons.workAfter + 500
  }

  /// The statements in the forms of the plan, with the advice for each.
  func statements(
    _ analyzed: [AnalyzedStatement], _ advice: [StatementAdvice], _ findings: [Finding]
  ) -> (statements: [AnalyzedStatement], advice: [StatementAdvice]) {
    var (statements, advice) = (analyzed, advice)
    for (id, place) in chosen {
      // A search of the full-text table, which doesn't exist yet, needs no index.
      if findings[place].makesSearchTable { advice.removeAll { $0.statement == id } }
      guard let entry = ledger.entry(of: findings[place]) else { continue }
      let own = entry.advice ?? StatementAdvice(statement: id, planBefore: entry.statement.plan)
      for index in statements.indices where statements[index].statement.id == id { statements[index] = entry.statement }
      advice.removeAll { $0.statement == id }
      advice.append(own)
    }
    return (statements, advice)
  }

  /// The present forms of the statements that the plan rewrites, with numbers of their own.
  func formerForms(of analyzed: [AnalyzedStatement], _ findings: [Finding]) -> [AnalyzedStatement] {
    analyzed.filter { statement in
      chosen[statement.statement.id].map { ledger.entry(of: findings[$0]) != nil } ?? false
    }.map { statement in
      var former = statement
      former.statement.id = -statement.statement.id
      return former
    }
  }

  // MARK: After the indexes were chosen

  /// The findings after the plan's decisions.
  ///
  /// `indexes` is nil if no indexes were chosen together. Then each finding keeps its own indexes. If the time for that
  /// choice ended (`isUnmeasured`), no index is dropped.
  func findings(
    _ findings: [Finding], _ indexes: IndexAdvice?, isUnmeasured: Bool, names: IndexNames
  ) -> [Finding] {
    if let plan = preferring(indexes, findings) {
      return plan.findings(findings, indexes, isUnmeasured: isUnmeasured, names: names)
    }
    var result = findings
    for (place, best) in outdone.sorted(by: { rank(findings[$0.key]) < rank(findings[$1.key]) }) {
      let alternative = findings[place].asAlternative(to: findings[best])
      if result[best].alternative == nil { result[best].alternative = alternative }
      result[place].withdraw(
        findings[best].severity == .wrongResult && findings[place].severity != .wrongResult
          ? "The statement returns wrong results: its cost matters once they are right."
          : "Another fix of the statement gains as much or more, and one is enough"
            + (alternative.map { "; or, \($0)." } ?? "."))
    }
    // If ANALYZE helps a statement, no index is dropped for the statement.
    if indexes?.migrationSQL.contains("ANALYZE") == true || !findings.refuseStatistics {
      let analyzed = Set(result.filter { $0.isProven && $0.analyzesAll }.compactMap(\.statement))
      for place in result.indices where result[place].isProven && result[place].dropsOnly {
        guard let statement = result[place].statement, analyzed.contains(statement) else { continue }
        result[place].withdraw("With ANALYZE the index misleads the statement no more.")
      }
    }
    // A statement gets one fix, even if statistics would help it, too.
    for (statement, best) in chosen {
      for place in result.indices
      where place != best && result[place].statement == statement && result[place].isProven
        && result[place].analyzesAll && rank(findings[best]) <= rank(findings[place])
      {
        result[place].withdraw("Another fix of the statement gains as much or more, and one is enough.")
      }
    }
    guard let indexes, indexes.isMeasured else {
      if isUnmeasured {
        for place in result.indices where result[place].isProven && result[place].dropsOnly {
          result[place].withdraw(
            "The time ended before it was measured together with the other changes of this report.")
        }
      }
      return result
    }
    for (statement, place) in chosen { follow(indexes, statement, &result[place], names) }
    for place in result.indices where result[place].kind == .slowForeignKey && result[place].statement == nil {
      let begins = indexes.candidates.first { candidate in
        result[place].fix?.sql.first.map { candidate.begins(with: $0) } ?? false
      }
      if let begins {
        result[place].withdraw("\(names.name(of: begins)), which is to be made, begins with these columns.")
      }
    }
    let kept = "With the other changes of this report a statement is faster with the index: it stays."
    for place in result.indices where result[place].isProven && result[place].dropsOnly {
      let dropped = Set(indexes.drop.map(\.sql))
      if !(result[place].fix?.sql ?? []).allSatisfy(dropped.contains) { result[place].withdraw(kept) }
    }
    return result
  }

  /// The plan in which new indexes replace a drop as the fix of statements; nil if there is no such statement.
  ///
  /// With the new indexes, SQLite may read neither the index to drop nor the index that it would read without it.
  private func preferring(_ indexes: IndexAdvice?, _ findings: [Finding]) -> Self? {
    guard let indexes, indexes.isMeasured else { return nil }
    var plan = self
    for (statement, place) in chosen
    where findings[place].dropsOnly && !indexes.read(by: statement).isEmpty
      && indexes.shareOfCost(of: statement) < IndexAdvice.shareOfAnotherFix
    {
      let others = outdone.filter { $0.value == place && findings[$0.key].createsOnly }.map(\.key)
      guard let best = others.min(by: { rank(findings[$0]) < rank(findings[$1]) }) else { continue }
      plan.chosen[statement] = best
      plan.outdone[best] = nil
      for other in outdone.filter({ $0.value == place }).keys where other != best { plan.outdone[other] = best }
      plan.outdone[place] = best
    }
    return plan.chosen == chosen ? nil : plan
  }

  /// Replaces a statement's own indexes by the plan's indexes that serve the statement.
  private func follow(_ indexes: IndexAdvice, _ statement: Int, _ finding: inout Finding, _ names: IndexNames) {
    guard let fix = finding.fix, fix.sql.contains(where: \.createsIndex) else { return }
    let near = fix.sql.filter(\.createsIndex)
    let read = indexes.read(by: statement)
    // An index that SQLite reads only because it is short is no fix of the statement.
    var own = read.filter { change in
      near.contains { $0.contains(" ON \(change.table.quotedIdentifier) (") }
    }
    let share = indexes.shareOfCost(of: statement)
    // Indexes of another table may have the effect of the statement's own indexes.
    if own.isEmpty, fix.sql.allSatisfy(\.changesSchema), share < IndexAdvice.shareOfAnotherFix {
      own = read
      // With statistics, SQLite may read an existing index.
      if read.isEmpty, indexes.migrationSQL.contains("ANALYZE"), let gain = indexes.gain(of: statement) {
        finding.followStatistics(gain)
        return
      }
    }
    guard !own.isEmpty, share < 1, let gain = indexes.gain(of: statement) else {
      finding.withdraw(isOfOneStatement ? Self.leftOutAlone : Self.leftOut)
      return
    }
    finding.follow(own, of: indexes, gain, names)
    if indexes.slowedForms.contains(statement), ledger.entry(of: finding) != nil {
      finding.limits.append("With the indexes the statement takes longer as it is now: change it when they are made.")
    }
  }
}

extension Finding {
  /// Withdraws the fix, with the reason. The finding of the problem stays.
  mutating func withdraw(_ reason: String) {
    (fix, outcome, formProof) = (nil, .notMeasured(reason: reason), nil)
    if severity != .wrongResult { severity = .note }
  }

  /// The alternative if the code or the schema should stay unchanged; nil if it gains much less.
  fileprivate func asAlternative(to best: Finding) -> String? {
    guard severity != .wrongResult, best.severity != .wrongResult, createsOnly != best.createsOnly,
      case .proven(let own) = outcome, case .proven(let others) = best.outcome,
      own.workAfter < 2 * others.workAfter + GainRule.leastCost, let sql = fix?.sql
    else { return nil }
    let text = sql.joined(separator: "; ")
    if createsOnly { return "with the statement as it is, \(text)" }
    return sql.contains(where: \.createsIndex) || dropsOnly || analyzesAll || makesSearchTable
      ? nil : "without an index, \(text)"
  }

  /// Whether the fix only creates indexes, and leaves the statement unchanged.
  fileprivate var createsOnly: Bool {
    guard let sql = fix?.sql, !sql.isEmpty else { return false }
    return sql.contains(where: \.createsIndex) && sql.allSatisfy(\.changesSchema)
  }

  fileprivate var dropsOnly: Bool { fix?.sql.isEmpty == false && dropsIndexes.count == fix?.sql.count }

  /// Whether the fix creates a full-text table.
  fileprivate var makesSearchTable: Bool { fix?.sql.first?.hasPrefix("CREATE VIRTUAL TABLE") == true }

  /// The statements of the fix that drop indexes.
  var dropsIndexes: [String] { fix?.sql.filter { $0.hasPrefix("DROP INDEX ") } ?? [] }

  /// Whether the fix is ANALYZE of the whole database.
  var analyzesAll: Bool { fix?.sql.first == "ANALYZE" }
}

extension IndexCandidate {
  /// Whether the keys of a plain index are the beginning of this index.
  fileprivate func begins(with creation: String) -> Bool {
    guard condition == nil, let start = creation.range(of: " ON ") else { return false }
    let keys = creation[start.upperBound...].dropLast()
    return definition.hasPrefix(keys) && [",", ")"].contains(definition.dropFirst(keys.count).first)
  }
}

extension String {
  /// Whether the SQL, which this module wrote, creates an index.
  var createsIndex: Bool { hasPrefix("CREATE INDEX ") }
  /// ANALYZE of the index that the statement makes; nil for other statements.
  var analyzingIndex: String? {
    guard createsIndex, let end = firstRange(of: " ON ") else { return nil }
    return "ANALYZE " + self[..<end.lowerBound].dropFirst("CREATE INDEX ".count)
  }
  var changesSchema: Bool { createsIndex || hasPrefix("DROP INDEX ") || hasPrefix("ANALYZE") || changesTrigger }
  var changesTrigger: Bool { hasPrefix("DROP TRIGGER ") || hasPrefix("CREATE TRIGGER ") }
}
