import Foundation
import Testing

@testable import SanderlingDiagnosis

/// The documentation of the command explains each kind of finding, each severity and each key of the JSON report.
struct DocumentationTests {
  private let page: String

  init() throws { page = try Self.page() }

  static func page() throws -> String {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = package.appending(path: "Sources/SanderlingDiagnosis/Documentation.docc/DiagnosingADatabase.md")
    return try String(contentsOf: file, encoding: .utf8)
  }

  @Test(arguments: FindingKind.allCases)
  func explainsEachKindOfFinding(kind: FindingKind) {
    #expect(page.contains("\n| `\(kind.rawValue)` | "))
  }

  @Test(arguments: Severity.allCases)
  func explainsEachSeverity(severity: Severity) {
    #expect(page.contains("`\(severity.rawValue)`:"))
  }

  @Test func explainsEachKeyOfTheJSONForm() throws {
    let json = try JSONReport(SampleReport.tasks, showsValues: true).text
    // Names of operations and callers, parameter numbers and severities are keys as well.
    let names: Set<Substring> = ["ProjectList.load", "ProjectList.swift:81", "Widget.swift:12", "1", "3"]
    let keys = Set(json.matches(of: #/"([^"\n]+)" : /#).map(\.output.1)).subtracting(names)
    #expect(keys.count > 60)
    for key in keys { #expect(page.contains("`\(key)`"), "\(key)") }
  }
}
