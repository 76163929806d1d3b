import Testing

@Suite("Indexes")
struct IndexExpansionTests {
  @Test("The attribute's key paths become typed key paths")
  func attribute() {
    expectExpansion(
      of: #"""
        @Record(indexes: [.on(\.projectID, .descending(\.dueAt)), .unique(on: \.projectID, \.`default`)])
        struct TodoTask {
          var id: UUID
          var projectID: UUID
          var dueAt: Date?
          var `default`: Int
        }
        """#,
      contains: #"""
        nonisolated static let indexes: [Sanderling.Index<TodoTask>] = [
        .on(.ascending(\.projectID), .descending(\.dueAt)),
        .unique(on: .ascending(\.projectID), .ascending(\.`default`)),
        ]
        """#)
  }

  @Test("Indexes in the body replace the generated declaration")
  func body() {
    let source = """
      @Record
      struct TodoTask {
        var id: UUID
        static let indexes: [Index<TodoTask>] = []
      }
      """
    expectExpansion(of: source, lacks: "[Sanderling.Index<TodoTask>]")
    expectExpansion(of: source, contains: "indexes: indexes.map { $0.definition })")
  }
}
