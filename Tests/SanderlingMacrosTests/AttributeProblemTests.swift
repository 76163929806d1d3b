import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Problems with property attributes")
struct AttributeProblemTests {
  @Test("Only stored properties are columns", arguments: ["@Stored(\"n\")", "@References(Tag.self)", "@PrimaryKey"])
  func computedProperties(attribute: String) throws {
    let name = try #require(attribute.split(separator: "(").first)
    for declaration in ["var number: Int { 5 }", "static var number = 5", "func number() {}"] {
      expectProblems(
        in: """
          @Record
          struct Tag {
            var id: UUID
            \(attribute) \(declaration)
          }
          """,
        [
          DiagnosticSpec(
            message: "\(name) applies only to stored properties of instances", line: 4, column: 3,
            fixIts: [FixItSpec(message: "remove '\(name)'")])
        ],
        fixed: """
          @Record
          struct Tag {
            var id: UUID
            \(declaration)
          }
          """)
    }
  }

  @Test("The attributes have no meaning outside a record")
  func outsideOfRecord() {
    expectProblems(
      in: """
        struct Tag {
          @PrimaryKey var name: String
        }
        @Stored("x") var global: Int
        """,
      [
        DiagnosticSpec(
          message: "@PrimaryKey applies only inside a struct marked @Record", line: 2, column: 3,
          fixIts: [FixItSpec(message: "remove '@PrimaryKey'")]),
        DiagnosticSpec(
          message: "@Stored applies only inside a struct marked @Record", line: 4, column: 1,
          fixIts: [FixItSpec(message: "remove '@Stored'")]),
      ],
      fixed: """
        struct Tag {
          var name: String
        }
        var global: Int
        """)
  }

  @Test("A coding must fit the property's type, as far as the names show")
  func mismatchedCoding() {
    expectProblems(
      in: """
        @Record
        struct Event {
          @Stored(as: .dateText) var id: UUID
          @Stored(as: .uuidText) var start: Date?
          @Stored(as: .unixSeconds) var days: [Date]
        }
        """,
      [
        DiagnosticSpec(message: "'.dateText' stores 'Date', not 'UUID'", line: 3, column: 15),
        DiagnosticSpec(message: "'.uuidText' stores 'UUID', not 'Date?'", line: 4, column: 15),
        DiagnosticSpec(message: "'.unixSeconds' stores 'Date', not '[Date]'", line: 5, column: 15),
      ])
  }

  @Test("A coding must have an existing name")
  func unknownCoding() {
    expectProblems(
      in: """
        @Record
        struct Event {
          var id: UUID
          @Stored(as: .dateTxt) var start: Date
        }
        """,
      [
        DiagnosticSpec(
          message: "there is no coding named 'dateTxt'", line: 4, column: 15,
          fixIts: [FixItSpec(message: "replace it with 'dateText'")])
      ],
      fixed: """
        @Record
        struct Event {
          var id: UUID
          @Stored(as: .dateText) var start: Date
        }
        """)
    expectProblems(
      in: "@Record struct Event { var id: UUID; @Stored(as: coding) var start: Date }",
      [
        DiagnosticSpec(
          message: "expected the name of a coding, like '.json', or a type, like 'MyCoding.self'", line: 1, column: 50)
      ])
  }

  @Test("Names and SQL expressions must be literals")
  func literals() {
    let message = "expected a string literal without interpolation: a macro reads only source text"
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          @Stored(name) var name: String
          @Stored(default: expression) var created: Int
        }
        """,
      [
        DiagnosticSpec(message: message, line: 4, column: 11),
        DiagnosticSpec(message: message, line: 5, column: 20),
      ])
  }
}
