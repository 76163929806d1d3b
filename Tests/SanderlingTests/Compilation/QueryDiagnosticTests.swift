import Foundation
import Testing

/// A mistake in a query causes one error at its place, and the message names the record's members.
@Suite(.enabled(if: TypeChecker.shared != nil))
struct QueryDiagnosticTests {
  /// Returns the errors for each of the statements, which are checked together.
  func errors(_ statements: [String]) async throws -> [[String]] {
    let checker = try #require(TypeChecker.shared)
    let functions = statements.enumerated().map { number, statement in
      "func f\(number)(_ store: Store) async throws { \(statement) }"
    }
    let source = "import Foundation; import Sanderling\n" + functions.joined(separator: "\n")
    let diagnostics = try await checker.diagnostics(["Records.swift": snippetRecords, "Snippet.swift": source])
    #expect(diagnostics.filter { $0.file != "Snippet.swift" } == [])
    return statements.indices.map { number in diagnostics.filter { $0.line == number + 2 }.map(\.message) }
  }

  @Test func misspeltColumns() async throws {
    let statements = [
      #"_ = try await store.fetch(TodoTask.where { $0.titel == "x" })"#,
      #"_ = try await store.fetch(TodoTask.where { !$0.isCompleted && $0.titel == "x" }.order { $0.dueAt }.limit(5))"#,
      #"_ = try await store.fetch(TodoTask.order { ($0.dueAt, $0.titel) }.limit(50))"#,
      #"_ = TodoTask.order { $0.titel.descending }"#,
      #"_ = Project.where { $0.tasks.filter { $0.titel == "x" }.count > 5 && $0.name == "y" }"#,
      #"_ = Condition<TodoTask> { $0.titel == "x" }"#,
    ]
    for (statement, errors) in zip(statements, try await errors(statements)) {
      #expect(errors == ["value of type 'TodoTask.Fields' has no member 'titel'"], "\(statement)")
    }
  }

  /// For a misspelt column in a selection, the compiler adds that it can't infer the selected types.
  @Test func misspeltColumnsOfASelection() async throws {
    for errors in try await errors(["_ = TodoTask.select { $0.titel }", "_ = TodoTask.select { ($0.title, $0.titel) }"])
    {
      #expect(errors.contains("value of type 'TodoTask.Fields' has no member 'titel'"))
    }
  }

  @Test func misspeltAssociations() async throws {
    let errors = try await errors([
      #"_ = TodoTask.where { $0.projekt.name == "x" }"#, #"_ = TodoTask.where { $0.project.nam == "x" }"#,
      #"_ = Project.where { $0.parent.nam == "x" }"#, #"_ = ProjectSummary.where { $0.openTask > 0 }"#,
    ])
    #expect(errors[0] == ["value of type 'TodoTask.Fields' has no member 'projekt'"])
    #expect(errors[1] == ["value of type 'Project.Fields' has no member 'nam'"])
    #expect(errors[2].map { $0.contains("has no dynamic member 'nam'") } == [true])
    #expect(errors[3].map { $0.contains("has no dynamic member 'openTask'") || $0.contains("has no member") } == [true])
  }

  @Test func comparisonsOfOtherTypes() async throws {
    let errors = try await errors([
      #"_ = TodoTask.where { $0.title == 5 }"#, #"_ = TodoTask.where { $0.projectID == "x" }"#,
      #"_ = Project.where { $0.tasks.count > "5" }"#, #"_ = TodoTask.where { $0.title }"#,
      #"_ = TodoTask.where { $0.dueAt < "tomorrow" }"#,
    ])
    #expect(errors[0] == ["binary operator '==' cannot be applied to operands of type 'Field<String>' and 'Int'"])
    #expect(errors[1] == ["binary operator '==' cannot be applied to operands of type 'Field<UUID>' and 'String'"])
    #expect(errors[2] == ["binary operator '>' cannot be applied to operands of type 'Field<Int>' and 'String'"])
    #expect(errors[3].count == 1)
    #expect(errors[4].count == 1)
  }

  /// Columns without an order can't be compared or sorted. SQLite sorts amounts as texts, "10" before "9"; JSON has no
  /// order.
  @Test func orderOfUnsortableColumnsIsAnError() async throws {
    let statements = [
      "_ = TodoTask.order { $0.price }", "_ = TodoTask.order { $0.price.descending }", "_ = TodoTask.order { $0.tags }",
      "_ = TodoTask.order { ($0.dueAt, $0.price) }", "_ = TodoTask.where { $0.price < Decimal(5) }",
      "_ = TodoTask.where { $0.price >= $0.price }", "_ = TodoTask.where { $0.tags < [\"a\"] }",
      "_ = Project.select { $0.tasks.max(\\.price) }", "_ = TodoTask.where { $0.price.in(Decimal(1)...Decimal(2)) }",
      "_ = TodoTask.select { $0.price.sum() }",
    ]
    for (statement, errors) in zip(statements, try await errors(statements)) {
      #expect(!errors.isEmpty, "\(statement)")
    }
  }

  @Test func noErrors() async throws {
    let statements = [
      "_ = TodoTask.where { $0.price == 5 && $0.tags == [\"a\"] && $0.price.in([1, 2]) }",
      "_ = TodoTask.select { ($0.price, $0.tags) }.order { $0.title }",
    ]
    #expect(try await errors(statements) == [[], []])
  }
}
