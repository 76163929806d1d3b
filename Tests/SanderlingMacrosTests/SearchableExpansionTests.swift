import SwiftSyntaxMacrosGenericTestSupport
import Testing

@Suite("Searchable texts")
struct SearchableExpansionTests {
  @Test("The table stores the folds of searchable texts")
  func texts() {
    expectExpansion(
      of: """
        @Record
        struct Note {
          var id: UUID
          @Searchable var title: String
          @Searchable @Stored("by") var author: String?
        }
        """,
      contains: """
        .init("title", as: _Codings.title.self, searchable: [.prefix]),
        """)
    expectExpansion(
      of: """
        @Record
        struct Note {
          var id: UUID
          @Searchable @Stored("by", collation: .nocase) var author: String?
        }
        """,
      contains: """
        .init("by", property: "author", as: _Codings.author.self, collation: .nocase, searchable: [.prefix]),
        """)
  }

  @Test("Only texts can be searchable, and only once")
  func wrongUses() {
    expectProblems(
      in: """
        @Record
        struct Note {
          var id: UUID
          @Searchable var size: Int
          @Searchable @Stored(as: .json) var title: String
          @Searchable @Searchable var name: String
        }
        """,
      [
        DiagnosticSpec(
          message: "@Searchable needs a property of the type 'String' or 'String?', not 'Int'", line: 4, column: 3,
          fixIts: [FixItSpec(message: "remove '@Searchable'")]),
        DiagnosticSpec(
          message: "@Searchable needs a text that is stored without a coding: remove 'as:' from the @Stored of 'title'",
          line: 5,
          column: 3,
          fixIts: [FixItSpec(message: "remove '@Searchable'")]),
        DiagnosticSpec(
          message: "this property has @Searchable twice: list all kinds of searches in the first attribute", line: 6,
          column: 15,
          fixIts: [FixItSpec(message: "remove '@Searchable'")]),
      ],
      fixed: """
        @Record
        struct Note {
          var id: UUID
          var size: Int
          @Stored(as: .json) var title: String
          @Searchable var name: String
        }
        """)
  }

  @Test("No other property can use the column of the folds")
  func takenName() {
    expectProblems(
      in: """
        @Record
        struct Note {
          var id: UUID
          @Searchable var title: String
          @Stored("TITLE_FOLDED") var other: String
        }
        """,
      [
        DiagnosticSpec(
          message: """
            the column 'title_folded' stores the folded text of 'title': give the other property another column with \
            '@Stored("…")'
            """, line: 4, column: 19)
      ])
  }
}
