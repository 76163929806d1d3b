/// The proposals of a report as one script: the commands to run on the database, in order, each with its reason.
///
/// The `sqlite3` shell runs the script. Indexes are dropped and created in one transaction; statistics and lasting
/// settings follow. Changes of the app, such as a rewrite of a statement, and unproven fixes are comments.
public struct ApplyScript: Sendable {
  private let report: DiagnosisReport
  /// Indexes that are not created because they save too little. Their statistics are left out too, because SQLite
  /// refuses ANALYZE for a missing index.
  private let negligible: Set<String>
  /// The statements that each index makes faster.
  private let served: [String: [Int]]

  /// Creates the script of a report.
  ///
  /// - Parameter report: The report. The script hides the same values as the report's fixes.
  public init(_ report: DiagnosisReport) {
    self.report = report
    let times = WorkloadTimes(report)
    let indexes = FixGroup.sorted(of: report, times: times).negligible.flatMap(\.sql).filter(\.createsIndex)
    negligible = Set(indexes + indexes.compactMap(\.analyzingIndex))
    served = Dictionary(
      (report.indexAdvice?.create ?? []).map { ($0.sql, times.gaining($0.statements)) }
    ) { first, _ in first }
  }

  /// The script, which ends with a line break. O(length of the report).
  public var text: String {
    var parts = [
      Self.comment(
        "The proposals of the diagnosis of \(report.database.name), in the order of their measurement. Read the script, then run it "
          + "with the sqlite3 shell on a copy, and on the database. To make it part of an app, put it into a migration."
      )
    ]
    let changes = changes
    if !changes.isEmpty {
      let lines = changes.map { Self.comment(reasons(for: $0)) + "\n" + $0 + ";" }
      parts.append("BEGIN;\n\n" + lines.joined(separator: "\n\n") + "\n\nCOMMIT;")
    }
    for sql in statistics { parts.append(Self.comment(reasons(for: sql)) + "\n" + sql + ";") }
    for finding in settings.sorted(by: { !$0.setsJournal && $1.setsJournal }) {
      parts.append(Self.comment(finding.title) + "\n" + finding.sql.map { "\($0);" }.joined(separator: "\n"))
    }
    if changes.isEmpty, statistics.isEmpty, settings.isEmpty {
      parts.append("-- The diagnosis proposes no change of the database.")
    }
    parts += notes
    return parts.joined(separator: "\n\n") + "\n"
  }

  /// Indexes and triggers to drop and to create, each once: those of the plan for all statements, and those of other
  /// findings.
  private var changes: [String] {
    let all = (report.indexAdvice?.migrationSQL ?? []) + report.findings.filter(\.isProven).flatMap(\.sql)
    let indexes = all.filter { $0.changesSchema && !$0.hasPrefix("ANALYZE") && !negligible.contains($0) }
    var seen: Set<String> = []
    let different = indexes.filter { seen.insert($0).inserted }
    return different.filter { !$0.createsIndex } + different.filter(\.createsIndex)
  }

  private var statistics: [String] {
    let all = (report.indexAdvice?.migrationSQL ?? []) + report.findings.filter(\.isProven).flatMap(\.sql)
    let wanted = all.filter { $0.hasPrefix("ANALYZE") && !negligible.contains($0) }
    var seen: Set<String> = []
    return wanted.contains("ANALYZE") ? ["ANALYZE"] : wanted.filter { seen.insert($0).inserted }
  }

  /// The findings whose fixes change settings in the file, for all connections.
  private var settings: [Finding] {
    report.findings.filter { $0.isProven && !$0.sql.isEmpty && $0.sql.allSatisfy(\.isLastingSetting) }
  }

  private func reasons(for sql: String) -> String {
    let findings = report.findings.filter { $0.sql.contains(sql) }.map { $0.name + $0.title }
    let served = (self.served[sql] ?? []).map { "S\($0)" }
    var lines = findings.prefix(3).map(\.self)
    if !served.isEmpty { lines.append("It serves \(served.joined(separator: ", ")).") }
    if lines.isEmpty {
      lines = [
        sql.hasPrefix("ANALYZE") ? "The plans were measured with these statistics." : "Another index replaces it."
      ]
    }
    return lines.joined(separator: "\n")
  }

  /// The changes that the app must make, and the unproven fixes.
  private var notes: [String] {
    report.findings.compactMap { finding in
      let rest = finding.sql.filter { sql in
        !changes.contains(sql) && !statistics.contains(sql) && !negligible.contains(sql)
      }
      guard !rest.isEmpty, !settings.contains(where: { $0.sql == finding.sql }) else { return nil }
      let head: String
      switch finding.outcome {
      case .triedNotBetter: return nil
      case .proven: head = "In the app. "
      case .notMeasured(let reason):
        head = finding.severity == .wrongResult ? "In the app. " : "Not proven, so not run here: \(reason) "
      }
      let summary = finding.fix.map { ["\($0.summary):"] } ?? []
      return Self.comment(
        ([head + finding.name + finding.title] + summary + rest.map { "  \($0);" }
          + (finding.formProof.map { [$0.text] } ?? []) + finding.limits)
          .joined(separator: "\n"))
    }
  }

  /// Returns comment lines for any text.
  private static func comment(_ text: String) -> String {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map { line in "-- " + String(line).visible(limit: 20_000) }.joined(separator: "\n")
  }
}

extension Finding {
  fileprivate var sql: [String] { fix?.sql ?? [] }
  fileprivate var name: String { statement.map { "S\($0): " } ?? "" }
  fileprivate var setsJournal: Bool { sql.contains { $0.hasPrefix("PRAGMA journal_mode") } && sql.count == 1 }
}

extension String {
  /// Whether the statement changes a lasting setting of the file.
  fileprivate var isLastingSetting: Bool {
    self == "VACUUM" || hasPrefix("PRAGMA journal_mode") || hasPrefix("PRAGMA page_size")
  }
}
