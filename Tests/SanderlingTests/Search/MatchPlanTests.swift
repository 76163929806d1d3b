import GRDB
import Testing

@testable import Sanderling

/// Full-text indexes serve searches.
@Suite struct MatchPlanTests {
  let store: Store

  init() throws {
    store = try Store(inMemory: matchSchema)
  }

  private func plan<Root, Output>(_ query: Selection<Root, Output>) async throws -> [String] {
    try await store.plan(query.sql)
  }

  private static let byDocument =
    "SEARCH matchedNote USING INTEGER PRIMARY KEY (rowid=?)"

  @Test func words() async throws {
    for query in [
      MatchedNote.where { $0.title.matches("a") }, MatchedNote.where { $0.title.matches("abc", in: .substrings) },
      MatchedNote.where { SearchedTexts($0.title, $0.body).matches("a") && !$0.isPinned },
      MatchedNote.where { SearchedTexts($0.title, $0.tag).matches("abc", in: .substrings) },
    ] {
      #expect(try await plan(query) == [Self.byDocument])
      #expect(try await plan(query.order { $0.id }.limit(50)) == [Self.byDocument])
      #expect(try await plan(query.order { $0.tag }.limit(50)) == [Self.byDocument, "USE TEMP B-TREE FOR ORDER BY"])
    }
    let either = try await plan(MatchedNote.where { $0.title.matches("a") || $0.tag.matches("abc", in: .substrings) })
    #expect(either == [Self.byDocument, Self.byDocument])
  }

  /// If few rows are found by their keys, the search reads these rows instead of asking the index for all rows with a
  /// word.
  @Test func fewRowsByTheirKeys() async throws {
    for query in [
      MatchedNote.where { $0.title.matches("a") && $0.id == 5 },
      MatchedNote.where { $0.author.name.matches("a") && $0.id.in([1, 2]) },
    ] {
      #expect(try query.sql.sql.contains("sanderling_matches"))
      #expect(try !query.sql.sql.contains("MATCH "))
      #expect(try await plan(query).first == Self.byDocument)
    }
    let id = MatchedAuthor.all[0].id
    let author = MatchedAuthor.where { $0.id == id && $0.notes.contains { $0.title.matches("a") } }
    #expect(try !author.sql.sql.contains("MATCH "))
    // The other side of the OR may select many rows. So the full-text index serves the search.
    let either = MatchedNote.where { $0.title.matches("a") && ($0.id == 5 || $0.isPinned) }
    #expect(try either.sql.sql.contains("MATCH "))
  }

  @Test func prefixes() async throws {
    #expect(
      try await plan(MatchedNote.where { $0.title.matches("a", in: .prefix) }.order { $0.title.folded }.limit(50)) == [
        "SEARCH matchedNote USING INDEX matchedNote_on_title_folded (title_folded>? AND title_folded<?)"
      ])
  }

  /// A search in associated texts uses the search index of the associated table.
  @Test func associations() async throws {
    #expect(
      try await plan(MatchedNote.where { $0.author.name.matches("a") }) == [
        "SEARCH matchedAuthor USING INDEX matchedAuthor_on_sanderling_document (sanderling_document=?)",
        "SEARCH matchedNote USING INDEX matchedNote_on_authorID (authorID=?)",
      ])
    #expect(
      try await plan(MatchedAuthor.where { $0.notes.contains { $0.title.matches("a") } }) == [
        "SEARCH matchedAuthor USING INDEX sqlite_autoindex_matchedAuthor_1 (id=?)", Self.byDocument,
      ])
  }

  /// An ordering by relevance reads the index once for all rows.
  @Test func relevance() async throws {
    let plan = try await plan(
      MatchedNote.where { $0.title.matches("a") }.order { $0.title.relevance(of: "a").descending })
    #expect(plan.count == 3)
    #expect(plan.first == Self.byDocument)
    #expect(plan.contains { $0.hasSuffix("USING AUTOMATIC COVERING INDEX (document=?)") })
  }

  /// The store's own statements never scan the searched table.
  @Test func statementsOfTheStore() async throws {
    let documents = try #require(PendingDocuments(MatchedNote.table))
    for sql in documents.statements {
      let arguments = [StorageValue](repeating: .integer(1), count: sql.count { $0 == "?" })
      let plan = try await store.plan(SQLStatement(sql: sql, arguments: arguments))
      #expect(!plan.contains { $0.hasPrefix("SCAN matchedNote") }, "\(sql): \(plan)")
    }
  }

  /// Triggers look up each written row by conditions that use indexes.
  @Test func conditionsOfTriggers() async throws {
    let index = try #require(MatchedNote.table.searchIndex)
    let rows = "SELECT row.id FROM matchedNote AS row WHERE row.id = 5 AND"
    for (condition, name) in [(index.isSettled("row"), "waiting"), (index.isIndexedAndSettled("row"), "indexed")] {
      let plan = try await store.plan(SQLStatement(sql: "\(rows) \(condition)", arguments: []))
      #expect(plan.contains { $0.hasPrefix("SEARCH \(name) USING ") }, "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
    }
  }
}
