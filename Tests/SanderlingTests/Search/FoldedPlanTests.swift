import GRDB
import Testing

@testable import Sanderling

/// The index of the folded texts serves conditions on them.
@Suite struct FoldedPlanTests {
  let store: Store

  init() throws {
    store = try Store(inMemory: searchSchema)
  }

  private func plan<Root, Output>(_ query: Selection<Root, Output>) async throws -> [String] {
    try await store.plan(query.sql)
  }

  @Test func equalityAndMembership() async throws {
    #expect(
      try await plan(SearchedNote.where { $0.title.folded == "Éa" }) == [
        "SEARCH searchedNote USING INDEX searchedNote_on_title_folded (title_folded=?)"
      ])
    #expect(
      try await plan(SearchedNote.where { $0.author.folded.in(["Éa", "b"]) }) == [
        "SEARCH searchedNote USING INDEX searchedNote_on_author_folded (author_folded=?)"
      ])
  }

  @Test func prefixes() async throws {
    #expect(
      try await plan(SearchedNote.where { $0.title.folded.hasPrefix("Éa") }.order { $0.title.folded }.limit(50)) == [
        "SEARCH searchedNote USING INDEX searchedNote_on_title_folded (title_folded>? AND title_folded<?)"
      ])
    #expect(
      try await plan(SearchedNote.where { $0.title.folded.hasPrefix("\u{10FFFF}") }) == [
        "SEARCH searchedNote USING INDEX searchedNote_on_title_folded (title_folded>?)"
      ])
  }

  @Test func orderings() async throws {
    for query in [
      SearchedNote.order { $0.title.folded }.limit(50), SearchedNote.order { ($0.title.folded, $0.id) }.limit(50),
      SearchedNote.order { $0.title.folded.descending }.limit(50),
    ] {
      #expect(try await plan(query) == ["SCAN searchedNote USING INDEX searchedNote_on_title_folded"])
    }
  }

  @Test func groupsAndAssociations() async throws {
    #expect(
      try await plan(SearchedNote.group { $0.title.folded }.select { ($0.title.folded, $0.count()) }) == [
        "SCAN searchedNote USING COVERING INDEX searchedNote_on_title_folded"
      ])
    let plan = try await plan(SearchedNote.where { $0.book.name.folded == "x" })
    #expect(plan.contains { $0.contains("book name_folded") || $0.contains("SEARCH") }, "\(plan)")
  }

  @Record struct Clip {
    var id: Int
    var place: Int
    @Searchable var title: String
    static let indexes: [Sanderling.Index<Clip>] = [
      .on(.ascending(\.place), .ascending(\.title.folded)), .on(.descending(\.title.folded)),
    ]
  }

  @Record struct UniqueClip {
    var id: Int
    @Searchable var title: String
    static let indexes: [Sanderling.Index<UniqueClip>] = [.unique(on: .ascending(\.title.folded))]
  }

  /// An index of the record that begins with the folded text replaces the store's own index.
  @Test func indexesOfTheRecord() async throws {
    let schema = try StoreSchema([Clip.self])
    #expect(
      schema.tables[0].indexes.map(\.sql) == [
        "CREATE INDEX \"clip_on_place_title_folded\" ON \"clip\" (\"place\", \"title_folded\")",
        "CREATE INDEX \"clip_on_title_folded_desc\" ON \"clip\" (\"title_folded\" DESC)",
      ])
    let store = try Store(inMemory: [Clip.self])
    #expect(
      try await store.plan(
        Clip.where { $0.place == 1 && $0.title.folded.hasPrefix("x") }.order { $0.title.folded }.limit(9).sql) == [
          "SEARCH clip USING INDEX clip_on_place_title_folded (place=? AND title_folded>? AND title_folded<?)"
        ])
    let error = #expect(throws: SchemaError.self) { try StoreSchema([UniqueClip.self]) }
    #expect(error?.problems.first?.contains("folded texts can't be unique") == true)
  }

  /// The store's own statements never scan the table.
  @Test func statementsOfTheStore() async throws {
    let column = try #require(SearchedNote.table.folded.first)
    for sql in PendingFolds(column, of: SearchedNote.table).statements {
      let plan = try await store.writer.write { db in
        _ = try TextFunctions.registering(on: db) { try db.makeStatement(sql: sql) }
        return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: sql.contains("?") ? [1] : [])
          .map { $0["detail"] as String }
      }
      // Each row is updated by its key, and the others are found by the index.
      let path =
        sql.hasPrefix("UPDATE")
        ? "USING INTEGER PRIMARY KEY (rowid=?)" : "searchedNote_on_title_folded (title_folded=?)"
      #expect(plan.contains { $0.contains(path) }, "\(plan)")
      #expect(!plan.contains { $0.hasPrefix("SCAN searchedNote") }, "\(plan)")
    }
  }
}
