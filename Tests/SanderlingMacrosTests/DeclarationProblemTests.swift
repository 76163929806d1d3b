import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Problems with a record's declaration")
struct DeclarationProblemTests {
  @Test("A class should be a struct")
  func classes() {
    expectProblems(
      in: """
        @Record
        class Tag {
          var id: UUID
        }
        """,
      [
        DiagnosticSpec(
          message: "@Record applies to structs", line: 2, column: 1,
          fixIts: [FixItSpec(message: "change it to 'struct'")])
      ],
      fixed: """
        @Record
        struct Tag {
          var id: UUID
        }
        """)
  }

  @Test("Enumerations and actors can't be records", arguments: ["enum", "actor"])
  func otherTypes(keyword: String) {
    expectProblems(
      in: "@Record public \(keyword) Tag {}",
      [DiagnosticSpec(message: "@Record applies to structs", line: 1, column: 16)])
  }

  @Test("A generic type can't be a record")
  func generics() {
    let message =
      "@Record can't be applied to a generic type, or inside of one: declare a struct for each concrete type"
    expectProblems(
      in: "@Record struct Box<Value> { var id: UUID }",
      [DiagnosticSpec(message: message, line: 1, column: 16)])
    expectProblems(
      in: "struct Outer<Value> { @Record struct Box { var id: UUID } }",
      [DiagnosticSpec(message: message, line: 1, column: 38)])
  }

  @Test("A private type in another type is hidden from the generated extension")
  func privateTypes() {
    expectProblems(
      in: "enum Outer { @Record private struct Tag { var id: UUID } }",
      [
        DiagnosticSpec(
          message: """
            'Tag' can't be private inside another type: the extension that the macro generates stands outside and can't see it
            """,
          line: 1, column: 22, fixIts: [FixItSpec(message: "change it to 'fileprivate'")])
      ],
      fixed: "enum Outer { @Record fileprivate struct Tag { var id: UUID } }")
  }

  @Test("A record can't use the names of generated members")
  func takenNames() {
    let message = { (name: String) in
      "the name '\(name)' is reserved for code that @Record and @Projection generate: rename this declaration"
    }
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          var _scope: Int
          var `Type`: Int
          struct Fields {}
          typealias Key = Int
          enum _Codings {}
          static let table = 1
          static let _scope = hasMany(Tag.self, by: \\.id)
        }
        """,
      [
        DiagnosticSpec(message: message("Fields"), line: 6, column: 10),
        DiagnosticSpec(message: message("Key"), line: 7, column: 13),
        DiagnosticSpec(message: message("_Codings"), line: 8, column: 8),
        DiagnosticSpec(message: message("table"), line: 9, column: 14),
        DiagnosticSpec(message: message("_scope"), line: 4, column: 7),
        DiagnosticSpec(message: message("Type"), line: 5, column: 7),
        DiagnosticSpec(message: message("_scope"), line: 10, column: 14),
      ])
  }

  @Test("Columns can't depend on a compilation condition")
  func conditions() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          #if DEBUG
          var note: String
          static let isDebug = true
          #endif
        }
        """,
      [
        DiagnosticSpec(
          message: "a column can't depend on a compilation condition: move the property out of '#if'", line: 5,
          column: 3)
      ])
  }

  @Test("The table's name must be a literal, not empty, and not reserved")
  func tableNames() {
    expectProblems(
      in: "@Record(name) struct Tag { var id: UUID }",
      [
        DiagnosticSpec(
          message: "expected a string literal without interpolation: a macro reads only source text", line: 1,
          column: 9)
      ])
    expectProblems(
      in: #"@Record("") struct Tag { var id: UUID }"#,
      [DiagnosticSpec(message: "a table needs a name", line: 1, column: 9)])
    expectProblems(
      in: #"@Record("SQLite_tag") struct Tag { var id: UUID }"#,
      [DiagnosticSpec(message: "table names that start with 'sqlite_' are reserved", line: 1, column: 9)])
    expectProblems(
      in: #"@Record("grdb_tag") struct Tag { var id: UUID }"#,
      [DiagnosticSpec(message: "table names that start with 'grdb_' are reserved", line: 1, column: 9)])
  }
}
