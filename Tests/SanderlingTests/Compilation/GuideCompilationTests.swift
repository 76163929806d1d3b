import Foundation
import Testing

/// The code of the guides compiles as a reader would copy it.
@Suite(.enabled(if: BuildFolder.compiler != nil))
struct GuideCompilationTests {
  @Test(arguments: [
    ("Days.md", 3), ("LiveResults.md", 13), ("LongLists.md", 5), ("ReadingPages.md", 6), ("Searching.md", 6),
    ("Sections.md", 8),
    ("Writing.md", 7),
  ])
  func theCodeOfTheGuidesCompiles(_ name: String, _ count: Int) throws {
    let blocks = try Self.guide(name).matches(of: #/```swift\n((?s:.*?))```/#).map { String($0.1) }
    #expect(blocks.count == count)
    // This guide writes a value that is declared elsewhere.
    let given = name == "Writing.md" ? "let labels: [Label] = []; _ = labels\n" : ""
    // Apple's frameworks aren't available here: stand-ins declare the parts that the guide uses.
    let code = blocks.enumerated().map { number, block in
      let block = block.replacing(#/import (SwiftUI|UIKit)\n+/#, with: "")
      return block.contains(#/^(///|@Record|func|struct|extension|final class)/#)
        ? block : Self.function(number, given + block)
    }
    let source = ([Self.records, uiKitStandIn] + code).joined(separator: "\n")
    #expect(try SwiftCompiler().check(source, beside: [swiftUIStandIn]).messages == [])
  }

  @Test(arguments: GuideCode.guides.indices)
  func theCodeOfAGuideCompilesWithItsDeclarations(_ index: Int) throws {
    let guide = GuideCode.guides[index]
    let text = try Self.text("Sources/\(guide.path)")
    #expect(GuideCode.blocks(of: text).count == guide.count)
    // A statement that only builds a value, such as a query, causes a warning. Errors alone are compared.
    #expect(try SwiftCompiler().check(guide.source(of: text), beside: [swiftUIStandIn]).errors == [], "\(guide.path)")
  }

  /// The guides that other tests compile, or compare with code that runs.
  private static let others: Set<String> = [
    "Days.md", "LiveResults.md", "LongLists.md", "ReadingPages.md", "Searching.md", "Sections.md", "Writing.md",
    "EverydayTasks.md", "InSwiftUI.md", "SanderlingSwiftUI.md", "TestingWithSanderling.md",
  ]

  @Test func theCodeOfEachCatalogIsTested() throws {
    let sources = Self.package.appending(path: "Sources")
    let modules = try FileManager.default.contentsOfDirectory(atPath: sources.path).sorted()
    var untested: [String] = []
    for module in modules {
      let catalog = sources.appending(path: "\(module)/Documentation.docc")
      for name in (try? FileManager.default.contentsOfDirectory(atPath: catalog.path).sorted()) ?? []
      where name.hasSuffix(".md") && !Self.others.contains(name) {
        let path = "\(module)/Documentation.docc/\(name)"
        let count = GuideCode.blocks(of: try Self.text("Sources/\(path)")).count
        if count > 0, !GuideCode.guides.contains(where: { $0.path == path }) { untested.append(path) }
      }
    }
    #expect(untested == [])
  }

  /// README's first code block compiles: its declarations, then the statements that use them.
  @Test func theCodeOfREADMECompiles() throws {
    let text = try Self.text("README.md")
    let code = try #require(text.firstMatch(of: #/```swift\n((?s:.*?))```/#)).1
    let start = try #require(code.firstRange(of: "\nlet store =")).lowerBound
    let source = """
      \(code[..<start])
      @MainActor func statements(_ path: String) async throws {
        \(code[start...])
        _ = busiest
      }
      """
    #expect(try SwiftCompiler().check(source).messages == [])
  }

  private static func guide(_ name: String) throws -> String {
    try text("Sources/Sanderling/Documentation.docc/\(name)")
  }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appending(path: path), encoding: .utf8)
  }

  /// The guide's code for an app and its extension that share a database compiles. Stand-ins declare Apple's types of
  /// file coordination.
  @Test func theCodeOfTheGuideToSharingCompiles() throws {
    let code = try #require(Self.guide("SharingAFile.md").firstMatch(of: #/```swift\nimport SQLite3\n((?s:.*?))```/#)).1
    let source = """
      import Foundation
      import GRDB
      import GRDBSQLite
      import Sanderling

      let schema: [any StoredRecord.Type] = []

      struct NSFileCoordinator {
        enum WritingOption { case forMerging }
        enum ReadingOption { case withoutChanges }
        init(filePresenter: Never?) {}
        func coordinate(
          writingItemAt url: URL, options: WritingOption, error: inout NSError?, byAccessor body: (URL) -> Void
        ) {}
        func coordinate(
          readingItemAt url: URL, options: ReadingOption, error: inout NSError?, byAccessor body: (URL) -> Void
        ) {}
      }

      """
    #expect(try SwiftCompiler().check(source + code).messages == [])
  }

  /// Wraps statements in a function whose parameters are the values that they mention.
  private static func function(_ number: Int, _ statements: String) -> String {
    // Using each declared constant avoids warnings.
    let declared = statements.matches(of: #/^let (\w+) =/#.anchorsMatchLineEndings()).map { "_ = \($0.1)" }
    return """
      @MainActor func statements\(number)(
        _ store: Store, _ list: LiveList<TodoTask>, _ count: LiveCount, _ id: UUID, _ task: TodoTask, _ text: String
      ) async throws {
        \(statements)
        \(declared.joined(separator: "; "))
      }
      """
  }

  private static let records = #"""
    import Foundation
    import Observation
    import Sanderling

    @Record
    struct Project {
      var id: UUID
      var name: String
      static let tasks = hasMany(TodoTask.self, by: \.projectID)
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

    @Projection(of: Project.self)
    struct ProjectSummary {
      var id: UUID
      var name: String
      var openTasks: Int
      static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
    }

    @Record
    struct Job {
      var id: Int64
      var state: String
      var createdAt: Date
    }
    """#
}
