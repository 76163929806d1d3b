import Foundation
import Testing

/// The compiler reports a mistake in one of many conditions at the line of the mistake.
@Suite(.enabled(if: TypeChecker.shared != nil))
struct MistakeTests {
  private static let conditions = [
    [
      "$0.projectID == id", "!$0.isCompleted", "$0.title != text", "$0.dueAt != nil", "$0.dueAt < day",
      "$0.estimate == 5",
      "$0.effort > 1.5", "$0.priority == .high", "$0.title.hasPrefix(text)",
    ],
    [
      "$0.title == \"x\"", "$0.isCompleted == false", "$0.estimate > 3", "$0.effort >= 2.5", "$0.dueAt == nil",
      "$0.effort < 9",
      "$0.estimate != 7", "$0.title != \"y\"", "$0.effort * 2 + 1 > 3",
    ],
  ]

  private static let mistakes = [
    "$0.estimate < \"3\"", "$0.estimate == 1.5", "$0.isCompleted == 1", "$0.dueAt < \"tomorrow\"",
    "$0.comments.count > \"3\"",
    "$0.effort > \"1\"", "$0.title == nil", "$0.titel == \"x\"", "!$0.title", "$0.title == 5", "$0.priority == .hihg",
  ]

  private func source(_ conditions: [String], _ separator: String) -> String {
    """
    import Foundation
    import Sanderling
    func query(id: UUID, text: String, day: Date) {
      _ = TodoTask.where {
        \(conditions.joined(separator: "\n    " + separator))
      }
    }
    """
  }

  /// Beyond the limit the compiler reports the whole expression as too complex, at the line where the expression begins.
  @Test(arguments: [0, 1], ["&& ", ""]) func amongNineConditions(number: Int, separator: String) async throws {
    let checker = try #require(TypeChecker.shared)
    for (index, mistake) in Self.mistakes.enumerated() {
      var conditions = Self.conditions[number]
      conditions[index % 9] = mistake
      let found = try await checker.diagnostics(
        ["Records.swift": snippetRecords, "Query.swift": source(conditions, separator)],
        flags: SolverLimit.mistaken.flags)
      #expect(!found.isEmpty && found.allSatisfy { $0.line == 5 + index % 9 }, "\(mistake): \(found)")
    }
  }

  private func errors(_ source: String) async throws -> [String] {
    try await #require(TypeChecker.shared).diagnostics(
      ["Records.swift": snippetRecords, "Snippet.swift": "import Foundation; import Sanderling\n" + source]
    ).map { "\($0.line): \($0.message)" }
  }

  @Test func comparingANonOptionalFieldWithNilIsAnError() async throws {
    let found = try await errors(
      """
      func query() {
        _ = TodoTask.where { $0.title == nil }
        _ = TodoTask.where { $0.dueAt != nil && $0.title != nil && $0.estimate == 3 }
        _ = TodoTask.where { $0.dueAt == nil && $0.estimate != nil }
      }
      """)
    #expect(
      found == [
        "3: '==' is unavailable: the field is not optional, so it is never nil",
        "4: '!=' is unavailable: the field is not optional, so it is never nil",
      ])
  }

  @Test func propertyWithoutStorageIsAnErrorAtItsLine() async throws {
    let found = try await errors(
      """
      enum Status: String { case open, done }
      struct Point { var x = 0 }
      @Record struct Job {
        var id: UUID
        var status = Status.open
        var place: Point?
      }
      """)
    #expect(
      found.contains {
        $0.hasPrefix("6: ") && $0.contains("`enum Status: String, ColumnValue`; to sort by it, to SortableColumnValue")
      }, "\(found)")
    #expect(
      found.contains { $0.hasPrefix("7: ") && $0.contains("@Stored(as: .json) before a Codable property") }, "\(found)")
    #expect(found.allSatisfy { $0.hasPrefix("6: ") || $0.hasPrefix("7: ") }, "\(found)")
  }

  @Test func valuesThatNameTheirTypes() async throws {
    let found = try await errors(
      """
      enum Status: String, ColumnValue { case open, done; static let usual = Status.open }
      struct Tag: Codable, Sendable { var name: String }
      @Record struct Job {
        var id = UUID()
        var status = Status.open
        var usual = Status.usual
        var made = Date()
        var limit = Int.max
        @Stored(as: .json) var tags = [Tag]()
        @Stored(as: .json) var names = Set<String>()
        @Stored(as: .json) var tag = Tag(name: "a")
      }
      func query() {
        _ = Job.where { $0.status == .open && $0.made < .now && $0.limit > 3 && $0.tags != [] }
      }
      extension Tag: Equatable {}
      """)
    #expect(found == [])
  }
}
