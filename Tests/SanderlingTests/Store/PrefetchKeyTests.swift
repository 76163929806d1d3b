import Foundation
import Sanderling
import Testing

/// Prefetching by keys of several columns, by keys of several types, and without keys.
@Suite struct PrefetchKeyTests {
  @Record
  struct Shelf: Hashable {
    @PrimaryKey var room: String
    @PrimaryKey var number: Int
    static let books = hasMany(Book.self, by: \.room, \.shelf)
  }

  @Record(indexes: [.on(\.room, \.shelf)])
  struct Book: Hashable {
    var id: Int
    var room: String?
    var shelf: Int?
    static let place = belongsTo(Shelf.self, by: \.room, \.shelf)
  }

  @Record
  struct Tag: Hashable {
    @PrimaryKey @Stored(collation: .nocase) var name: String
    static let labels = hasMany(Label.self, by: \.tag)
  }

  @Record
  struct Label: Hashable {
    var id: Int
    @Stored(collation: .nocase) var tag: String
    static let owner = belongsTo(Tag.self, by: \.tag)
  }

  @Record
  struct Reading: Hashable {
    @PrimaryKey var at: Double
    static let notes = hasMany(Note.self, by: \.at)
  }

  @Record
  struct Note: Hashable {
    var id: Int
    var at: Double
  }

  let store: Store

  init() async throws {
    store = try Store(inMemory: [Shelf.self, Book.self, Tag.self, Label.self, Reading.self, Note.self])
    try await store.write("fill") { tx in
      try tx.insert(contentsOf: [
        Shelf(room: "A", number: 1), Shelf(room: "A", number: 2), Shelf(room: "é", number: 1),
        Shelf(room: "e\u{301}", number: 1),
      ])
      try tx.insert(contentsOf: [
        Book(id: 1, room: "A", shelf: 1), Book(id: 2, room: "A", shelf: 1), Book(id: 3, room: "é", shelf: 1),
        Book(id: 4, room: "e\u{301}", shelf: 1), Book(id: 5, room: "A", shelf: nil), Book(id: 6, room: nil, shelf: nil),
        Book(id: 7, room: "A", shelf: 3),
      ])
      try tx.insert(contentsOf: [Tag(name: "red"), Tag(name: "Blue")])
      try tx.insert(contentsOf: [Label(id: 1, tag: "Red"), Label(id: 2, tag: "BLUE"), Label(id: 3, tag: "red")])
      try tx.insert(contentsOf: [Reading(at: 0.0), Reading(at: 0.1)])
      try tx.insert(contentsOf: [Note(id: 1, at: -0.0), Note(id: 2, at: 0.1), Note(id: 3, at: 0.1.nextUp)])
    }
  }

  @Test func compositeKeys() async throws {
    for limited in [false, true] {
      let shelves = Shelf.order { ($0.room, $0.number) }.with(
        Shelf.books.prefetch { limited ? $0.order { $0.id }.limit(5) : $0.order { $0.id } })
      #expect(
        try await store.fetch(shelves).map { "\($0.room.utf8.count)\($0.number) \($1.map(\.id))" } == [
          "11 [1, 2]", "12 []", "31 [4]", "21 [3]",
        ])
    }
    #expect(
      try await store.fetch(Book.order { $0.id }.with(Book.place.prefetch())).map {
        $1.map { "\($0.room)\($0.number)" }
      } == [
        "A1", "A1", "é1", "e\u{301}1", nil, nil, nil,
      ])
    try await store.expect(
      Shelf.order { ($0.room, $0.number) }.select { ($0.number, $0.books.count, $0.books.max { $0.id }) },
      rows: ["1 | 2 | 2", "2 | 0 | nil", "1 | 1 | 4", "1 | 1 | 3"])
    try await store.expect(
      Book.where { !$0.place.exists }.order { $0.id }.select { ($0.id, $0.place.room) },
      rows: ["5 | nil", "6 | nil", "7 | nil"])
  }

  /// Prefetching compares keys as SQL does: it finds the rows that an aggregate counts.
  @Test func prefetchComparesKeysAsSQLDoes() async throws {
    try await store.expect(Tag.order { $0.name }.select { $0.labels.count }, rows: ["1", "2"])
    for limited in [false, true] {
      let tags = Tag.order { $0.name }.with(
        Tag.labels.prefetch { limited ? $0.order { $0.id }.limit(5) : $0.order { $0.id } })
      #expect(try await store.fetch(tags).map { $1.map(\.id) } == [[2], [1, 3]])
      let readings = Reading.order { $0.at }.with(
        Reading.notes.prefetch { limited ? $0.order { $0.id }.limit(5) : $0.order { $0.id } })
      #expect(try await store.fetch(readings).map { $1.map(\.id) } == [[1], [2]])
    }
    #expect(
      try await store.fetch(Label.order { $0.id }.with(Label.owner.prefetch())).map { $1?.name } == [
        "red", "Blue", "red",
      ])
  }
}
