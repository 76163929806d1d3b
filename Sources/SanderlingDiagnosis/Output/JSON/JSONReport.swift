import Foundation
import SanderlingTerminal

/// A report for scripts. The format is described in <doc:DiagnosingADatabase>; `version` changes when a script that reads it has to.
public struct JSONReport: Codable, Sendable {
  /// The version of the format that this type reads and writes.
  public static let currentVersion = 1

  public var version = Self.currentVersion
  public var database: Database
  public var summary: Summary
  /// In order of gain, the greatest first.
  public var findings: [Finding]
  public var statements: [Statement]
  public var indexAdvice: IndexAdvice?
  /// The proven fixes with all that each does, those that save most first. Older reports have none.
  public var fixes: [FixGroup]?
  /// The executions and times of all statements together; nil without statements.
  public var workload: Workload?
  public var skipped: [Skipped]
  public var notes: [String]
  public var elapsedMilliseconds: Double

  /// - Parameter showsValues: Whether statements are written as they ran, with a set of bound values, and not as fingerprints.
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

  /// The report as text: keys in order, the same for the same report. Characters that steer terminals are escaped.
  public var text: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      let json = String(decoding: try encoder.encode(self), as: UTF8.self)
      var result = ""
      result.reserveCapacity(json.utf8.count + 1)
      // Outside of strings JSON has no such characters but ends of lines.
      for scalar in json.unicodeScalars {
        if scalar != "\n", scalar.steersOutput {
          for unit in String(scalar).utf16 { result += String(format: "\\u%04x", Int(unit)) }
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
      return result + "\n"
    }
  }

  public struct Database: Codable, Sendable {
    public var name: String
    public var sqliteVersion: String
    public var bytes: Int64
    public var pageSize: Int
    public var journalMode: String
    public var tables: Int
    public var indexes: Int
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

  public struct Summary: Codable, Sendable {
    public var findings: Int
    /// How many findings there are of each severity, by its name; all severities are there.
    public var severities: [String: Int]
    public var statements: Int

    init(_ report: DiagnosisReport) {
      findings = report.findings.count
      statements = report.statements.count
      severities = Dictionary(uniqueKeysWithValues: Severity.allCases.map { ($0.rawValue, 0) })
      for finding in report.findings { severities[finding.severity.rawValue, default: 0] += 1 }
    }
  }

  public struct Skipped: Codable, Sendable {
    /// The file and the line, `app.log:17`; nil for the input as a whole.
    public var place: String?
    public var reason: String
  }
}
