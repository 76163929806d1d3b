import Testing

/// The compiler's messages for wrong queries.
@Suite(.enabled(if: BuildFolder.compiler != nil))
struct DiagnosticTests {
  private static let records = """
    import Foundation
    import Sanderling

    @Record struct Project {
      var id: UUID
      var name: String
      var price: Decimal
      @Stored(as: .json) var labels: [String]
      static let tasks = hasMany(TodoTask.self, by: \\.projectID)
    }

    @Record struct TodoTask {
      var id: UUID
      var projectID: UUID
      var title: String
      var dueAt: Date?
      static let project = belongsTo(Project.self, by: \\.projectID)
    }

    """

  private func errors(_ statement: String) throws -> [String] {
    try SwiftCompiler().check(Self.records + "func query() {\n  _ = \(statement)\n}\n").errors
  }

  @Test(arguments: [
    #"TodoTask.where { $0.titel == "x" }"#,
    #"TodoTask.where { $0.titel == "x" && $0.dueAt != nil }"#,
    #"TodoTask.where { $0.project.name == "x" && !($0.titel == "y") }"#,
    #"TodoTask.where { $0.dueAt != nil }.order { $0.titel }"#,
    #"TodoTask.order { ($0.titel, $0.id) }.limit(3)"#,
    #"TodoTask.select { ($0.titel, $0.id) }"#,
    #"Project.where { $0.tasks.filter { $0.titel == "x" }.count > 3 }"#,
    #"Project.select { $0.tasks.max { $0.titel } }"#,
  ])
  func aMisspeltColumnIsNamed(statement: String) throws {
    // The compiler may add that it can't infer a dependent part. It reports nothing else.
    let errors = try errors(statement)
    #expect(errors.contains("value of type 'TodoTask.Fields' has no member 'titel'"))
    #expect(errors.allSatisfy { $0.contains("'titel'") || $0.contains("could not be inferred") }, "\(errors)")
  }

  @Test func valuesOfAnotherTypeAreRefused() throws {
    #expect(
      try errors("TodoTask.where { $0.title == 3 }")
        == ["binary operator '==' cannot be applied to operands of type 'Field<String>' and 'Int'"])
  }

  @Test(arguments: [
    "Project.where { $0.price < 3 }", "Project.order { $0.price }", "Project.order { ($0.labels, $0.id) }",
    "Project.where { $0.labels < [] }", "TodoTask.select { $0.project.price.max() }",
  ])
  func orderOfUnsortableColumnsIsRefused(statement: String) throws {
    #expect(try !errors(statement).isEmpty)
  }

  @Test func equalityOfUnsortableColumnsIsAccepted() throws {
    #expect(try errors("Project.where { $0.price == 3 && $0.labels != [] }") == [])
  }

  @Test func referenceToATypeThatIsNoRecordIsRefusedAtItsLine() throws {
    let source = """
      import Foundation
      import Sanderling
      struct Color {}
      @Record struct Item {
        var id: UUID
        @References(Color.self) var colorID: UUID
      }
      """
    let outcome = try SwiftCompiler().check(source)
    let errors = zip(outcome.lines, outcome.messages).filter {
      $1.contains("requires that 'Color' conform to 'StoredRecord'")
    }
    #expect(errors.map(\.0).contains(6), "\(outcome.messages)")
  }
}
