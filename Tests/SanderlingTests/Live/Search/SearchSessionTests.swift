import Foundation
import GRDB
import Observation
import SanderlingTesting
import Synchronization
import Testing

@testable import Sanderling

/// A record that can be searched in every way.
@Record
struct SearchedPaper: Hashable {
  var id: Int
  @Searchable(.words, .substrings, .prefix) var title: String
  @Searchable(.words, .substrings) var body: String?
  var isHidden = false
}

/// Search sessions: their reads, their results in memory, and their ends.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct SearchSessionTests {
  private let folder = TemporaryFolder()

  private func store(_ titles: [String], configuration: Configuration? = nil) async throws -> Store {
    let store = try Store(
      path: folder.path(), schema: [SearchedPaper.self], configuration: configuration, liveInterval: .zero)
    try await store.write("given") { tx in
      try tx.insert(contentsOf: titles.enumerated().map { SearchedPaper(id: $0 + 1, title: $1) })
    }
    return store
  }

  private nonisolated static let titles = ["Cat", "Café", "Catalogue", "Dog", "cat & dog", "Straße"]

  private static let byID = SearchedPaper.order { $0.id }

  private func session(
    _ store: Store, _ query: Selection<SearchedPaper, SearchedPaper> = byID, in kind: SearchKind = .words,
    window: Int = 100, empty: EmptySearch = .allRows
  ) -> SearchSession<SearchedPaper> {
    store.searchSession(query, in: kind, window: window, empty: empty, debounce: .zero) { $0.title }
  }

  // MARK: - Reads

  @Test func furtherLettersAreFoundInMemory() async throws {
    let store = try await store(Self.titles)
    let session = session(store, empty: .noRows)
    await session.settled()
    #expect(session.rows.isEmpty && session.state.isCurrent && session.readCount == 0)
    session.input = "c"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2, 3, 5] && session.readCount == 1)
    for (input, ids) in [
      ("ca", [1, 2, 3, 5]), ("cat", [1, 3, 5]), ("cat ", [1, 5]), ("cat d", [5]), ("cat", [1, 3, 5]),
      ("CAT", [1, 3, 5]),
    ] {
      session.input = input
      await session.settled()
      #expect(
        session.elements.map(\.id) == ids && session.current.input == input && session.state.isCurrent, "\(input)")
    }
    #expect(session.readCount == 1)
    // Another input, and then the first one again.
    for (input, ids, count) in [("d", [4, 5], 2), ("", [], 2), ("ca", [1, 2, 3, 5], 3)] {
      session.input = input
      await session.settled()
      #expect(session.elements.map(\.id) == ids && session.readCount == count, "\(input)")
    }
  }

  @Test func anEmptyInputFindsAll() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2, 3, 4, 5, 6])
    // The session reads a second time if its list was not followed yet at the first read.
    let count = session.readCount
    #expect(count <= 2)
    session.input = "s"
    await session.settled()
    session.input = " -"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2, 3, 4, 5, 6])
    // The new input is answered from the rows in memory.
    #expect(session.readCount == count)
  }

  /// The session can't narrow an incomplete result in memory, so it reads the rows for the next input.
  @Test func rowsBeyondTheWindowAreRead() async throws {
    let store = try await store(Self.titles)
    let session = session(store, window: 3, empty: .noRows)
    await session.settled()
    session.input = "c"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2, 3] && session.hasMore && session.readCount == 1)
    session.input = "cat"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 3, 5] && !session.hasMore && session.readCount == 2)
    session.input = "cat "
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 5] && session.readCount == 2)
    // A limit of the query also makes the result incomplete, so the session reads the rows for the next input again.
    session.replace(Self.byID.limit(2))
    session.input = "c"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2] && !session.hasMore)
    session.input = "cat"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 3])
  }

  /// A longer input may find rows that a shorter input doesn't.
  @Test(arguments: [
    (SearchKind.words, ["issue#", "issue#1"], "issue#12"), (.words, ["하", "한"], "한글"),
    (.words, ["ห", "หม", "หมี"], "หมี"),
    (.words, ["x -b", "x -bc"], "x b"), (.substrings, ["하", "한"], "한글"), (.prefix, ["하", "한"], "한글"),
  ])
  func typingDoesNotAlwaysNarrow(_ kind: SearchKind, _ inputs: [String], _ title: String) async throws {
    let store = try await store([title])
    let session = session(store, in: kind, empty: .noRows)
    for input in inputs {
      session.input = input
      await session.settled()
      #expect(session.elements == (try await store.fetch(SearchedPaper.where { $0.title.matches(input, in: kind) })))
    }
    #expect(session.elements.map(\.title) == [title])
  }

  @Test func queriesWithoutTextsOfTheirRowsAreRead() async throws {
    let store = try await store(Self.titles)
    let groups = store.searchSession(
      SearchedPaper.group { $0.isHidden }.select { $0.count() }, empty: .noRows, debounce: .zero
    ) {
      $0.title
    }
    let skipped = session(store, Self.byID.limit(10, offset: 1), empty: .noRows)
    await groups.settled()
    await skipped.settled()
    for (input, count, ids) in [("c", [4], [2, 3, 5]), ("cat", [3], [3, 5]), ("cat ", [2], [5])] {
      (groups.input, skipped.input) = (input, input)
      await groups.settled()
      await skipped.settled()
      #expect(groups.elements == count && skipped.elements.map(\.id) == ids)
    }
    #expect(groups.readCount == 3 && skipped.readCount == 3)
  }

  @Test func longTextsAreNotHeld() async throws {
    let store = try await store((0..<9).map { "cat \($0) " + String(repeating: "x", count: 1 << 20) })
    let session = session(store, empty: .noRows)
    await session.settled()
    for (input, count) in [("c", 9), ("cat 1", 1)] {
      session.input = input
      await session.settled()
      #expect(session.rows.count == count)
    }
    #expect(session.readCount == 2)
  }

  @Test func anotherQueryIsSearchedInPlace() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    session.input = "cat"
    await session.settled()
    session.replace(SearchedPaper.order { $0.id.descending })
    #expect(session.elements.map(\.id) == [1, 3, 5])
    await session.settled()
    #expect(session.elements.map(\.id) == [5, 3, 1])
    session.replace(SearchedPaper.where { $0.id > 1 }.order { $0.id })
    await session.settled()
    #expect(session.elements.map(\.id) == [3, 5])
  }

  @Test func invalidQueriesFail() async throws {
    let store = try await store(Self.titles)
    let session = store.searchSession(Self.byID, in: .prefix, debounce: .zero) { $0.body }
    session.input = "a"
    await session.settled()
    guard case StoreError.invalidQuery? = session.state.error else {
      Issue.record("\(session.state)")
      return
    }
  }

  // MARK: - Times of reads

  @Test func readsWaitForThePause() async throws {
    let store = try await store(Self.titles)
    let clock = ManualClock()
    let session = store.searchSession(Self.byID, empty: .noRows, debounce: .milliseconds(30), clock: clock) { $0.title }
    await session.settled()
    for input in ["d", "do", "c"] {
      session.input = input
      try await clock.sleepers(1)
      clock.advance(by: .milliseconds(29))
    }
    #expect(session.readCount == 0 && session.rows.isEmpty)
    guard case .loading = session.state else {
      Issue.record("\(session.state)")
      return
    }
    clock.advance(by: .milliseconds(1))
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2, 3, 5] && session.readCount == 1)
    // Results from memory, and changes of rows, are shown without the delay.
    session.input = "cat"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 3, 5])
    try await store.write("more") { try $0.insert(SearchedPaper(id: 7, title: "cat")) }
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 3, 5, 7])
    #expect(clock.sleeperCount == 0)
  }

  @Test func sessionReadsNothingBeforeItIsUsed() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    try await store.write("more") { try $0.insert(SearchedPaper(id: 7, title: "cat")) }
    await store.settled()
    #expect(session.readCount == 0)
    #expect(await store.live.followedQueryCount() == 0)
    #expect(session.rows.isEmpty)
    await session.settled()
    #expect(session.rows.count == 7)
  }

  @Test func observersAreNotified() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    await session.settled()
    let (rows, input) = (Switch(), Switch())
    withObservationTracking {
      _ = session.rows
    } onChange: {
      rows.set()
    }
    withObservationTracking {
      _ = session.input
    } onChange: {
      input.set()
    }
    // A row outside the query doesn't notify observers.
    session.replace(SearchedPaper.where { $0.id <= 6 }.order { $0.id })
    await session.settled()
    let other = Switch()
    withObservationTracking {
      _ = session.rows
    } onChange: {
      other.set()
    }
    try await store.write("more") { try $0.insert(SearchedPaper(id: 7, title: "cat")) }
    await session.settled()
    #expect(!other.isOn && !input.isOn && rows.isOn)
    session.input = "dog"
    #expect(input.isOn)
    await session.settled()
    #expect(other.isOn)
  }

  @Test func snapshotsReachOtherTasks() async throws {
    let store = try await store(Self.titles)
    let session = session(store, empty: .noRows)
    let found = Task.detached { [snapshots = session.snapshots] in
      var inputs: [String] = []
      for await snapshot in snapshots where snapshot.state.isCurrent {
        inputs.append("\(snapshot.input) \(snapshot.rows.map(\.id))")
        if snapshot.input == "cat" { break }
        await MainActor.run { session.input = snapshot.input.isEmpty ? "d" : "cat" }
      }
      return inputs
    }
    #expect(await found.value == [" []", "d [4, 5]", "cat [1, 3, 5]"])
  }

  // MARK: - Changes

  @Test func commitsAreFollowed() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    session.input = "cat"
    await session.settled()
    try await store.write("change") { tx in
      try tx.update(SearchedPaper.self, key: 1) { $0.title = "Cow" }
      try tx.update(SearchedPaper.self, key: 4) { $0.title = "Cat" }
    }
    await session.settled()
    #expect(session.elements.map(\.id) == [3, 4, 5])
    session.input = "c"
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 2, 3, 4, 5])
    let other = try folder.patientConnection()
    try other.run("DELETE FROM searchedPaper WHERE id = 2; INSERT INTO searchedPaper (id, title) VALUES (9, 'CÂT')")
    #expect(try await store.noticeOutsideChanges())
    await session.settled()
    #expect(session.elements.map(\.id) == [1, 3, 4, 5, 9])
    session.input = "cât"
    await session.settled()
    #expect(session.elements.map(\.id) == [3, 4, 5, 9])
  }

  // MARK: - Early ends

  /// Makes a store in which a query with ``slow`` runs endlessly while the flag is set. The stream reports that such a
  /// query is running.
  private func slowStore(_ kind: StoreKind) async throws -> (Store, slow: Switch, reached: AsyncStream<Void>) {
    let slow = Switch()
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("isSlow", argumentCount: 0) { _ in slow.isOn })
      db.add(
        function: DatabaseFunction("reached", argumentCount: 0) { _ in
          continuation.yield()
          return true
        })
    }
    let store: Store
    switch kind {
    case .file: store = try await self.store(Self.titles, configuration: configuration)
    case .memory:
      store = try Store(inMemory: [SearchedPaper.self], configuration: configuration, liveInterval: .zero)
      try await store.write("given") { tx in
        try tx.insert(contentsOf: Self.titles.enumerated().map { SearchedPaper(id: $0 + 1, title: $1) })
      }
    }
    return (store, slow, stream)
  }

  private static let slow = SearchedPaper.where { _ in
    Field<Bool>.raw(
      """
      (NOT isSlow() OR (
        WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number)
        SELECT count(*) FROM number WHERE value <> 1000 OR reached()) > 0)
      """)
  }.order { $0.id }

  @Test(arguments: StoreKind.allCases)
  func outdatedReadIsInterrupted(_ kind: StoreKind) async throws {
    let (store, slow, reached) = try await slowStore(kind)
    let session = session(store, Self.slow, empty: .noRows)
    await session.settled()
    slow.set()
    session.input = "c"
    for await _ in reached { break }
    // A read that another task waits for must not be interrupted.
    let other = Task {
      try await store.fetch(
        RawQuery(
          """
          WITH RECURSIVE number(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM number WHERE value < 300000)
          SELECT count(*) FROM number
          """, as: Int.self))
    }
    slow.clear()
    session.input = "d"
    await session.settled()
    #expect(session.elements.map(\.id) == [4, 5] && session.current.input == "d" && session.state.isCurrent)
    #expect(try await other.value == [300_000])
    #expect(session.readCount == 2)
    // Closing succeeds, since no read is under way.
    try store.close()
  }

  @Test func manyOutdatedReadsAreInterrupted() async throws {
    let (store, slow, reached) = try await slowStore(.file)
    let session = session(store, Self.slow, empty: .noRows)
    await session.settled()
    slow.set()
    var iterator = reached.makeAsyncIterator()
    for number in 0..<20 {
      // These letters occur in titles. For other letters the index finds no row, and no slow read begins.
      session.input = number.isMultiple(of: 2) ? "c" : "d"
      _ = await iterator.next()
    }
    session.input = ""
    await session.settled()
    #expect(session.rows.isEmpty && session.readCount == 20)
    try store.close()
  }

  @Test func releasedSessionEndsItsRead() async throws {
    let (store, slow, reached) = try await slowStore(.file)
    weak var gone: SearchSession<SearchedPaper>?
    do {
      let session = session(store, Self.slow, empty: .noRows)
      gone = session
      await session.settled()
      slow.set()
      session.input = "c"
      for await _ in reached { break }
    }
    #expect(gone == nil)
    await store.settled()
    #expect(await store.live.followedQueryCount() == 0)
    // Closing waits for all reads, and the session's read would never end by itself.
    try store.close()
  }

  // MARK: - Life of the store

  @Test func sessionFollowsAnErasedAndClosedStore() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    session.input = "cat"
    await session.settled()
    try await store.erase()
    await session.settled()
    #expect(session.rows.isEmpty && session.state.isCurrent)
    try await store.write("again") { try $0.insert(SearchedPaper(id: 1, title: "cat")) }
    await session.settled()
    #expect(session.elements.map(\.id) == [1])
    try store.close()
    await session.settled()
    #expect(session.state.error as? StoreError == .closed && session.elements.map(\.id) == [1])
    session.input = "c"
    await session.settled()
    #expect(session.state.error as? StoreError == .closed)
  }

  @Test func sessionRecoversWhenItsTableReturns() async throws {
    let store = try await store(Self.titles)
    let session = session(store)
    session.input = "cat"
    await session.settled()
    try await store.writer.write { try $0.execute(sql: "ALTER TABLE searchedPaper RENAME TO away") }
    await session.settled()
    #expect(session.state.error != nil && session.elements.map(\.id) == [1, 3, 5])
    session.input = "dog"
    await session.settled()
    #expect(session.state.error != nil)
    try await store.writer.write { try $0.execute(sql: "ALTER TABLE away RENAME TO searchedPaper") }
    await session.settled()
    #expect(session.state.isCurrent && session.elements.map(\.id) == [4, 5])
  }

  @Test func aReadThatFailsIsTriedAgain() async throws {
    let fails = Switch()
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(
        function: DatabaseFunction("works", argumentCount: 0) { _ in
          if fails.isOn { throw DatabaseError(message: "it fails") }
          return true
        })
    }
    let store = try await store(Self.titles, configuration: configuration)
    let session = session(
      store, SearchedPaper.where { _ in Field<Bool>.raw("works()") }.order { $0.id }, empty: .noRows)
    fails.set()
    session.input = "cat"
    await session.settled()
    #expect(session.state.error != nil && session.rows.isEmpty)
    fails.clear()
    session.input = "dog"
    await session.settled()
    #expect(session.state.isCurrent && session.elements.map(\.id) == [4, 5])
    fails.set()
    session.input = "str"
    await session.settled()
    #expect(session.state.error != nil && session.elements.map(\.id) == [4, 5])
    fails.clear()
    try await store.write("more") { try $0.insert(SearchedPaper(id: 7, title: "strange")) }
    await session.settled()
    #expect(session.state.isCurrent && session.elements.map(\.id) == [6, 7])
    fails.set()
    session.input = "x"
    await session.settled()
    fails.clear()
    session.retry()
    await session.settled()
    #expect(session.state.isCurrent && session.rows.isEmpty)
  }

  /// A failed read is repeated only after a change, and once for each change.
  @Test func readsThatFailAreAsManyAsTheChanges() async throws {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.add(function: DatabaseFunction("works", argumentCount: 0) { _ in throw DatabaseError(message: "it fails") })
    }
    let store = try await store(Self.titles, configuration: configuration)
    let session = session(store, SearchedPaper.where { _ in Field<Bool>.raw("works()") }.order { $0.id })
    session.input = "cat"
    await session.settled()
    let count = session.readCount
    #expect(session.state.error != nil && count <= 2)
    for number in 1...5 {
      try await store.write("more") { try $0.insert(SearchedPaper(id: 10 + number, title: "cat")) }
      await session.settled()
      await session.settled()
      #expect(session.readCount == count + number && session.state.error != nil)
    }
  }
}

/// A flag that one thread sets and clears, and other threads read.
private final class Switch: Sendable {
  private let state = Atomic(false)
  var isOn: Bool { state.load(ordering: .acquiring) }
  func set() { state.store(true, ordering: .releasing) }
  func clear() { state.store(false, ordering: .releasing) }
}
