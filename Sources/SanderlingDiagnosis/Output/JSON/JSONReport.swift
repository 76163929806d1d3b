import Foundation
import SanderlingTerminal

/// A report for scripts. <doc:DiagnosingADatabase> describes the format. `version` changes if scripts that read the
/// report have to change.
public struct JSONReport: Codable, Sendable {
  /// The version of the format that this type reads and writes.
  public static let currentVersion = 1

  /// The version of the format.
  public var version = Self.currentVersion
  /// The diagnosed database.
  public var database: Database
  /// The numbers of findings and statements.
  public var summary: Summary
  /// The findings in order of gain, the greatest first.
  public var findings: [Finding]
  /// The statements of the workload.
  public var statements: [Statement]
  /// The set of indexes for all statements; nil if there was no reason to look for indexes.
  public var indexAdvice: IndexAdvice?
  /// The proven fixes with their effects, the greatest saving first. Nil in older reports.
  public var fixes: [FixGroup]?
  /// The executions and times of all statements together; nil without statements.
  public var workload: Workload?
  /// The parts of the input that were left out.
  public var skipped: [Skipped]
  /// The limits of the figures, in sentences.
  public var notes: [String]
  /// The time that the diagnosis took.
  public var elapsedMilliseconds: Double

  /// Creates the JSON form of a report.
  ///
  /// - Parameter showsValues: Whether statements are shown as they ran, with a set of bound values, instead of their
  ///   fingerprints.
  public init(_ report: DiagnosisReport, showsValues: Bool = false) {
    database = Database(report.database)
    summary = Summary(report)
    findings = report.findings.map(Finding.init)
    let outcomes = report.outcomes
    statements = report.statements.map { Statement($0, outcomes[$0.statement.id], showsValues: showsValues) }
    indexAdvice = report.indexAdvice.map(IndexAdvice.init)
    let times = WorkloadTimes(report)
    fixes = SanderlingDiagnosis.FixGroup.all(of: report, times: times).map(FixGroup.init)
    workload = report.statements.isEmpty ? nil : Workload(report, times)
    skipped = report.skipped.map { Skipped(place: $0.place?.description, reason: $0.reason) }
    notes = report.notes
    elapsedMilliseconds = Figure.milliseconds(report.elapsed)
  }

  /// The report as text with sorted keys. The same report always gives the same text. Characters that control terminals
  /// are escaped.
  public var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      // Outside strings, JSON contains no such characters except line breaks.
      return String(decoding: try encoder.encode(self), as: UTF8.self).escapingControlsOfJSON() + "\n"
    }
  }

  /// The diagnosed database.
  public struct Database: Codable, Sendable {
    /// The file's name without its folder.
    public var name: String
    /// The version of SQLite that planned and measured.
    public var sqliteVersion: String
    /// The size of the file in bytes.
    public var bytes: Int64
    /// The size of a page in bytes.
    public var pageSize: Int
    /// The journal mode in SQLite's words.
    public var journalMode: String
    /// The number of tables.
    public var tables: Int
    /// The number of indexes.
    public var indexes: Int
    /// The number of indexes with statistics from ANALYZE.
    public var analyzedIndexes: Int

    init(_ database: DatabaseSummary) {
      name = database.name
      sqliteVersion = database.sqliteVersion
      bytes = database.bytes
      pageSize = database.pageSize
      journalMode = database.journalMode
      tables = database.tables
      indexes = database.indexes
      analyzedIndexes = database.analyzedIndexes
    }
  }

  /// The numbers of findings and statements.
  public struct Summary: Codable, Sendable {
    /// The number of findings.
    public var findings: Int
    /// The number of findings of each severity, by its name. All severities are included.
    public var severities: [String: Int]
    /// The number of statements.
    public var statements: Int

    init(_ report: DiagnosisReport) {
      findings = report.findings.count
      statements = report.statements.count
      severities = Dictionary(uniqueKeysWithValues: Severity.allCases.map { ($0.rawValue, 0) })
      for finding in report.findings { severities[finding.severity.rawValue, default: 0] += 1 }
    }
  }

  /// A part of the input that was left out.
  public struct Skipped: Codable, Sendable {
    /// The file and the line, `app.log:17`; nil for the input as a whole.
    public var place: String?
    /// The error in the input, and the way to correct it.
    public var reason: String
  }
}
