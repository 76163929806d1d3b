import Foundation
import Testing

@Suite("The guide to everyday tasks contains the code that the tests run")
struct EverydayGuideTests {
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the lines of a file without their indentation.
  private static func lines(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false
    )
    .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
  }

  @Test func allOfItIsRun() throws {
    let tests = try Self.lines("Tests/SanderlingTests/Everyday/EverydayTasksTests.swift")
    let grdbTests = try Self.lines("Tests/SanderlingTests/Everyday/EverydayGRDBTests.swift")
    let guide = try Self.lines("Sources/Sanderling/Documentation.docc/EverydayTasks.md")
    let tasks = guide.split(separator: "## ").dropFirst()
    #expect(tasks.count >= 35)
    for task in tasks {
      let code = task.matches(of: #/```swift\n((?s:.*?))```/#).map(\.1)
      #expect(tests.contains(try #require(code.first)), "\(task)")
      // The further code blocks show the same task with another library.
      for other in code.dropFirst() { #expect(grdbTests.contains(other), "\(task)") }
    }
  }
}
