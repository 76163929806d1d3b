import Testing

@testable import SanderlingDiagnosis

/// The fix of a single statement, after indexes were chosen for all statements together.
@Suite struct ReportPlanTests {
  private let names: IndexNames
  private let ofPart = IndexCandidate(
    table: "part", keys: [.init(column: "kind", sql: "\"kind\"")], purposes: [.filter])
  private let ofSale = IndexCandidate(
    table: "sale", keys: [.init(column: "shop", sql: "\"shop\"")], purposes: [.filter])

  init() throws {
    names = try AdviceFixture(
      "CREATE TABLE sale (id INTEGER PRIMARY KEY, shop INTEGER); CREATE TABLE part (sale INTEGER, kind INTEGER);"
    ).advisor.names
  }

  private func measurement(_ steps: Int64) -> StatementMeasurement {
    StatementMeasurement(
      steps: steps, pages: 0, coldPages: 0, warmTime: .zero, coldTime: .zero, rowsReturned: 1)
  }

  private func comparison(_ before: Int64, _ after: Int64) -> Comparison {
    Comparison(bindings: "none", before: measurement(before), after: measurement(after))
  }

  /// A set of one index for all statements, which statement 1 may use.
  private func set(_ index: IndexCandidate, gain: Comparison?, statistics: Bool = false) -> IndexAdvice {
    let (name, sql) = (names.name(of: index), index.creation(named: names.name(of: index)))
    var advice = IndexAdvice(
      create: [IndexChange(name: name, table: index.table, sql: sql, pages: 7, statements: [1])],
      gains: gain.map { [StatementGain(statement: 1, comparison: $0)] } ?? [],
      migrationSQL: [sql] + (statistics ? ["ANALYZE"] : []), verdict: "")
    (advice.candidates, advice.isMeasured) = ([index], true)
    return advice
  }

  private func finding(_ sql: [String], _ kind: FindingKind = .fullScan, after: Int64 = 9_000) -> Finding {
    Finding(
      kind: kind, severity: .warning, statement: 1, title: "", explanation: "", fix: Fix(summary: "", sql: sql),
      outcome: .proven([comparison(90_000, after)]))
  }

  private func planned(_ finding: Finding, _ set: IndexAdvice) throws -> Finding {
    let plan = ReportPlan([finding], ledger: RewriteLedger())
    return try #require(plan.findings([finding], set, isUnmeasured: false, names: names).first)
  }

  /// A statement's own advice is an index of one table, and the set has an index of the other table. The finding then
  /// shows the index of the set.
  @Test func indexOfTheSetReplacesAStatementsOwnIndex() throws {
    let own = finding([ofSale.creation(named: names.name(of: ofSale))])
    let planned = try planned(own, set(ofPart, gain: comparison(90_000, 12_000)))
    #expect(planned.isProven)
    #expect(planned.fix?.sql == [#"CREATE INDEX "part_on_kind" ON "part" ("kind")"#])
    #expect(planned.evidence("size of part_on_kind")?.value == 7)
    guard case .proven(let comparisons) = planned.outcome else { return }
    #expect(comparisons.map(\.after.steps) == [12_000])
  }

  /// A statement needs no index if the statistics in the migration already speed it up. Its fix is then ANALYZE.
  @Test(arguments: [true, false])
  func statisticsReplaceAnIndexIfTheyHelp(areGathered: Bool) throws {
    let own = finding([ofSale.creation(named: names.name(of: ofSale))])
    var set = set(ofPart, gain: comparison(90_000, 2_000), statistics: areGathered)
    set.create[0].statements = []
    let planned = try planned(own, set)
    #expect(planned.isProven == areGathered)
    #expect(planned.fix?.sql == (areGathered ? ["ANALYZE"] : nil))
    guard case .proven(let comparisons) = planned.outcome else { return }
    #expect(comparisons.map(\.after.steps) == [2_000])
  }

  /// If the index of the other table gains little, the finding becomes a note without a fix.
  @Test(arguments: [80_000, 90_000, nil] as [Int64?])
  func findingBecomesANoteIfTheOtherIndexGainsLittle(after: Int64?) throws {
    let own = finding([ofSale.creation(named: names.name(of: ofSale))])
    let planned = try planned(own, set(ofPart, gain: after.map { comparison(90_000, $0) }))
    #expect(!planned.isProven && planned.fix == nil && planned.severity == .note)
  }

  /// With a single statement, the reason for an omitted index can't be that other statements become slower.
  @Test(arguments: [true, false])
  func reasonsForOneStatement(isAlone: Bool) throws {
    let own = finding([ofSale.creation(named: names.name(of: ofSale))])
    let plan = ReportPlan([own], ledger: RewriteLedger(), isOfOneStatement: isAlone)
    let planned = plan.findings([own], set(ofPart, gain: nil), isUnmeasured: false, names: names)
    guard case .notMeasured(let reason)? = planned.first?.outcome else {
      Issue.record("\(planned)")
      return
    }
    #expect(reason.contains("others") == !isAlone)
  }

  /// An index of the statement's own table counts even if it gains little.
  @Test func indexOfItsOwnTableCountsIfItGainsLittle() throws {
    let own = finding([#"CREATE INDEX "sale_on_shop_id" ON "sale" ("shop", "id")"#])
    let planned = try planned(own, set(ofSale, gain: comparison(90_000, 80_000), statistics: true))
    #expect(planned.isProven)
    #expect(planned.fix?.sql == [#"CREATE INDEX "sale_on_shop" ON "sale" ("shop")"#, "ANALYZE"])
  }

  /// If ANALYZE speeds a statement up, no index is dropped for it, unless ANALYZE makes another statement slower.
  @Test(arguments: [false, true])
  func noIndexIsDroppedIfStatisticsHelp(isRefused: Bool) throws {
    var findings = [
      finding(["ANALYZE"], .missingStatistics), finding([#"DROP INDEX "sale_of_shop""#], .harmfulIndex),
    ]
    if isRefused {
      findings.append(
        Finding(
          kind: .missingStatistics, severity: .note, title: "", explanation: "", outcome: .triedNotBetter([])))
    }
    let planned = ReportPlan(findings, ledger: RewriteLedger())
      .findings(findings, nil, isUnmeasured: false, names: names)
    #expect(planned[0].isProven)
    #expect(planned[1].isProven == isRefused)
    // ANALYZE in the migration was measured together with the indexes.
    let together = ReportPlan(findings, ledger: RewriteLedger()).findings(
      findings, set(ofPart, gain: nil, statistics: true), isUnmeasured: false, names: names)
    #expect(!together[1].isProven)
  }

  /// Either a dropped index or a created index would help a statement. The fix is the created index if it gains more
  /// within the set, and the dropped index otherwise.
  @Test(arguments: [12_000, 80_000] as [Int64])
  func createdIndexReplacesADroppedIndexIfItGainsMore(after: Int64) throws {
    let findings = [
      finding([#"DROP INDEX "sale_of_kind""#], .harmfulIndex),
      finding([ofSale.creation(named: names.name(of: ofSale))], .indexNotCovering, after: 40_000),
    ]
    var set = set(ofSale, gain: comparison(90_000, after))
    set.drop = [
      IndexChange(name: "sale_of_kind", table: "sale", sql: #"DROP INDEX "sale_of_kind""#, pages: 3, statements: [])
    ]
    let planned = ReportPlan(findings, ledger: RewriteLedger())
      .findings(findings, set, isUnmeasured: false, names: names)
    #expect(planned.map(\.isProven) == (after == 12_000 ? [false, true] : [true, false]))
  }
}
