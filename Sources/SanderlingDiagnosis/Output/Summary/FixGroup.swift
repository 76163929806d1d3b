import SanderlingTerminal

/// One fix, with all its effects on the statements of a report.
struct FixGroup: Sendable {
  enum Kind: String, Sendable {
    /// Creates indexes.
    case index
    /// The app sends another statement.
    case rewrite
    /// Other changes of the database: ANALYZE, or dropping an index.
    case database
  }

  let kind: Kind
  /// The effect of the fix, in one line.
  var summary: String
  /// The commands to run, or the statement that replaces the old one.
  var sql: [String]
  /// The statements that it makes faster, the greatest saving first.
  var statements: [Int] = []
  /// The positions of this fix's findings in the report.
  var findings: [Int] = []
  /// Whether the fix only supplements other fixes: it drops an index that another index replaces, or refreshes
  /// statistics.
  var isBeside: Bool { statements.isEmpty && findings.isEmpty }
  /// The positions of earlier fixes whose indexes this fix needs.
  var needs: [Int] = []
  /// The current time of the statements, and the fix's saving, in seconds over all executions.
  var before = 0.0
  var saved = 0.0
  /// The saved page reads, if only pages show the gain.
  var savedPages: Int64 = 0
  /// Whether the fix stays even with a small saving: another fix needs its indexes, it corrects results, or its saving
  /// is unknown.
  var isKept = false

  /// The least saving of a fix in a summary, over all executions, in seconds or in pages.
  static let leastSaving = 0.000_1
  static let leastSavedPages: Int64 = 100

  /// Whether its saving is too small for a line in a summary. A fix that concerns no particular statement has other
  /// reasons and stays.
  var isNegligible: Bool {
    kind != .database && !isBeside && !isKept && saved < Self.leastSaving && savedPages < Self.leastSavedPages
  }

  /// Returns the proven fixes of a report that deserve a line, the greatest saving first. No index and no statement is
  /// in two of them, and their commands can run in this order.
  ///
  /// O(findings · indexes).
  static func all(of report: DiagnosisReport, times: WorkloadTimes) -> [FixGroup] {
    sorted(of: report, times: times).worthALine
  }

  /// Returns the same fixes, and separately the proven fixes that deserve no line. One search finds both.
  static func sorted(
    of report: DiagnosisReport, times: WorkloadTimes
  ) -> (worthALine: [FixGroup], negligible: [FixGroup]) {
    let found = found(in: report, times)
    let negligible = found.filter(\.isNegligible)
    // SQLite refuses ANALYZE for a missing index.
    let figures = Set(negligible.flatMap(\.sql).compactMap(\.analyzingIndex))
    let kept = found.indices.filter { !found[$0].isNegligible && !found[$0].sql.allSatisfy(figures.contains) }
    let groups = kept.map { place in
      var group = found[place]
      group.needs = group.needs.compactMap(kept.firstIndex)
      return group
    }
    return (groups, negligible)
  }

  private static func found(in report: DiagnosisReport, _ times: WorkloadTimes) -> [FixGroup] {
    var groups: [FixGroup] = []
    var taken: Set<Int> = []
    var served = indexesByStatement(report)
    for (place, finding) in report.findings.enumerated() where finding.isProven && !finding.isRemark {
      guard let fix = finding.fix, !fix.sql.isEmpty else { continue }
      guard let statement = finding.statement else {
        groups.append(FixGroup(kind: .database, summary: finding.title, sql: fix.sql, findings: [place]))
        continue
      }
      if fix.sql.allSatisfy(\.changesSchema), fix.sql.contains(where: \.createsIndex) {
        if served[statement] == nil { served[statement] = fix.sql.filter(\.createsIndex) }
        continue
      }
      if let same = groups.firstIndex(where: { $0.sql == fix.sql }) {
        groups[same].add(statement, place, isNew: taken.insert(statement).inserted, times)
      } else {
        let kind: Kind = fix.sql.allSatisfy(\.changesSchema) ? .database : .rewrite
        var group = FixGroup(kind: kind, summary: fix.summary, sql: fix.sql)
        group.isKept = finding.severity == .wrongResult
        group.add(statement, place, isNew: taken.insert(statement).inserted, times)
        groups.append(group)
      }
    }
    // A statement that uses an index but becomes slower does not justify the index.
    let gaining = served.filter { !taken.contains($0.key) && times.entries[$0.key]?.isGain ?? true }
    groups += byIndex(report, gaining, times)
    return FixOrder(groups + others(of: report, beside: groups)).groups
  }

  /// Returns changes that were measured together with the other fixes but belong to none: dropping an index that
  /// another index replaces, or refreshing statistics.
  private static func others(of report: DiagnosisReport, beside groups: [FixGroup]) -> [FixGroup] {
    // An index that makes no statement faster is not listed.
    let idle = Set(report.indexAdvice?.create.filter { !$0.statements.isEmpty }.map(\.sql) ?? [])
    let known = idle.union(groups.flatMap(\.sql) + report.remarks.filter(\.isProven).flatMap { $0.fix?.sql ?? [] })
    let own = report.findings.filter { $0.isProven && !$0.isRemark }.flatMap { $0.fix?.sql ?? [] }
    let all = (report.indexAdvice?.migrationSQL ?? []) + own.filter(\.changesSchema)
    let others = all.reduce(into: [String]()) { if !known.contains($1), !$0.contains($1) { $0.append($1) } }
    return others.map { sql in
      let dropped = report.indexAdvice?.drop.first { $0.sql == sql }?.name
      let summary =
        dropped.map { "Another index replaces \($0)" }
        ?? (sql.createsIndex ? "An index replaces other indexes" : "The plans were measured with these statistics")
      return FixGroup(kind: sql.createsIndex ? .index : .database, summary: summary, sql: [sql])
    }
  }

  /// Adds the effects of another fix with the same commands.
  mutating func merge(_ other: FixGroup) {
    findings += other.findings.filter { !findings.contains($0) }
    statements += other.statements.filter { !statements.contains($0) }
    before += other.before
    saved += other.saved
    savedPages = savedPages.addingClamped(other.savedPages)
    isKept = isKept || other.isKept
  }

  private mutating func add(_ statement: Int, _ place: Int?, isNew: Bool, _ times: WorkloadTimes) {
    if let place { findings.append(place) }
    guard !statements.contains(statement) else { return }
    statements.append(statement)
    guard isNew else { return }
    guard let entry = times.entries[statement] else { return isKept = true }
    before += entry.before
    saved += entry.saved
    savedPages = savedPages.addingClamped(entry.savedPages)
  }

  /// Returns the indexes of the whole set that make each statement faster.
  private static func indexesByStatement(_ report: DiagnosisReport) -> [Int: [String]] {
    guard let advice = report.indexAdvice else { return [:] }
    var result: [Int: [String]] = [:]
    for gain in advice.gains where gain.isGain {
      let sql = advice.create.filter { $0.statements.contains(gain.statement) }.map(\.sql)
      if !sql.isEmpty { result[gain.statement] = sql }
    }
    return result
  }

  /// Returns a group for each index. A statement that needs several indexes belongs to the one with the greatest total
  /// saving.
  private static func byIndex(
    _ report: DiagnosisReport, _ served: [Int: [String]], _ times: WorkloadTimes
  ) -> [FixGroup] {
    var savings: [String: Double] = [:]
    for (statement, indexes) in served {
      for index in indexes { savings[index, default: 0] += times.entries[statement]?.saved ?? 0 }
    }
    let order = savings.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }.map(\.key)
    var groups: [String: FixGroup] = [:]
    var leader: [String: String] = [:]
    let indexed = report.findings.indices.filter { place in
      report.findings[place].isProven && report.findings[place].fix?.sql.contains(where: \.createsIndex) ?? false
    }
    let places = Dictionary(grouping: indexed) { report.findings[$0].statement }
    for (statement, indexes) in served.sorted(by: { saved($0.key, times) > saved($1.key, times) }) {
      guard let first = order.first(where: indexes.contains) else { continue }
      var group =
        groups[first] ?? FixGroup(kind: .index, summary: summary(of: first, report), sql: [])
      group.add(statement, nil, isNew: true, times)
      group.findings += places[statement] ?? []
      groups[first] = group
      for index in indexes where leader[index] == nil { leader[index] = first }
    }
    for first in groups.keys { leader[first] = first }
    for index in order {
      guard let first = leader[index] else { continue }
      groups[first]?.sql += [index] + statistics(of: index, report)
    }
    return order.compactMap { groups[$0] }
  }

  private static func saved(_ statement: Int, _ times: WorkloadTimes) -> (Double, Int) {
    (times.entries[statement]?.saved ?? 0, -statement)
  }

  /// Returns the ANALYZE command of one index, if the measured plans depend on it.
  private static func statistics(of index: String, _ report: DiagnosisReport) -> [String] {
    guard let name = report.indexAdvice?.create.first(where: { $0.sql == index })?.name else { return [] }
    let analysis = "ANALYZE \(name.quotedIdentifier)"
    return report.indexAdvice?.migrationSQL.contains(analysis) ?? false ? [analysis] : []
  }

  private static func summary(of index: String, _ report: DiagnosisReport) -> String {
    let finding = report.findings.first { finding in
      finding.isProven && finding.fix?.sql.filter(\.createsIndex) == [index]
    }
    return finding?.fix?.summary ?? "An index"
  }

  private var needNames: String { needs.map { String($0 + 1) }.joined(separator: " and ") }

  /// Returns the evidence that a rewrite returns the same rows; nil if the statements stay unchanged.
  func proof(in report: DiagnosisReport) -> FormProof? { findings.compactMap { report.findings[$0].formProof }.first }

  /// Returns the size of the fix's indexes in the file; nil if the fix creates none.
  func size(in report: DiagnosisReport) -> String? {
    let pages = (report.indexAdvice?.create ?? []).filter { sql.contains($0.sql) }.reduce(0) { $0 &+ max(0, $1.pages) }
    let bytes = pages.multipliedReportingOverflow(by: Int64(report.database.pageSize))
    return pages > 0 && !bytes.overflow ? Figure.bytes(bytes.partialValue) : nil
  }

  /// Returns a headline such as `This index speeds up 12 statements, saves 3.1 s of 9.8 s`.
  func headline(of total: Double) -> String {
    guard !statements.isEmpty else { return summary }
    let indexes = sql.count(where: \.createsIndex)
    let subject =
      switch kind {
      case .index: indexes > 1 ? "\(Figure.word(indexes)) indexes together speed up" : "This index speeds up"
      case .rewrite:
        needs.isEmpty
          ? "Another form speeds up"
          : "Another form, with the \(needs.count == 1 ? "index" : "indexes") of \(needNames), speeds up"
      case .database: "This speeds up"
      }
    let whom = statements.count == 1 ? "S\(statements[0])" : "\(Figure.count(statements.count, "statement"))"
    guard saved > 0 else { return "\(subject) \(whom)" }
    let verb = indexes > 1 && kind == .index ? "save" : "saves"
    return
      "\(subject) \(whom), \(verb) \(Figure.duration(seconds: saved)) of \(Figure.duration(seconds: total))"
  }
}
