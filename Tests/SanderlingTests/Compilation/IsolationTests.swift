import Testing

/// Clients whose declarations are isolated to the main actor by default, as in new Xcode projects.
@Suite(.enabled(if: TypeChecker.shared != nil))
struct IsolationTests {
  private func diagnostics(_ source: String) async throws -> [TypeChecker.Diagnostic] {
    let checker = try #require(TypeChecker.shared)
    return try await checker.diagnostics(["Client.swift": source], flags: ["-default-isolation", "MainActor"])
  }

  @Test func recordsAndProjectionsCompile() async throws {
    #expect(try await diagnostics(snippetRecords) == [])
  }

  @Test(arguments: ["ColumnValue", "SortableColumnValue", "TextColumnValue"])
  func anExtensionMaySayHowATypeIsStored(name: String) async throws {
    let source = """
      import Sanderling

      struct Points { var value: Int }

      extension Points: \(name) {
        static var columnType: ColumnType { .integer }
        static func encode(_ value: Points) throws -> StorageValue { .integer(Int64(value.value)) }
        static func decode(_ stored: StorageValue) throws -> Points { try Points(value: Int.decode(stored)) }
      }

      @Record struct Score {
        var id: Int64?
        var points: Points
        @Stored(as: .json) var events: [Event] = []
        struct Event: Codable { var text: String }
      }
      """
    #expect(try await diagnostics(source) == [])
  }

  /// A type isolated to the main actor can't be stored as JSON from another thread: the compiler reports this at the
  /// property.
  @Test func jsonOfATypeOfTheMainActor() async throws {
    let source = """
      import Sanderling
      struct Place: Codable { var name: String }
      @Record struct Project {
        var id: Int64?
        @Stored(as: .json) var place: Place?
      }
      """
    let found = try await diagnostics(source)
    #expect(found.map(\.line) == [5])
    #expect(found.allSatisfy { $0.message.contains("main actor-isolated conformance of 'Place'") })
    #expect(try await diagnostics(source.replacing("struct Place", with: "nonisolated struct Place")) == [])
  }
}
