import Foundation
import Testing

@testable import Sanderling

/// A query has the same order wherever it is read.
@MainActor @Suite struct OneOrderTests {
  @Record(indexes: [.on(\.rank)])
  struct Track: Hashable {
    var id: Int
    var rank: Int?
    var name: String
    @References(Album.self) var albumID: UUID?
    static let album = belongsTo(Album.self, by: \.albumID)
  }

  /// A record whose key is not a rowid.
  @Record(indexes: [.on(\.rank)])
  struct Album: Hashable {
    var id: UUID
    var rank: Int?
    var name: String
    var parentID: UUID?
    static let tracks = hasMany(Track.self, by: \.albumID)
    static let parts = hasMany(Album.self, by: \.parentID)
    static let all = hasMany(Album.self, by: \.parentID).recursive()
  }

  /// A record whose key is two columns, one with a collation.
  @Record
  struct Place: Hashable {
    @PrimaryKey @Stored(collation: .nocase) var shelf: String
    @PrimaryKey var number: Int
    var rank: Int?
    var name: String
  }

  @Projection(of: Track.self)
  struct TrackName: Hashable {
    var id: Int
    var name: String
    var doubled: Int
    static let doubled = aggregate { $0.album.tracks.count }
  }

  private static let schema: [any StoredRecord.Type] = [Album.self, Track.self, Place.self]

  /// Makes a store of rows with many ties, inserted in another order than that of their keys.
  private static func store(_ random: inout SeededGenerator) async throws -> Store {
    let store = try Store(inMemory: schema, liveInterval: .zero)
    let albums = (0..<12).map { number in
      Album(
        id: UUID(UInt64(number)), rank: [nil, 1, 1, 2].randomElement(using: &random)!,
        name: ["a", "b"].randomElement(using: &random)!, parentID: number < 4 ? nil : UUID(UInt64(number % 4)))
    }.shuffled(using: &random)
    let tracks = (0..<40).map { id in
      Track(
        id: id, rank: [nil, 1, 1, 2].randomElement(using: &random)!,
        name: ["a", "b", "c"].randomElement(using: &random)!,
        albumID: Bool.random(using: &random) ? nil : albums.randomElement(using: &random)!.id)
    }.shuffled(using: &random)
    let places = (0..<24).map { number in
      Place(
        shelf: ["a", "B", "c"][number % 3], number: number / 3, rank: [nil, 1].randomElement(using: &random)!,
        name: ["a", "b"].randomElement(using: &random)!)
    }.shuffled(using: &random)
    try await store.write { tx in
      try tx.insert(contentsOf: albums)
      try tx.insert(contentsOf: tracks)
      try tx.insert(contentsOf: places)
    }
    return store
  }

  @Test func equalRowsAreOrderedByTheirKeys() async throws {
    let store = try Store(inMemory: Self.schema)
    try await store.write { try $0.insert(contentsOf: [2, 4, 1, 3].map { Track(id: $0, rank: 1, name: "a") }) }
    for (query, expected) in [
      (Track.order { $0.rank.descending }, [4, 3, 2, 1]), (Track.order { $0.rank }, [1, 2, 3, 4]),
      (Track.order { ($0.rank, $0.name.descending) }, [4, 3, 2, 1]),
      (Track.order { ($0.rank.descending, $0.name) }, [1, 2, 3, 4]),
      (Track.order { $0.rank }.reversed(), [4, 3, 2, 1]),
      (Track.order { $0.rank.descending.nullsLast }, [4, 3, 2, 1]),
      // A repeated ordering has no effect.
      (Track.order { ($0.rank.descending, $0.rank) }, [4, 3, 2, 1]),
    ] {
      #expect(try await store.fetch(query).map(\.id) == expected)
      #expect(try await store.pages(of: query, size: 3).first().rows.map(\.id) == Array(expected.prefix(3)))
      #expect(try await store.fetchFirst(query)?.id == expected[0])
      #expect(try await store.fetch(query.limit(2, offset: 1)).map(\.id) == Array(expected[1..<3]))
      #expect(try await store.fetch(query.select(TrackName.self)).map(\.id) == expected)
      #expect(try await store.fetch(query.select(TrackName.self).limit(2)).map(\.id) == Array(expected.prefix(2)))
    }
  }

  @Test func theSQLSaysSo() throws {
    func order<Root, Output>(_ query: Selection<Root, Output>) throws -> String {
      try String(query.sql.sql.split(separator: " ORDER BY ").last ?? "")
    }
    #expect(try order(Track.order { $0.rank.descending }) == #""track"."rank" DESC, "track"."id" DESC"#)
    #expect(try order(Track.order { ($0.id.descending, $0.rank) }) == #""track"."id" DESC, "track"."rank""#)
    #expect(
      try order(Place.order { $0.number.descending }) == #""place"."number" DESC, "place"."shelf" DESC"#)
    #expect(
      try order(Track.group { $0.name }.select { ($0.name, $0.count()) }.order { $0.count().descending })
        == #"COUNT(*) DESC, "track"."name" DESC"#)
    #expect(
      try order(Track.select { ($0.name, $0.rank) }.distinct().order { $0.rank.descending })
        == #""track"."rank" DESC, "track"."name" DESC"#)
    // These queries need no order: one value, and rows in no order.
    #expect(try !Track.select { $0.count() }.sql.sql.contains("ORDER BY"))
    #expect(try !Track.where { $0.rank == 1 }.sql.sql.contains("ORDER BY"))
  }

  @Test func randomOrders() async throws {
    var random = SeededGenerator()
    for round in 0..<25 {
      let comment: Testing.Comment = "SANDERLING_SEED=\(random.seed), round \(round)"
      let store = try await Self.store(&random)
      let track = Track.fields
      try await compare(
        Track.query,
        [
          track.rank.ascending, track.name.ascending, track.name.lowercased().ascending, track.album.name.ascending,
          track.album.tracks.count.ascending, track.id.ascending, track.rank.ascending.nullsLast,
        ], store, &random, comment
      ) { .integer(Int64($0.id)) }
      let album = Album.fields
      try await compare(
        Album.query,
        [album.rank.ascending, album.name.ascending, album.tracks.count.ascending, album.rank.descending.nullsFirst],
        store, &random, comment
      ) { UUID.encode($0.id) }
      let place = Place.fields
      try await compare(
        Place.query, [place.rank.ascending, place.name.ascending, place.number.ascending, place.shelf.ascending], store,
        &random, comment
      ) { .text("\($0.shelf)\($0.number)") }
    }
  }

  /// Compares all ways to read a query in one random order.
  private func compare<R: StoredRecord & Equatable>(
    _ query: Selection<R, R>, _ keys: [Ordering], _ store: Store, _ random: inout SeededGenerator,
    _ comment: Testing.Comment, _ key: (R) -> StorageValue
  ) async throws {
    let orderings = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      let ordering = keys.randomElement(using: &random)!
      return Bool.random(using: &random) ? ordering : ordering.reversed
    }
    let ordered = query.order(orderings)
    let expected = try await store.fetch(ordered)
    #expect(Set(expected.map(key)).count == expected.count, comment)
    // The reversed query returns the same rows in the opposite order.
    #expect(try await store.fetch(ordered.reversed()) == expected.reversed(), comment)
    let size = Int.random(in: 1...9, using: &random)
    var paged: [R] = []
    for try await page in store.pages(of: ordered, size: size) { paged += page.rows }
    #expect(paged == expected, comment)
    var backwards: [R] = []
    for try await page in store.pages(of: ordered, size: size).reversed() { backwards = page.rows + backwards }
    #expect(backwards == expected, comment)
    let offset = Int.random(in: 0..<expected.count, using: &random)
    #expect(
      try await store.fetch(ordered.limit(size, offset: offset)) == Array(expected.dropFirst(offset).prefix(size)),
      comment)
    let list = store.liveList(ordered, window: size)
    let whole = store.liveList(ordered, window: 1000)
    let long = store.longList(ordered, visible: size)
    _ = (list.rows, whole.rows, long.current)
    await store.settled()
    #expect(list.elements == Array(expected.prefix(size)), comment)
    #expect(whole.elements == expected, comment)
    #expect(try await long.rows(at: 0..<expected.count).rows == expected, comment)
    // If the order depends on the record alone, Swift sorts the records in the same way.
    let isOwn = try expected.allSatisfy { record in
      do {
        _ = try ordered.areInIncreasingOrder(record, record)
        return true
      } catch StoreError.invalidQuery { return false }
    }
    if isOwn {
      #expect(try expected.shuffled(using: &random).sorted(by: ordered.areInIncreasingOrder) == expected, comment)
    }
    // Moved and inserted rows are sorted among equal rows.
    try await store.write { tx in
      try tx.execute("UPDATE \(raw: R.table.name) SET rank = CASE rank WHEN 1 THEN 2 ELSE 1 END WHERE rowid % 3 = 0")
    }
    await store.settled()
    let changed = try await store.fetch(ordered)
    #expect(list.elements == Array(changed.prefix(size)), comment)
    #expect(whole.elements == changed, comment)
    #expect(try await long.rows(at: 0..<changed.count).rows == changed, comment)
  }

  /// Without an ordering, lists and pages sort rows by their keys, too.
  @Test func withoutAnOrderingRowsComeByTheirKeys() async throws {
    var random = SeededGenerator()
    let store = try await Self.store(&random)
    let query = Album.where { $0.rank == 1 }
    let list = store.liveList(query, window: 100)
    let long = store.longList(query, visible: 5)
    let limited = store.liveList(query.limit(3), window: 100)
    _ = (list.rows, long.current, limited.rows)
    await store.settled()
    let expected = try await store.fetch(query.order { $0.id })
    #expect(list.elements == expected && limited.elements == Array(expected.prefix(3)))
    #expect(try await long.rows(at: 0..<expected.count).rows == expected)
    #expect(try await store.pages(of: query, size: 100).first().rows == expected)
    #expect(try expected.shuffled(using: &random).sorted(by: query.areInIncreasingOrder) == expected)
  }

  @Test func groupsDistinctValuesAndSections() async throws {
    var random = SeededGenerator()
    let store = try await Self.store(&random)
    for isDescending in [false, true] {
      @Sendable func way(_ ordering: Ordering) -> Ordering { isDescending ? ordering.reversed : ordering }
      let groups = Track.group { ($0.name, $0.rank) }.select { ($0.name, $0.rank, $0.count()) }
        .order([way(Track.fields.name.count().ascending)])
      let distinct = Track.select { ($0.name, $0.rank) }.distinct().order([way(Track.fields.rank.ascending)])
      let counts = Track.group { ($0.name, $0.rank) }.select { $0.count() }.distinct()
      let fetched = try await (store.fetch(groups).map { "\($0)" }, store.fetch(distinct).map { "\($0)" })
      let (first, second, third) = (store.liveList(groups), store.liveList(distinct), store.liveList(counts))
      _ = (first.rows, second.rows, third.rows)
      await store.settled()
      #expect(first.elements.map { "\($0)" } == fetched.0 && second.elements.map { "\($0)" } == fetched.1)
      // Groups whose selected values are equal are one row.
      #expect(third.elements == (try await store.fetch(counts.order { $0.count() })))
      #expect(Set(third.elements).count == third.elements.count)
      var paged: ([String], [String]) = ([], [])
      for try await page in store.pages(of: groups, size: 2) { paged.0 += page.rows.map { "\($0)" } }
      for try await page in store.pages(of: distinct, size: 2) { paged.1 += page.rows.map { "\($0)" } }
      #expect(paged == fetched)

      let sectioned = Track.query.order([way(Track.fields.name.ascending)]).sectioned { $0.rank }
        .sectionOrder { way($0.name.countDistinct().ascending) }
      let list = store.liveSections(sectioned)
      _ = list.sections
      await store.settled()
      #expect(list.sections.map(\.key) == (try await store.fetch(sectioned.headers)).map(\.key))
      for section in list.sections {
        #expect(Array(section.rows) == (try await store.fetch(sectioned.rows(in: section.key))))
      }
    }
  }

  @Test func childrenAndTrees() async throws {
    var random = SeededGenerator()
    let store = try await Self.store(&random)
    for isDescending in [false, true] {
      @Sendable func way(_ ordering: Ordering) -> Ordering { isDescending ? ordering.reversed : ordering }
      for limit in [nil, 2] {
        @Sendable func tracks(_ query: Selection<Track, Track>) -> Selection<Track, Track> {
          let ordered = query.order([way(Track.fields.rank.ascending)])
          return limit.map { ordered.limit($0) } ?? ordered
        }
        @Sendable func parts(_ query: Selection<Album, Album>) -> Selection<Album, Album> {
          let ordered = query.order([way(Album.fields.rank.ascending)])
          return limit.map { ordered.limit($0) } ?? ordered
        }
        let query = Album.order { $0.id }.with(Album.tracks.prefetch(tracks), Album.all.prefetch(parts))
        for (album, children, descendants) in try await store.fetch(query) {
          #expect(children == (try await store.fetch(tracks(Track.where { $0.albumID == album.id }))))
          let ids = Set(descendants.map(\.id))
          if limit == nil { #expect(descendants == (try await store.fetch(parts(Album.where { $0.id.in(ids) })))) }
          #expect(descendants.count <= limit ?? .max)
        }
      }
      let tree = Album.parts.tree().orderSiblings { way($0.rank.ascending) }
      let rows = try await store.fetch(tree)
      let roots = rows.filter { $0.depth == 0 }.map(\.record)
      #expect(
        roots == (try await store.fetch(Album.where { $0.parentID == nil }.order([way(Album.fields.rank.ascending)]))))
      let list = store.liveList(tree)
      _ = list.rows
      await store.settled()
      #expect(list.elements.map(\.record) == rows.map(\.record))
    }
  }

  /// An index on a list's ordering serves its whole order, in both directions.
  @Test(arguments: [false, true]) func anIndexServesTheOrder(isDescending: Bool) async throws {
    let store = try Store(inMemory: Self.schema)
    let query = Track.order { isDescending ? $0.rank.descending : $0.rank.ascending }
    let statements = try RowStatements(query.statement)
    let served = ["SCAN track USING INDEX track_on_rank"]
    #expect(try await store.plan(query.sql) == served)
    #expect(try await store.plan(query.limit(50).sql) == served)
    #expect(try await store.plan(statements.first(50)) == served)
    #expect(try await store.plan(statements.ordered()) == served)
    let following = try statements.after([.integer(1), .integer(7)], count: 50)
    #expect(!following.isEmpty)
    for statement in following {
      let plan = try await store.plan(statement)
      #expect(plan.count == 1 && plan[0].hasPrefix("SEARCH track USING INDEX track_on_rank (rank"), "\(plan)")
    }
    #expect(try await store.pages(of: query, size: 50).explain().isServed)
  }
}
