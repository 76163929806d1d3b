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
          message:
            "the name '_terms' is reserved for code that @Record and @Projection generate: rename this declaration",
          line: 8, column: 14),
        DiagnosticSpec(
          message: "a column can't depend on a compilation condition: move the property out of '#if'", line: 10,
          column: 3),
        DiagnosticSpec(
          message:
            "write out the type of 'name': its initial value doesn't name the type, and a macro can't infer it",
          line: 3, column: 7,
          fixIts: [FixItSpec(message: "add the type")]),
        DiagnosticSpec(
          message: "'version' can't be read from the database, since its value is constant", line: 4, column: 3,
          fixIts: [FixItSpec(message: "change it to 'var'")]),
        DiagnosticSpec(
          message: "'size' is lazy, and a lazy property can't be a column", line: 5, column: 3,
          fixIts: [FixItSpec(message: "remove 'lazy'")]),
        DiagnosticSpec(
          message: "a column can't be declared by a tuple pattern: declare each property by itself", line: 6,
          column: 7),
        DiagnosticSpec(
          message:
            "the name '_source' is reserved for code that @Record and @Projection generate: rename this declaration",
          line: 7, column: 7),
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
          message:
            "@Projection can't be applied to a generic type, or inside of one: declare a struct for each concrete type",
          line: 1, column: 38)
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
