import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Problems with a projection")
struct ProjectionProblemTests {
  @Test("A projection must be a struct of columns")
  func properties() {
    expectProblems(
      in: """
        @Projection(of: Project.self)
        struct Line {
          var name = makeName()
          let version = 1
          lazy var size: Int = 5
          var (a, b) = (1, 2)
          var _source: Int
          static let _terms = 5
          #if DEBUG
          var note: String
          #endif
        }
        """,
      [
        DiagnosticSpec(
          message: "the name '_terms' is taken by @Record or @Projection", line: 8, column: 14),
        DiagnosticSpec(message: "a column can't depend on a compilation condition", line: 10, column: 3),
        DiagnosticSpec(
          message:
            "the type of 'name' must be written out, since its value doesn't name it and macros see no inferred types",
          line: 3, column: 7,
          fixIts: [FixItSpec(message: "add the type")]),
        DiagnosticSpec(
          message: "'version' can't be read from the database, since its value is constant", line: 4, column: 3,
          fixIts: [FixItSpec(message: "change it to 'var'")]),
        DiagnosticSpec(
          message: "'size' can't be a column and lazy", line: 5, column: 3,
          fixIts: [FixItSpec(message: "remove 'lazy'")]),
        DiagnosticSpec(message: "a column can't be declared by a tuple pattern", line: 6, column: 7),
        DiagnosticSpec(message: "the name '_source' is taken by @Record or @Projection", line: 7, column: 7),
      ])
  }

  @Test("A class should be a struct")
  func classes() {
    expectProblems(
      in: "@Projection(of: Project.self) final class Line {}",
      [
        DiagnosticSpec(
          message: "@Projection applies to structs", line: 1, column: 37,
          fixIts: [FixItSpec(message: "change it to 'struct'")])
      ],
      fixed: "@Projection(of: Project.self) struct Line {}")
  }

  @Test("A generic type can't be a projection")
  func generics() {
    expectProblems(
      in: "@Projection(of: Project.self) struct Line<Value> { var name: String }",
      [
        DiagnosticSpec(
          message: "@Projection can't be applied to a generic type: each of its types would need a table", line: 1,
          column: 38)
      ])
  }

  @Test("The attribute must name the record")
  func source() {
    expectProblems(
      in: "@Projection(of: project) struct Line { var name: String }",
      [
        DiagnosticSpec(
          message: "expected the record that is projected: '@Projection(of: Project.self)'", line: 1, column: 1)
      ])
  }
}
