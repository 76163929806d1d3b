import Foundation
import GRDB
import Testing

@testable import Sanderling

/// The composed and the decomposed "é" are equal in Swift, and different in SQLite and in the store.
@Suite struct ExactTextTests {
  private static let composed = "\u{E9}"
  private static let decomposed = "e\u{301}"

  enum Mark: String, SortableColumnValue { case e = "\u{E9}", other }

  @Record struct Note: Hashable {
    var id: Int64
    var mark: Mark
  }

  @Record("\u{E9}") struct Composed: Hashable {
    var id: Int64
    @Stored("\u{E9}") var text: String
  }

  @Record("e\u{301}") struct Decomposed: Hashable {
    var id: Int64
    @Stored("e\u{301}") var text: String
  }

  /// A quote followed by a combining mark is a single character in Swift, and is still quoted correctly.
  @Test(arguments: ["'", "'\u{301}", "\"\u{301}'\u{9C7}''\u{301}", "\u{0}'\u{301}", "'\u{200D}"])
  func quotesWithMarks(_ text: String) async throws {
    let store = try Store(inMemory: [Note.self])
    let read = try await store.fetch(
      RawQuery(
        "SELECT \(raw: text.quotedLiteral) AS \(raw: ("x" + text.filter { $0 != "\u{0}" }).quotedIdentifier)",
        as: String.self))
    #expect(read.map { Array($0.utf8) } == [Array(text.utf8)])
  }

  @Test func casesOfEnumerations() async throws {
    let store = try Store(inMemory: [Note.self])
    try await store.write("add") { tx in
      try tx.insert(Note(id: 1, mark: .e))
      try tx.execute("INSERT INTO note VALUES (2, \(Self.decomposed))")
    }
    // Row 2 must not be read as this case, because SQL doesn't find the row by it.
    #expect(try await store.fetch(Note.where { $0.mark == .e }) == [Note(id: 1, mark: .e)])
    await #expect(
      throws: StoreError.unreadableValue(
        table: "note", column: "mark", reason: "the stored value is no case of Mark, in the row with id 2")
    ) { try await store.fetch(Note.query) }
    #expect(throws: ValueError.self) { try Mark.decode(.text(Self.decomposed)) }
    #expect(try Mark.decode(.text(Self.composed)) == .e)
  }

  /// Two statements with canonically equivalent literals are different. GRDB's cache would run the first for both.
  @Test func literals() async throws {
    let store = try Store(inMemory: [Note.self])
    for text in [Self.composed, Self.decomposed] {
      let bytes = try await store.texts("SELECT hex('\(raw: text)')")
      #expect(bytes == [text.utf8.map { String(format: "%02X", $0) }.joined()])
    }
  }

  @Test func namesOfTablesAndColumns() async throws {
    let folder = TemporaryFolder()
    for _ in 1...2 {
      let store = try folder.store(schema: [Composed.self, Decomposed.self])
      try await store.write("add") { tx in
        try tx.upsert(Composed(id: 1, text: "composed"))
        try tx.upsert(Decomposed(id: 1, text: "decomposed"))
      }
      #expect(try await store.fetch(Composed.self, key: 1)?.text == "composed")
      #expect(try await store.fetch(Decomposed.self, key: 1)?.text == "decomposed")
      try store.close()
    }
    let names = try await DatabaseQueue(path: folder.path()).read { db in
      try String.fetchAll(db, sql: "SELECT hex(name) FROM sanderling_schema ORDER BY 1")
    }
    #expect(names.filter { $0 == "C3A9" || $0 == "65CC81" } == ["65CC81", "C3A9"])
  }

  enum Versions {
    @Record struct Entry: Hashable {
      var id: Int64
      @Stored(default: "'\u{E9}'") var name: String
      static let indexes: [Sanderling.Index<Entry>] = [
        .on(.ascending(\.name), name: "named").where { $0.name != "\u{E9}" }
      ]
    }
  }

  enum LaterVersions {
    @Record struct Entry: Hashable {
      var id: Int64
      @Stored(default: "'e\u{301}'") var name: String
      static let indexes: [Sanderling.Index<Entry>] = [
        .on(.ascending(\.name), name: "named").where { $0.name != "e\u{301}" }
      ]
    }
  }

  /// A migration notices a default and an index's condition that change in bytes only.
  @Test func definitionsThatChange() async throws {
    let folder = TemporaryFolder()
    try folder.store(schema: [Versions.Entry.self]).close()
    let store = try folder.store(schema: [LaterVersions.Entry.self])
    try await store.write("add") { try $0.execute("INSERT INTO entry (id) VALUES (1)") }
    #expect(try await store.texts("SELECT hex(name) FROM entry") == ["65CC81"])
    let index = try await store.texts("SELECT hex(sql) FROM sqlite_schema WHERE name = 'named'")
    #expect(index[0].contains("65CC81") && !index[0].contains("C3A9"))
    let noted = try await store.texts("SELECT hex(sql) FROM sanderling_schema WHERE name IN ('entry', 'named')")
    #expect(noted.count == 2 && noted.allSatisfy { $0.contains("65CC81") && !$0.contains("C3A9") })
  }

  @Test func prefetchedParents() async throws {
    let store = try Store(inMemory: [Place.self, Visit.self])
    try await store.write("add") { tx in
      try tx.insert(contentsOf: [Place(name: Self.composed, rank: 1), Place(name: Self.decomposed, rank: 2)])
      try tx.insert(contentsOf: [
        Visit(id: 1, placeName: Self.composed), Visit(id: 2, placeName: Self.decomposed),
      ])
    }
    let rows = try await store.fetch(Visit.order { $0.id }.with(Visit.place.prefetch()))
    #expect(rows.map { $0.1?.rank } == [1, 2])
  }

  @Record struct Place: Hashable {
    @PrimaryKey var name: String
    var rank: Int
  }

  @Record struct Visit: Hashable {
    var id: Int64
    @References(Place.self) var placeName: String
    static let place = belongsTo(Place.self, by: \.placeName)
  }
}
