import Foundation
import GRDB
import SanderlingDiagnosis
import TestPrograms

/// Problems that a person meets who follows a report. They are fixes that fail as printed, contradictions, wrong rows,
/// the number of lines, and the time of the diagnosis.
struct ReportScore: Sendable, CustomStringConvertible {
  var statements = 0
  var lines = 0
  var printed = 0
  /// Fixes that the shell or GRDB refuses, with their messages.
  var refused: [String] = []
  /// Contradictions within a report.
  var contradictions: [String] = []
  var rewrites = 0
  /// Proven rewrites that return other rows than their statements on disturbed rows.
  var wrong: [String] = []
  /// The longest time of a diagnosis as a share of its time limit.
  var budget = 0.0

  var linesPerStatement: Double { Double(lines) / Double(max(1, statements)) }

  /// Adds the report on a schema's statements. Throws an error if SQLite or the shell can't be run.
  mutating func add(_ report: DiagnosisReport, of schema: CorpusSchema, timeBudget: Duration) async throws {
    statements += schema.statements.count
    lines += TerminalReport(report).text.split(separator: "\n", omittingEmptySubsequences: false).count
    budget = max(budget, report.elapsed / timeBudget)
    contradictions += Self.contradictions(in: report).map { "\(schema.name): \($0)" }
    let copy = try await CorpusFolder.shared.copy(of: schema)
    defer { try? FileManager.default.removeItem(atPath: copy) }
    try addPrinted(report, schema.name, copy)
    try addRewrites(report, of: schema, try DisturbedRows(path: copy))
  }

  mutating func add(_ other: ReportScore) {
    statements += other.statements
    lines += other.lines
    printed += other.printed
    refused += other.refused
    contradictions += other.contradictions
    rewrites += other.rewrites
    wrong += other.wrong
    budget = max(budget, other.budget)
  }

  // MARK: Printed fixes

  /// Runs the script of the report in the shell. Then runs each fix alone, and the migration, by GRDB.
  private mutating func addPrinted(_ report: DiagnosisReport, _ name: String, _ path: String) throws {
    if let shell = ExpertAdvice.shell {
      let copy = path + ".script"
      let script = URL(fileURLWithPath: copy + ".sql")
      defer { for file in [copy, script.path] { try? FileManager.default.removeItem(atPath: file) } }
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try Data(ApplyScript(report).text.utf8).write(to: script)
      let result = try Program.run(
        shell, ["-bail", "-batch", copy], input: FileHandle(forReadingFrom: script), includesErrors: true)
      printed += 1
      if result.status != 0 {
        refused.append(
          "\(name): the shell ends with \(result.status): \(result.output)\nof this script:\n\(ApplyScript(report).text)"
        )
      }
    }
    let queue = try DatabaseQueue(path: path)
    let migration = report.indexAdvice?.migrationSQL ?? []
    for finding in report.findings {
      let fix = (finding.fix?.sql ?? []).filter { !$0.hasPrefix("PRAGMA") && $0 != "VACUUM" }
      printed += fix.count
      do {
        try queue.writeWithoutTransaction { db in
          try db.inTransaction {
            for sql in fix {
              if sql.changesTheSchema { try db.execute(sql: sql) } else { _ = try db.makeStatement(sql: sql) }
            }
            return .rollback
          }
        }
      } catch let error as DatabaseError where error.message?.contains("no such function") != true {
        refused.append("\(name): \(error.message ?? "") in \(error.sql ?? "") of \(finding.title)")
      } catch is DatabaseError {
        // The fix calls a function that only the app has.
        continue
      }
    }
    printed += migration.count
    var migrator = DatabaseMigrator()
    // The migration is registered as the report prints it.
    migrator.registerMigration("apply", foreignKeyChecks: .immediate) { db in
      for sql in migration { try db.execute(sql: sql) }
    }
    do { try migrator.migrate(queue) } catch { refused.append("\(name): the migration fails: \(error)") }
    try queue.close()
  }

  // MARK: Contradictions

  /// The contradictions in a report. They are two answers to a statement, and indexes of a finding that the plan lacks
  /// or that contain a parameter. Further, an index that is a prefix of another, and an index that is both created and
  /// dropped.
  static func contradictions(in report: DiagnosisReport) -> [String] {
    var found: [String] = []
    let planned = Set(report.indexAdvice?.migrationSQL ?? [])
    var answered: [Int: Finding] = [:]
    for finding in report.findings {
      guard case .proven = finding.outcome, let sql = finding.fix?.sql, !sql.isEmpty else { continue }
      // Findings on wide rows, the number of executions and triggers concern another question than how a statement is
      // run.
      if let statement = finding.statement,
        ![.wideRowsForCount, .repeatedStatement, .triggerWithoutColumns].contains(finding.kind),
        let other = answered.updateValue(finding, forKey: statement)
      {
        let fixes = [other, finding].map { "\($0.kind.rawValue): \($0.fix?.sql.first ?? "")" }
        found.append("S\(statement) has two answers, \(fixes.joined(separator: "; "))")
      }
      for change in sql where change.hasPrefix("CREATE INDEX") && finding.statement != nil && !planned.isEmpty {
        if !planned.contains(change) { found.append("the plan lacks \(change)") }
        if change.contains("?") { found.append("a parameter in \(change)") }
      }
    }
    let created = report.indexAdvice?.create ?? []
    let keys = created.map { ($0, $0.sql.drop { $0 != "(" }.dropLast()) }
    for (index, own) in keys where !index.sql.contains(" WHERE ") {
      if let other = keys.first(where: {
        $0.0.table == index.table && $0.0.name != index.name && $0.1.hasPrefix(own + ",")
          && !$0.0.sql.contains(" WHERE ")
      }) {
        found.append("\(index.name) is the beginning of \(other.0.name)")
      }
    }
    let dropped = Set((report.indexAdvice?.drop ?? []).map(\.name))
    found += created.map(\.name).filter(dropped.contains).map { "\($0) is made and dropped" }
    return found
  }

  // MARK: Rewrites on other rows

  private mutating func addRewrites(_ report: DiagnosisReport, of schema: CorpusSchema, _ rows: DisturbedRows) throws {
    for finding in report.findings {
      guard case .proven = finding.outcome, finding.severity != .wrongResult, let number = finding.statement else {
        continue
      }
      let statement = schema.statements[number - 1]
      for sql in finding.fix?.sql ?? [] where !sql.changesTheSchema && statement.operation == nil && statement.isRead {
        guard try rows.parameterCount(of: sql) == rows.parameterCount(of: statement.sql) else { continue }
        rewrites += 1
        // The finding itself says so if no constraint excludes ties, so that any one of the tied rows is shown.
        let isOpen = finding.limits.contains { $0.contains("left to chance") }
        if let difference = try rows.difference(statement, sql, isOpen: isOpen) {
          wrong.append("\(statement.id): \(difference)\n\(sql)")
        }
      }
    }
  }

  var description: String {
    func list(_ name: String, _ lines: [String]) -> [String] {
      lines.isEmpty ? [] : ["  \(name):"] + lines.map { "    \($0)" }
    }
    return
      ([
        "reports: \(printed) fixes printed, \(refused.count) refused; \(contradictions.count) contradictions; "
          + "\(rewrites) proven rewrites on disturbed rows, \(wrong.count) wrong; "
          + String(format: "%.1f lines for a statement; at most %.2f of the time given", linesPerStatement, budget)
      ] + list("refused", refused) + list("contradictions", contradictions) + list("wrong", wrong)).joined(
        separator: "\n")
  }
}

extension String {
  fileprivate var changesTheSchema: Bool {
    ["CREATE", "DROP", "ANALYZE", "PRAGMA", "REINDEX", "VACUUM", "ALTER"].contains { hasPrefix($0) }
  }
}

extension CorpusStatement {
  fileprivate var isRead: Bool { sql.hasPrefix("SELECT") || sql.hasPrefix("WITH") }
}
