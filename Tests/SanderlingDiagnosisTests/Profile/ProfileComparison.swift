import Foundation
import SanderlingSQL

@testable import SanderlingDiagnosis

/// The findings of a diagnosis on a database, and on a database that is generated from its profile.
struct ProfileComparison {
  /// A finding reduced to its statement and kind.
  struct Found: Hashable, CustomStringConvertible {
    var statement: Int?
    var kind: FindingKind

    var description: String { "\(statement.map { "S\($0)" } ?? "-") \(kind.rawValue)" }
  }

  /// A proposed index, for one statement or for all.
  struct Index: Hashable, CustomStringConvertible {
    var statement: Int?
    var table: String
    var columns: [String]
    var isPartial: Bool

    var description: String {
      "\(statement.map { "S\($0)" } ?? "-") \(table) (\(columns.joined(separator: ", ")))\(isPartial ? " partial" : "")"
    }
  }

  var name: String
  var original: (found: Set<Found>, indexes: Set<Index>)
  var generated: (found: Set<Found>, indexes: Set<Index>)

  init(name: String, original: DiagnosisReport, generated: DiagnosisReport) {
    self.name = name
    self.original = Self.read(original)
    self.generated = Self.read(generated)
  }

  private static func read(_ report: DiagnosisReport) -> (Set<Found>, Set<Index>) {
    var (found, indexes): (Set<Found>, Set<Index>) = ([], [])
    for finding in report.findings {
      if case .triedNotBetter = finding.outcome { continue }
      // These findings depend on the speed of the disk at the moment, and not on the database.
      if [.journalMode, .synchronousMode].contains(finding.kind) { continue }
      found.insert(Found(statement: finding.statement, kind: finding.kind))
      for sql in finding.fix?.sql ?? [] {
        if let index = index(sql, finding.statement) { indexes.insert(index) }
      }
    }
    return (found, indexes)
  }

  static func index(_ sql: String, _ statement: Int?) -> Index? {
    guard sql.uppercased().hasPrefix("CREATE"), let definition = CreateIndexSyntax(sql),
      let match = sql.firstMatch(of: /ON "?([A-Za-z0-9_]+)"? ?\(/)
    else { return nil }
    return Index(
      statement: statement, table: String(match.output.1),
      columns: definition.expressions.map { $0.withoutQuotes.lowercased() }, isPartial: definition.condition != nil)
  }

  var commonFindings: Int { original.found.intersection(generated.found).count }
  var commonIndexes: Int { original.indexes.intersection(generated.indexes).count }

  var differences: [String] {
    func lines(_ mark: String, _ items: some Collection<some CustomStringConvertible>) -> [String] {
      items.map { "\(mark) \($0.description)" }.sorted()
    }
    return lines("- ", original.found.subtracting(generated.found))
      + lines("+ ", generated.found.subtracting(original.found))
      + lines("- ", original.indexes.subtracting(generated.indexes))
      + lines("+ ", generated.indexes.subtracting(original.indexes))
  }
}

/// The shares of common findings and indexes over several databases.
struct ProfileScore: CustomStringConvertible {
  private(set) var findings = (original: 0, generated: 0, common: 0)
  private(set) var indexes = (original: 0, generated: 0, common: 0)

  mutating func add(_ comparison: ProfileComparison) {
    findings.original += comparison.original.found.count
    findings.generated += comparison.generated.found.count
    findings.common += comparison.commonFindings
    indexes.original += comparison.original.indexes.count
    indexes.generated += comparison.generated.indexes.count
    indexes.common += comparison.commonIndexes
  }

  /// The share of findings on the originals that also exist on the generated databases.
  var foundAgain: Double { Double(findings.common) / Double(max(1, findings.original)) }
  var advisedAgain: Double { Double(indexes.common) / Double(max(1, indexes.original)) }
  /// The share of findings on the generated databases that also exist on the originals.
  var rightFindings: Double { Double(findings.common) / Double(max(1, findings.generated)) }

  var description: String {
    "findings: \(findings.common) of \(findings.original) again, \(findings.generated - findings.common) others; "
      + "indexes: \(indexes.common) of \(indexes.original) again, \(indexes.generated - indexes.common) others"
  }
}
