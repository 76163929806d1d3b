import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Positions of rows in a long list, and differences between its snapshots.
@MainActor
@Suite struct LongListPlaceTests {
  private let folder = TemporaryFolder()

  @Record(indexes: [.on(\.name)])
  struct Word: Equatable {
    var id: Int
    var name: String?
    var length = 0
  }

  private static let sizes = BlockSizes(usual: 8, countedInSlice: 16)

  private func store(_ count: Int, _ name: String = "words.sqlite") async throws -> Store {
    let store = try Store(
      path: folder.path(name), schema: [Word.self], liveInterval: .zero, audit: .everyCommit { Issue.record("\($0)") })
    try await store.write { tx in
      try tx.insert(contentsOf: (0..<count).map { Word(id: $0, name: $0 % 10 == 0 ? nil : Self.name($0), length: $0) })
    }
    return store
  }

  private nonisolated static func name(_ number: Int) -> String {
    String(Character(UnicodeScalar(97 + number * 7 % 26)!)) + "\(number)"
  }

  private static let query = Word.order { $0.name.ascending.nullsLast }

  @Test func positionsAreThoseOfAFreshFetch() async throws {
    let store = try await store(500)
    let fresh = try await store.fetch(Self.query)
    let list = store.longList(Self.query, visible: 4, sizes: Self.sizes)
    for (position, word) in fresh.enumerated() where position % 17 == 0 {
      #expect(try await list.position(of: word.id) == position)
    }
    #expect(try await list.counted() == 500)
    let part = try await list.rows(at: 123..<171)
    #expect(part.rows == Array(fresh[123..<171]) && part.count == 500)
    #expect(try await list.rows(at: 0..<0).rows.isEmpty)
    await #expect(throws: LongListError.outOfBounds(495..<501, count: 500)) { try await list.rows(at: 495..<501) }
    await #expect(throws: LongListError.outOfBounds(-3..<2, count: 500)) { try await list.rows(at: -3..<2) }
    await #expect(throws: LongListError.isGone) { try await list.position(of: 500) }
    await #expect(throws: LongListError.isGone) { try await list.show(key: -1) }
  }

  /// The position of a shown row moves by the list's `shift`, also when rows before it are counted between the answer
  /// and its use.
  @Test func positionsMoveWithTheirRows() async throws {
    let store = try await store(500)
    for key in stride(from: 7, to: 500, by: 29) {
      let list = store.longList(Self.query, visible: 4, sizes: Self.sizes)
      let position = try await list.show(key: key)
      let shift = list.shift
      try await list.counted()
      await store.settled()
      _ = list.current
      #expect(try await list.position(of: key) == position + list.shift - shift, "\(key)")
    }
  }

  /// Swift finds the position of a row by the collation that the record declares. In a table with another collation,
  /// the list fails with an error that names the column.
  @Test func columnWithAnotherCollationFailsTheList() async throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        collation: DatabaseCollation("OWN") {
          $0.count == $1.count ? $0.compare($1) : $0.count < $1.count ? .orderedAscending : .orderedDescending
        })
    }
    let queue = try DatabaseQueue(configuration: configuration)
    try await queue.write { db in
      try db.execute(
        sql: "CREATE TABLE word (id INTEGER PRIMARY KEY, name TEXT COLLATE OWN, length INTEGER NOT NULL)")
    }
    let store = try Store(queue, schema: [Word.self])
    try await store.write { tx in
      try tx.insert(contentsOf: (0..<60).map { Word(id: $0, name: $0 % 2 == 0 ? "a\($0)" : "B\($0)", length: $0) })
    }
    let list = store.longList(Self.query, visible: 4, sizes: Self.sizes)
    let error = await #expect(throws: LongListError.self) { try await list.counted() }
    #expect(error?.description.contains("\"name\" of table word has the collation OWN") == true)
    // The same table works in the order of another column, with the column after the whole key, and with a collation in
    // the query.
    #expect(try await store.longList(Word.order { $0.length }, visible: 4, sizes: Self.sizes).counted() == 60)
    let numbers = store.longList(Word.order { ($0.id.descending, $0.name) }, visible: 4, sizes: Self.sizes)
    #expect(try await numbers.position(of: 18) == 41)
    let collated = Word.order { $0.name.collated(.nocase) }
    let names = store.longList(collated, visible: 4, sizes: Self.sizes)
    let fresh = try await store.fetch(collated)
    #expect(try await names.position(of: fresh[41].id) == 41)
  }

  @Test(arguments: [true, false]) func anyPlaceIsShown(_ isCounted: Bool) async throws {
    let store = try await store(150)
    let fresh = try await store.fetch(Self.query)
    func list() async throws -> LongList<Word> {
      // Small slices leave time to show other positions before all rows are counted.
      let sizes = BlockSizes(usual: 8, countedInSlice: isCounted ? 1_000 : 5)
      let list = store.longList(Self.query, visible: 4, sizes: sizes)
      if isCounted { try await list.counted() }
      return list
    }
    let end = try await list()
    try await end.showEnd()
    #expect(end.shownPositions.map { end[$0]?.id } == fresh.suffix(4).map(\.id))
    try await end.counted()
    await store.settled()
    #expect(end.shownPositions == 146..<150 && end.current[149]?.id == fresh[149].id)

    for (key, _) in [(0, 1), (77, 4), (149, 120)] {
      let byKey = try await list()
      try await byKey.show(key: key)
      let start = byKey.shownPositions.lowerBound
      #expect(byKey.current[start...].contains { $0?.id == key }, "\(key)")
    }
    for prefix in ["a", "ab", "k", "m1", "zz", ""] {
      let byPrefix = try await list()
      let position = try await byPrefix.show(from: prefix)
      let expected = fresh.firstIndex { $0.name.map { $0 >= prefix } ?? true } ?? fresh.count
      if isCounted { #expect(position == expected, "\(prefix)") }
      let shown = byPrefix.shownPositions.map { byPrefix.current[$0]?.id }
      #expect(shown.contains(fresh[min(expected, 149)].id), "\(prefix)")
    }
  }

  /// The cells of a table view by position, updated from changes alone.
  private struct Cells {
    var ids: [Int?] = []

    mutating func apply(_ change: LongChange, _ snapshot: LongSnapshot<Word>) {
      for range in change.removed.reversed() { ids.removeSubrange(range) }
      for range in change.inserted { ids.insert(contentsOf: range.map { snapshot[$0]?.id }, at: range.lowerBound) }
      for range in change.updated { for position in range { ids[position] = snapshot[position]?.id } }
    }
  }

  @Test func changesLeadFromOneSnapshotToTheNext() async throws {
    var generator = SeededGenerator()
    let store = try await store(200)
    let list = store.longList(Self.query, visible: 6, sizes: Self.sizes)
    var last = list.current
    var cells = Cells()
    for step in 0..<60 {
      let ids = (0..<Int.random(in: 0..<6, using: &generator)).map { _ in Int.random(in: 0..<300, using: &generator) }
      let isDeleting = Bool.random(using: &generator)
      let number = Int.random(in: 0..<1_000, using: &generator)
      try await store.write { tx in
        for id in ids {
          if isDeleting {
            try tx.delete(Word.self, key: id)
          } else {
            try tx.upsert(Word(id: id, name: Self.name(number + id), length: number))
          }
        }
      }
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let start = Int.random(in: 0..<max(1, list.positions.count), using: &generator)
        list.show(start..<start + 6)
      }
      await store.settled()
      let snapshot = list.current
      let change = LongChange(from: last, to: snapshot)
      cells.apply(change, snapshot)
      try #require(cells.ids.count == snapshot.positions.count, "step \(step), SANDERLING_SEED=\(generator.seed)")
      for range in snapshot.loadedPositions {
        try #require(
          range.map { cells.ids[$0] } == range.map { snapshot[$0]?.id },
          "step \(step), SANDERLING_SEED=\(generator.seed)")
      }
      last = snapshot
    }
  }

  @Test func shownRowsStayInPlace() async throws {
    let store = try await store(400)
    let list = store.longList(Word.order { $0.length }, visible: 5, sizes: Self.sizes)
    try await list.counted()
    list.show(200..<205)
    try await list.caughtUp()
    #expect(list.current[200]?.id == 200)
    let shift = list.shift
    try await store.write { tx in
      for number in 0..<30 { try tx.insert(Word(id: 1_000 + number, name: "new", length: number * 5)) }
      for number in 100..<110 { try tx.delete(Word.self, key: number) }
    }
    try await list.caughtUp()
    #expect(list.shownPositions == 220..<225 && list.shift - shift == 20)
    #expect(list.shownPositions.map { list.current[$0]?.id } == [200, 201, 202, 203, 204])
    // A list that shows the first row also shows rows that are inserted before it.
    list.show(0..<5)
    try await list.caughtUp()
    try await store.write { try $0.insert(Word(id: 2_000, name: nil, length: -1)) }
    try await list.caughtUp()
    #expect(list.shownPositions == 0..<5 && list.current[0]?.id == 2_000)
  }

  @Test func listLoadsOnlyRowsNearTheShownOnes() async throws {
    let store = try await store(3_000)
    let list = store.longList(Word.order { $0.length }, visible: 10)
    try await list.counted()
    for start in stride(from: 0, to: 3_000, by: 370) {
      list.show(start..<start + 10)
      try await list.caughtUp()
      #expect(list.current.loadedPositions.reduce(0) { $0 + $1.count } <= 3 * 256)
      #expect(list.current[min(start + 9, 2_999)] != nil)
    }
  }

  @Test func listFollowsSuspensionErasureAndClosing() async throws {
    let store = try await store(100)
    let list = store.longList(Self.query, visible: 4, sizes: Self.sizes)
    try await list.counted()
    list.show(50..<54)
    try await list.caughtUp()
    list.suspend()
    try await store.write { try $0.delete(Word.where { $0.id >= 40 }) }
    await store.settled()
    #expect(list.count == 100)
    await #expect(throws: LiveError.suspended) { try await list.rows(at: 0..<1) }
    list.resume()
    try await list.caughtUp()
    #expect(try await list.counted() == 40)
    try await store.erase()
    #expect(try await list.counted() == 0)
    try await store.write { try $0.insert(Word(id: 1, name: "one")) }
    try await list.caughtUp()
    #expect(list.current[0]?.id == 1 && list.count == 1)
    try store.close()
    await #expect(throws: StoreError.closed) { _ = try await list.counted() }
    await store.settled()
    #expect(list.state.error as? StoreError == .closed)
  }

  @Test func queriesWithoutPlacesSayWhy() async throws {
    let store = try await store(10)
    func error<Output>(_ query: Selection<Word, Output>) async -> (any Error)? {
      let list = store.longList(query)
      _ = list.current
      await store.settled()
      return list.state.error
    }
    #expect(await error(Word.limit(3)) as? LongListError == .isLimited)
    #expect("\(await error(Word.select { $0.name }.distinct()) as Any)".contains("removes duplicates"))
    #expect("\(await error(Word.order { _ in Field<Int>.raw("random()") }) as Any)".contains("random"))
    let list = store.longList(Word.limit(3))
    await #expect(throws: LongListError.isLimited) { try await list.counted() }
  }

  /// A text that is not UTF-8 is an error: Swift reads it as another text with another place in the order. Formerly the
  /// list was reloaded endlessly.
  @Test(arguments: [0, 490]) func invalidUTF8IsAnError(of id: Int) async throws {
    let store = try await store(500, "\(id).sqlite")
    let list = store.longList(Self.query, visible: 4, sizes: Self.sizes)
    try await store.write { tx in
      let name = id == 0 ? "X'00FF'" : "X'7A7AFF'"
      try tx.execute("UPDATE word SET name = CAST(\(raw: name) AS TEXT) WHERE id = \(id)")
    }
    await #expect(throws: LongListError.self) {
      _ = try await list.counted()
      _ = try await list.rows(at: 430..<470)
    }
    await store.settled()
    #expect("\(list.state.error as Any)".contains("is not UTF-8"))
    try await store.write { try $0.execute("UPDATE word SET name = 'mended' WHERE id = \(id)") }
    await store.settled()
    #expect(list.state.isCurrent)
    #expect(try await list.counted() == 500)
  }

  @Test func waitingForTheCountCanBeCancelled() async throws {
    let store = try await store(40)
    let list = store.longList(Self.query, visible: 4, sizes: BlockSizes(usual: 8, countedInSlice: 2))
    let task = Task { try await list.counted() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await list.counted() == 40)
  }
}

extension LongSnapshot {
  /// The rows from a position on.
  fileprivate subscript(range: PartialRangeFrom<Int>) -> [Element?] {
    (range.lowerBound..<positions.upperBound).map { self[$0] }
  }
}
