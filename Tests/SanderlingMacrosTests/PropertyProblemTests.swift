import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Problems with a record's properties")
struct PropertyProblemTests {
  @Test("The type must be written out unless the initial value names it")
  func missingType() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          var name = makeName()
          var kind = Kind(rawValue: "standard")
          var other = Self.standard
          var rank = Tag.first
          var count = Int("5")
        }
        """,
      ["name", "kind", "other", "rank", "count"].enumerated().map { offset, name in
        DiagnosticSpec(
          message:
            "write out the type of '\(name)': its initial value doesn't name the type, and a macro can't infer it",
          line: 4 + offset, column: 7, fixIts: [FixItSpec(message: "add the type")])
      },
      fixed: """
        @Record
        struct Tag {
          var id: UUID
          var name: <#Type#> = makeName()
          var kind: Kind = Kind(rawValue: "standard")
          var other: Self = Self.standard
          var rank: Tag = Tag.first
          var count: Int = Int("5")
        }
        """)
  }

  @Test("A collection whose type the initial value names can be stored as JSON")
  func inferredCollections() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          var names = [String]()
        }
        """,
      [
        DiagnosticSpec(
          message: "'[String]' can't be stored in a column", line: 4, column: 15,
          fixIts: [FixItSpec(message: "store it as JSON")])
      ],
      fixed: """
        @Record
        struct Tag {
          var id: UUID
          @Stored(as: .json) var names = [String]()
        }
        """)
  }

  @Test("A constant with a value can't be read")
  func constants() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          let id: UUID
          let version = 1
        }
        """,
      [
        DiagnosticSpec(
          message: "'version' can't be read from the database, since its value is constant", line: 4, column: 3,
          fixIts: [FixItSpec(message: "change it to 'var'")])
      ],
      fixed: """
        @Record
        struct Tag {
          let id: UUID
          var version = 1
        }
        """)
  }

  @Test("A lazy property can't be a column")
  func lazyProperties() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          lazy var name: String = makeName()
        }
        """,
      [
        DiagnosticSpec(
          message: "'name' is lazy, and a lazy property can't be a column", line: 4, column: 3,
          fixIts: [FixItSpec(message: "remove 'lazy'")])
      ],
      fixed: """
        @Record
        struct Tag {
          var id: UUID
          var name: String = makeName()
        }
        """)
  }

  @Test("A tuple pattern can't declare columns")
  func tuplePatterns() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          var (a, b) = (1, 2)
        }
        """,
      [
        DiagnosticSpec(
          message: "a column can't be declared by a tuple pattern: declare each property by itself", line: 4,
          column: 7)
      ])
  }

  @Test(
    "A collection is stored by choice only", arguments: ["[String]", "[String: Int]?", "Set<Int>", "Optional<[Int]>"])
  func collections(type: String) {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          private var values: \(type)
        }
        """,
      [
        DiagnosticSpec(
          message: "'\(type)' can't be stored in a column", line: 4, column: 23,
          fixIts: [FixItSpec(message: "store it as JSON")])
      ],
      fixed: """
        @Record
        struct Tag {
          var id: UUID
          @Stored(as: .json) private var values: \(type)
        }
        """)
  }

  @Test(
    "The choice joins the arguments that are there",
    arguments: [
      ("@Stored(\"v\")", "@Stored(\"v\", as: .json)"),
      ("@Stored(default: \"'[]'\")", "@Stored(as: .json, default: \"'[]'\")"),
      ("@Stored", "@Stored(as: .json)"),
    ])
  func collectionsWithAttribute(attribute: String, fixed: String) {
    expectProblems(
      in: "@Record struct Tag { var id: UUID; \(attribute) var values: [Int] }",
      [
        DiagnosticSpec(
          message: "'[Int]' can't be stored in a column", line: 1, column: 49 + attribute.count,
          fixIts: [FixItSpec(message: "store it as JSON")])
      ],
      fixed: "@Record struct Tag { var id: UUID; \(fixed) var values: [Int] }")
  }

  @Test(
    "Some types are never stored",
    arguments: ["(Int, Int)", "(Int) -> Int", "any Shape", "(any Shape)?", "some Shape", "Any", "Int??", "Tag.Type"])
  func impossibleTypes(type: String) {
    expectProblems(
      in: "@Record struct Tag { var id: UUID; var value: \(type) }",
      [DiagnosticSpec(message: "'\(type)' can't be stored in a column", line: 1, column: 47)])
  }

  @Test("An implicitly unwrapped optional should be an optional")
  func implicitlyUnwrapped() {
    expectProblems(
      in: "@Record struct Tag { var id: UUID; var name: String! }",
      [
        DiagnosticSpec(
          message: "'String!' can't be stored in a column", line: 1, column: 46,
          fixIts: [FixItSpec(message: "make it optional")])
      ],
      fixed: "@Record struct Tag { var id: UUID; var name: String? }")
  }

  @Test("The names of two columns must differ by more than case")
  func duplicateColumns() {
    expectProblems(
      in: """
        @Record
        struct Tag {
          var id: UUID
          var name: String
          @Stored("Name") var title: String
          @Stored("") var other: String
        }
        """,
      [
        DiagnosticSpec(message: "a column needs a name", line: 6, column: 11),
        DiagnosticSpec(
          message: """
            two columns are named 'Name', and SQL ignores case: give one property another column with '@Stored("…")'
            """, line: 5, column: 11),
      ])
  }

  @Test("A column and an association need different names")
  func columnAndAssociation() {
    expectProblems(
      in: #"""
        @Record
        struct TodoTask {
          var id: UUID
          var project: UUID
          static let project = belongsTo(Project.self, by: \.project)
        }
        """#,
      [
        DiagnosticSpec(
          message: "a column and an association are both named 'project': rename the association", line: 5, column: 14)
      ])
  }

  @Test("A to-one association must show its key")
  func hiddenToOneKey() {
    expectProblems(
      in: """
        @Record
        struct TodoTask {
          var id: UUID
          static let project: BelongsTo<TodoTask, Project> = makeProject()
        }
        """,
      [
        DiagnosticSpec(
          message: """
            write this association as 'belongsTo(…, by: …)', so that the macro sees whether its key is optional
            """, line: 4, column: 14)
      ])
  }
}
