import Foundation
import Testing

/// The guide's code equals the code of `GuideTests.swift`, which runs.
struct GuideTextTests {
  private static let tests = URL(filePath: #filePath).deletingLastPathComponent()

  @Test func theGuideShowsCodeThatRuns() throws {
    let guide = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/SanderlingTesting/Documentation.docc/TestingWithSanderling.md")
    let blocks = try String(contentsOf: guide, encoding: .utf8).matches(of: #/```swift\n((?s:.*?))```/#).map(\.1)
    #expect(blocks.count > 3)
    let code = try String(contentsOf: Self.tests.appending(path: "GuideTests.swift"), encoding: .utf8)
    #expect(code.hasSuffix(blocks.joined(separator: "\n")))
  }
}
