import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Problems with a record's key")
struct KeyProblemTests {
  private func missingKey(line: Int, column: Int) -> DiagnosticSpec {
    DiagnosticSpec(
      message: "'Tag' needs a key: a property named 'id', or properties marked @PrimaryKey", line: line,
      column: column, fixIts: [FixItSpec(message: "add 'var id: UUID'")])
  }

  @Test("A record needs a key")
  func noKey() {
    expectProblems(
      in: """
        enum Outer {
          @Record
          struct Tag {
            /// The name.
            var name: String
          }
        }
        """,
      [missingKey(line: 3, column: 10)],
      fixed: """
        enum Outer {
          @Record
          struct Tag {
            var id: UUID
            /// The name.
            var name: String
          }
        }
        """)
    expectProblems(
      in: "@Record struct Tag { var name: String }", [missingKey(line: 1, column: 16)],
      fixed: "@Record struct Tag { var id: UUID; var name: String }")
    expectProblems(
      in: "@Record struct Tag {}", [missingKey(line: 1, column: 16)], fixed: "@Record struct Tag { var id: UUID }")
  }

  @Test("Only a single key of type Int64? may be optional")
  func optionalKeys() {
    let message = { (type: String) in
      "a key can't be optional, as '\(type)' is; exception: a single key of the type 'Int64?', which SQLite assigns"
    }
    let fixIts = [FixItSpec(message: "remove '?'")]
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID?
        }
        """,
      [DiagnosticSpec(message: message("UUID?"), line: 3, column: 11, fixIts: fixIts)],
      fixed: """
        @Record
        struct Tag {
          var id: UUID
        }
        """)
    expectProblems(
      in: """
        @Record
        struct Tagging {
          @PrimaryKey var taskID: Int64?
          @PrimaryKey var tag: Optional<String>
        }
        """,
      [
        DiagnosticSpec(message: message("Int64?"), line: 3, column: 27, fixIts: fixIts),
        DiagnosticSpec(message: message("Optional<String>"), line: 4, column: 24, fixIts: fixIts),
      ],
      fixed: """
        @Record
        struct Tagging {
          @PrimaryKey var taskID: Int64
          @PrimaryKey var tag: String
        }
        """)
  }

  @Test("An assigned key must be an integer in the database")
  func codedAssignedKey() {
    expectProblems(
      in: "@Record struct Tag { @Stored(as: .json) var id: Int64? }",
      [
        DiagnosticSpec(
          message: "SQLite assigns this key as an integer, so it can't have a coding: remove 'as:'", line: 1,
          column: 45)
      ])
  }

  @Test("A property named 'key' that isn't the key must be renamed")
  func propertyNamedKey() {
    expectProblems(
      in: """
        @Record
        struct Setting {
          var id: UUID
          var key: String
        }
        """,
      [
        DiagnosticSpec(
          message: """
            the name 'key' is reserved for the record's key: rename the property, and keep its column with '@Stored("key")'
            """, line: 4, column: 7)
      ])
  }

  @Test("A key with another problem isn't also reported as missing")
  func brokenKey() {
    expectProblems(
      in: "@Record struct Tag { lazy var id: Int = 5 }",
      [
        DiagnosticSpec(
          message: "'id' is lazy, and a lazy property can't be a column", line: 1, column: 22,
          fixIts: [FixItSpec(message: "remove 'lazy'")])
      ])
  }
}
