import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Problems with the indexes in the attribute")
struct IndexProblemTests {
  @Test("A misspelt property is corrected if a similar name exists")
  func misspeltProperty() {
    expectProblems(
      in: #"""
        @Record(indexes: [.on(\.projectId, .descending(\.titel)), .unique(on: \.somethingElse)])
        struct TodoTask {
          var id: UUID
          var projectID: UUID
          var title: String
        }
        """#,
      [
        DiagnosticSpec(
          message: "'TodoTask' has no stored property 'projectId'", line: 1, column: 25,
          fixIts: [FixItSpec(message: "replace it with 'projectID'")]),
        DiagnosticSpec(message: "'TodoTask' has no stored property 'somethingElse'", line: 1, column: 73),
      ],
      fixed: #"""
        @Record(indexes: [.on(\.projectID, .descending(\.titel)), .unique(on: \.somethingElse)])
        struct TodoTask {
          var id: UUID
          var projectID: UUID
          var title: String
        }
        """#)
  }

  @Test("Indexes can't be declared in both the attribute and the body")
  func indexesTwice() {
    expectProblems(
      in: #"""
        @Record(indexes: [.on(\.id)])
        struct TodoTask {
          var id: UUID
          static let indexes: [Index<TodoTask>] = []
        }
        """#,
      [
        DiagnosticSpec(
          message: "indexes are declared in the attribute and in the body: declare all of them in the body", line: 1,
          column: 9)
      ])
  }

  @Test("Indexes must be literals of key paths")
  func literals() {
    expectProblems(
      in: "@Record(indexes: all) struct Tag { var id: UUID }",
      [
        DiagnosticSpec(
          message: "expected an array literal: a macro reads only source text; declare computed indexes in the body",
          line: 1, column: 18)
      ])
    let message = "expected '.on(…)' or '.unique(on: …)' of key paths; declare any other index in the body"
    expectProblems(
      in: #"@Record(indexes: [first, .on(), .on(\.id.count), .on(path)]) struct Tag { var id: UUID }"#,
      [19, 26, 37, 54].map { DiagnosticSpec(message: message, line: 1, column: $0) })
  }

  @Test("A property with another problem isn't also reported as missing")
  func brokenProperty() {
    expectProblems(
      in: #"@Record(indexes: [.on(\.tags)]) struct Tag { var id: UUID; var tags: (Int, Int) }"#,
      [DiagnosticSpec(message: "'(Int, Int)' can't be stored in a column", line: 1, column: 70)])
  }
}
