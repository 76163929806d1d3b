import Foundation
import Testing

@testable import Sanderling

/// Statements that differ only in compared values share one form. The form filled with its values is the statement.
@Suite struct StatementFormTests {
  private static let integer = EvaluationSpecimen.column("integer")
  private static let real = EvaluationSpecimen.column("real")
  private static let text = EvaluationSpecimen.column("text")
  private static let blob = EvaluationSpecimen.column("blob")

  private func statement(_ condition: Term) -> SelectStatement {
    var statement = EvaluationSpecimen.query.statement
    statement.condition = condition
    return statement
  }

  private func statement(_ values: [StorageValue]) -> SelectStatement {
    let columns = [Self.integer, Self.text, Self.real, Self.blob]
    let parts = zip(columns, values).enumerated().map { position, part in
      position % 2 == 0
        ? Term.binary(.lessOrEqual, part.0, .constant(part.1)) : .binary(.equal, .constant(part.1), part.0)
    }
    return statement(parts[0] && (parts[1] || !(parts[2] && parts[3])))
  }

  private static let one: [StorageValue] = [.integer(1), .text("a"), .real(1.5), .blob(Data([1]))]
  private static let other: [StorageValue] = [.integer(.min), .text(""), .real(-0.0), .blob(Data(count: 16))]

  @Test func valuesAreSeparated() throws {
    for values in [Self.one, Self.other] {
      let (form, separated) = statement(values).separated
      #expect(separated == values)
      #expect(form == statement(Self.one).separated.form)
      #expect(form.filled(values) == statement(values))
      let compiled = try SQLCompiler.compile(form)
      #expect(try compiled.filled(values) == SQLCompiler.compile(statement(values)))
      #expect(compiled.arguments.filled(values) == values)
    }
  }

  /// The type of a compared value belongs to the form, since it determines how a query is maintained.
  @Test func kindsOfValuesAreOfTheForm() {
    func form(_ value: StorageValue) -> SelectStatement {
      statement(.binary(.equal, Self.text, .constant(value))).separated.form
    }
    #expect(form(.text("a")) == form(.text("b")))
    let values: [StorageValue] = [
      .text("a"), .integer(1), .real(1), .blob(Data()), .null, .text("1"), .text(" 2.5e3 "),
    ]
    #expect(Set(values.map(form)).count == values.count)
    #expect(statement(.binary(.is, Self.text, .constant(.null))).separated.values.isEmpty)
    #expect(statement(.binary(.less, Self.real, .constant(.real(.nan)))).separated.values.isEmpty)
  }

  /// Two equal values are separated as two values, because they may differ in the next query.
  @Test func equalValuesAreSeparatedOneByOne() throws {
    let twice = statement(
      .binary(.greater, Self.integer, .constant(.integer(7))) || .binary(.less, Self.real, .constant(.integer(7))))
    let (form, values) = twice.separated
    #expect(values == [.integer(7), .integer(7)])
    #expect(try SQLCompiler.compile(form).filled([.integer(1), .integer(2)]).arguments == [.integer(1), .integer(2)])
  }

  @Test func manyValuesAreSeparatedUpToALimit() throws {
    let all = Term.any((0..<1_000).map { .binary(.equal, Self.integer, .constant(.integer($0))) })
    let (form, values) = statement(try #require(all)).separated
    #expect(values.count == StandIn.greatestCount)
    #expect(form.filled(values) == statement(try #require(all)))
  }

  /// A value that is not compared belongs to the form: members of lists, prefixes, operands and constants.
  @Test func otherValuesStayInTheForm() {
    for condition: Term in [
      .membership(Self.integer, Members([.integer(1)])), .prefix(Self.text, ExactText("a")),
      .binary(.equal, .binary(.add, Self.integer, .constant(.integer(1))), Self.real), .constant(.integer(1)),
    ] {
      #expect(statement(condition).separated.values.isEmpty)
      #expect(statement(condition).separated.form == statement(condition))
    }
  }

  @Test func formsAreSharedWhileTheyAreUsed() {
    let forms = LiveForms()
    let query = EvaluationSpecimen.where { $0.integer == 1 }
    let (form, values) = RowsDefinition(query).form(among: forms)
    #expect(values == [.integer(1)])
    #expect(RowsDefinition(EvaluationSpecimen.where { $0.integer == 2 }).form(among: forms).form === form)
    #expect(RowsDefinition(EvaluationSpecimen.where { $0.id > 2 }).form(among: forms).form !== form)
    #expect(RowsDefinition(EvaluationSpecimen.where { $0.otherInteger == 2 }).form(among: forms).form !== form)
    // Queries that select other types, or count, have other forms.
    let ids = RowsDefinition(query.select { $0.id }).form(among: forms).form
    #expect(ObjectIdentifier(ids) != ObjectIdentifier(form))
    #expect(ObjectIdentifier(CountDefinition(query).form(among: forms).form) != ObjectIdentifier(form))
  }
}
