import Foundation
import GRDB
import SanderlingTesting
import Testing

@testable import Sanderling

/// Waiting for search indexes fails with the reason if the indexes can't be completed.
@Suite(.timeLimit(.minutes(10))) struct SearchIndexWaitingTests {
  @Record
  struct Leaflet: Hashable {
    var id: Int
    @Searchable(.words) var title: String
  }

  @Record
  struct Poster: Hashable {
    @PrimaryKey var code: String
    @Searchable(.words) var title: String
    @Searchable var place: String
  }

  enum Waiting: CaseIterable, Sendable {
    case indexed, checked, rebuilt

    func wait(_ store: Store) async throws {
      switch self {
      case .indexed: try await store.searchIndexed()
      case .checked: _ = try await store.checkSearchIndexes(of: Poster.self)
      case .rebuilt: try await store.rebuildSearchIndexes(of: Poster.self)
      }
    }
  }

  private let folder = TemporaryFolder()

  private func store(busyMode: Database.BusyMode = .immediateError) async throws -> Store {
    var configuration = Configuration()
    configuration.busyMode = busyMode
    let store = try folder.store(schema: [Leaflet.self, Poster.self], configuration: configuration)
    try await store.write("given") { tx in
      try tx.insert(Leaflet(id: 1, title: "fish"))
      try tx.insert(Poster(code: "a", title: "fish", place: "Éa"))
    }
    return store
  }

  /// Makes the indexing of a row fail.
  ///
  /// - Parameter action: The trigger's action at the update that marks a text as indexed.
  private func obstruct(_ store: Store, _ action: String) throws {
    try store.writer.run(
      """
      INSERT INTO poster (code, title, place) VALUES ('b', 'soup', 'Öl');
      CREATE TRIGGER app BEFORE UPDATE ON poster BEGIN SELECT RAISE(\(action)); END
      """)
  }

  @Test(arguments: Waiting.allCases)
  func aTriggerRaises(_ waiting: Waiting) async throws {
    let store = try await store()
    try obstruct(store, "ABORT, 'not now'")
    let error = await #expect(throws: StoreError.self) { try await waiting.wait(store) }
    switch (waiting, error) {
    case (.rebuilt, .constraint(let violation)?): #expect(violation.name == "not now")
    case (_, .notSearchable(let table, let reason)?):
      #expect(table == "poster" && reason == "A trigger forbids the change: not now.")
      let description = try #require(error?.description)
      #expect(
        description.hasPrefix(
          "Texts of table poster can't be folded or indexed: A trigger forbids the change: not now. Let "))
    default: throw try #require(error)
    }
    // Searches still find all rows, and waiting for the indexes of other tables succeeds.
    #expect(try await store.fetch(Poster.where { $0.title.matches("soup") }).map(\.code) == ["b"])
    #expect(try await store.checkSearchIndexes(of: Leaflet.self) == [])
    try store.writer.run("DROP TRIGGER app")
    try await waiting.wait(store)
    #expect(try await store.checkSearchIndexes(of: Poster.self) == [])
  }

  @Test func aTriggerIgnoresTheUpdate() async throws {
    let store = try await store()
    try obstruct(store, "IGNORE")
    for waiting in [Waiting.indexed, .checked] {
      await #expect(
        throws: StoreError.notSearchable(table: "poster", reason: "a trigger of the app ignores the update")
      ) {
        try await waiting.wait(store)
      }
    }
  }

  @Test func aColumnIsMissing() async throws {
    let store = try await store()
    try store.writer.run(
      "INSERT INTO poster (code, title, place) VALUES ('b', 'x', 'y'); ALTER TABLE poster RENAME COLUMN title TO away")
    let error = await #expect(throws: StoreError.self) { try await store.searchIndexed() }
    guard case .notSearchable("poster", _)? = error else { throw try #require(error) }
    try store.writer.run("ALTER TABLE poster RENAME COLUMN away TO title")
    try await store.searchIndexed()
  }

  /// Another process holds the write lock all the time.
  @Test(arguments: Waiting.allCases)
  func theLockIsHeld(_ waiting: Waiting) async throws {
    let store = try await store()
    try store.writer.run("INSERT INTO poster (code, title, place) VALUES ('b', 'soup', 'Öl')")
    await store.connection.folding?.finished()
    let other = try folder.otherConnection()
    try other.run("INSERT INTO poster (code, title, place) VALUES ('c', 'bread', 'Öl'); BEGIN IMMEDIATE")
    let path = folder.path()
    await #expect {
      try await waiting.wait(store)
    } throws: { error in
      if case StoreError.busy(path, _, _) = error { true } else { false }
    }
    try other.run("COMMIT")
    try await waiting.wait(store)
    #expect(try await store.checkSearchIndexes(of: Poster.self) == [])
  }

  /// Another process holds the write lock, and the store would retry for ten minutes. Cancelling the task ends its
  /// wait.
  @Test(arguments: Waiting.allCases)
  func theTaskIsCancelled(_ waiting: Waiting) async throws {
    let store = try await store(busyMode: .timeout(600))
    let other = try folder.otherConnection()
    try other.run("INSERT INTO poster (code, title, place) VALUES ('c', 'bread', 'Öl'); BEGIN IMMEDIATE")
    let task = Task { try await waiting.wait(store) }
    let others = (0..<10).map { _ in Task { try await store.searchIndexed() } }
    for task in others {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    task.cancel()
    try other.run("COMMIT")
    await #expect(throws: CancellationError.self) { try await task.value }
    try await store.searchIndexed()
  }

  @Test(arguments: [true, false])
  func theStoreIsClosed(isAdopted: Bool) async throws {
    let owned = try await store()
    let store =
      isAdopted ? try Store(DatabasePool(path: folder.path()), schema: [Leaflet.self, Poster.self]) : owned
    let other = try folder.otherConnection()
    try other.run("INSERT INTO poster (code, title, place) VALUES ('c', 'bread', 'Öl'); BEGIN IMMEDIATE")
    // The first attempt to fold fails, and folding pauses.
    store.connection.folding?.wake()
    try await store.writer.writeWithoutTransaction { _ in }
    let task = Task { try await store.searchIndexed() }
    try store.close()
    let error = await #expect(throws: StoreError.self) { try await task.value }
    #expect(error == .closed || error == .busy(path: folder.path()))
    await #expect(throws: StoreError.closed) { try await store.searchIndexed() }
    try other.run("COMMIT")
    // The closed store no longer folds texts on the app's writer.
    if isAdopted {
      let commit = try await store.writer.writeWithoutTransaction { $0.totalChangesCount }
      for _ in 0..<10 { try await store.writer.writeWithoutTransaction { _ in } }
      #expect(try await store.writer.writeWithoutTransaction { $0.totalChangesCount } == commit)
    }
  }

  @Test func noRowIsPending() async throws {
    let store = try await store()
    for waiting in Waiting.allCases { try await waiting.wait(store) }
    #expect(try await store.checkSearchIndexes(of: Leaflet.self) == [])
  }
}
