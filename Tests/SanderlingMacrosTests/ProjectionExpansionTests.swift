import Testing

@Suite("@Projection")
struct ProjectionExpansionTests {
  @Test("pairs each property with the static or the column of its name")
  func wholeProjection() {
    expectExpansion(
      of: """
        @Projection(of: Project.self)
        struct ProjectSummary {
          var id: UUID
          var openTasks: Int
          static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }
        }
        """,
      """
      struct ProjectSummary {
        var id: UUID
        var openTasks: Int
        static let openTasks = aggregate { $0.tasks.filter { !$0.isCompleted }.count }

        typealias Source = Project

        @dynamicMemberLookup nonisolated struct Fields: Sanderling._ProjectionFields {
          typealias Owner = ProjectSummary
          let _source: Source.Fields
          init(_source: Source.Fields) { self._source = _source }
          #sourceLocation(file: "test.swift", line: 3)
          var id: Sanderling.Field<UUID> { _source.id }
          #sourceLocation()
          #sourceLocation(file: "test.swift", line: 4)
          var openTasks: Sanderling.Field<Int> { ProjectSummary.openTasks }
          #sourceLocation()
          subscript<_Member>(dynamicMember keyPath: Swift.KeyPath<Source.Fields, _Member>) -> _Member {
            _source[keyPath: keyPath]
          }
        }

        nonisolated static var _properties: [Swift.String] { ["id", "openTasks"] }

        nonisolated static var _terms: [Sanderling._SelectedTerm] {
          let fields = Fields(_source: Source.Fields(_scope: .root))
          return [.init(fields.id), .init(fields.openTasks)]
        }
      }

      nonisolated extension ProjectSummary: Sanderling.StoredProjection, Swift.Identifiable {
        init(_reading row: Sanderling.ResultRow) throws {
          #sourceLocation(file: "test.swift", line: 3)
          let value0 = try row.value(at: 0, as: Source._Codings.id.self)
          #sourceLocation()
          #sourceLocation(file: "test.swift", line: 4)
          let value1 = try Self.openTasks.read(row, at: 1)
          #sourceLocation()
          #sourceLocation(file: "test.swift", line: 3)
          self.id = value0
          #sourceLocation()
          #sourceLocation(file: "test.swift", line: 4)
          self.openTasks = value1
          #sourceLocation()
        }
      }
      """)
  }

  @Test("accepts an assigned key that is optional in the record")
  func assignedKey() {
    expectExpansion(
      of: "@Projection(of: Comment.self) struct CommentLine { var id: Int64? }",
      contains: "var id: Sanderling.Field<Int64?> { ._lifting(_source.id) }")
  }

  @Test("keeps a user's type 'Owner' apart from the typealias in the fields")
  func typeNamedOwner() {
    expectExpansion(
      of: "@Projection(of: Car.self) struct CarLine { var ownerID: Owner.ID }",
      contains: "var ownerID: Sanderling.Field<Source._Codings.ownerID.Value> { _source.ownerID }")
  }

  @Test("declares members as visible as the struct")
  func accessLevels() {
    let source = "@Projection(of: Project.self) public struct Line { var name: String }"
    expectExpansion(of: source, contains: "public typealias Source = Project")
    expectExpansion(of: source, contains: "var name: Sanderling.Field<String> { _source.name }")
    expectExpansion(of: source, contains: "public init(_reading row: Sanderling.ResultRow) throws {")
  }

  @Test("reads nested values after the other columns, and leaves their names to the associations")
  func nestedValues() {
    let source = """
      @Projection(of: TodoTask.self) struct Row {
        var a: Part
        var title: String
        var b: Project?
        static let a = nested(Part.self) { $0 }
        static let b: SelectedFields<Project?> = make()
      }
      """
    expectExpansion(
      of: source,
      contains: """
        nonisolated static var _properties: [Swift.String] { ["title"] + Row.a._properties(of: "a") + Row.b._properties(of: "b") }
        """)
    expectExpansion(of: source, contains: "return [.init(fields.title)] + Row.a._terms + Row.b._terms")
    expectExpansion(of: source, contains: "let value1 = try Self.a._read(row, at: 1)")
    expectExpansion(of: source, contains: "let value2 = try Self.b._read(row, at: 1 + Self.a._width)")
    expectExpansion(of: source, contains: "self.b = value2")
  }
}
