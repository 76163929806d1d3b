import Foundation
import Testing

/// The code of the guide to sections, as a reader would type it in.
@Suite(.enabled(if: BuildFolder.compiler != nil))
struct SectionsGuideTests {
  @Test func theCodeOfTheGuideToSectionsCompiles() throws {
    let guide = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/Sanderling/Documentation.docc/Sections.md")
    let blocks = try String(contentsOf: guide, encoding: .utf8).matches(of: #/```swift\n((?s:.*?))```/#)
      .map { String($0.1) }
    #expect(blocks.count == 6)
    let code = blocks.enumerated().map { number, block in
      if block.contains(#/^(func|struct)/#) { return block }
      let declared = block.matches(of: #/^let (\w+) =/#.anchorsMatchLineEndings()).map { "_ = \($0.1)" }
      return """
        @MainActor func statements\(number)(_ store: Store) async throws {
          \(block)
          \(declared.joined(separator: "; "))
        }
        """
    }
    let source = ([Self.records] + code).joined(separator: "\n")
    #expect(try SwiftCompiler().check(source, beside: [swiftUIStandIn]).messages == [])
  }

  private static let records = #"""
    import Foundation
    import Sanderling

    @Record
    struct Project {
      var id: UUID
      var name: String
    }

    @Record
    struct TodoTask {
      var id: UUID
      @References(Project.self, onDelete: .cascade) var projectID: UUID
      var title: String
      var isCompleted = false
      var estimate: Int?
      var dueAt: Date?
      static let project = belongsTo(Project.self, by: \.projectID)
    }
    """#
}
