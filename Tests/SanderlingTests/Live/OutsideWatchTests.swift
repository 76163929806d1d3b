import Foundation
import GRDB
import SanderlingSQLite
import TestPrograms
import Testing

@testable import Sanderling

/// Live results follow the commits of other processes and connections by themselves. No test here calls
/// ``Store/noticeOutsideChanges()``.
@MainActor
@Suite(.serialized)
struct OutsideWatchTests {
  @Record
  struct Entry: Hashable {
    var id: Int64
    var batch: Int
    var text: String
  }

  private let folder = TemporaryFolder()

  private func store(_ path: String? = nil) throws -> Store {
    try Store(path: path ?? folder.path(), schema: [Entry.self], liveInterval: .zero)
  }

  private func openList(_ store: Store) async -> LiveList<Entry> {
    let list = store.liveList(Entry.order { $0.id })
    _ = list.rows
    await store.settled()
    return list
  }

  /// Runs statements on a connection without the library.
  private func write(_ sql: String, _ path: String? = nil) throws {
    let other = try DatabaseQueue(beside: path ?? folder.path())
    try other.writeWithoutTransaction { try $0.execute(sql: sql) }
    try other.close()
  }

  private func wait(_ list: LiveList<Entry>, for keys: [Int64], sourceLocation: SourceLocation = #_sourceLocation)
    async throws
  {
    let deadline = ContinuousClock.now + .seconds(60)
    while list.elements.map(\.id) != keys, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(list.elements.map(\.id) == keys, sourceLocation: sourceLocation)
  }

  @Test(.enabled(if: BuildFolder.program("StoreKillHelper") != nil), arguments: ["share", "leave"])
  func aStoreInAnotherProcess(_ mode: String) async throws {
    let store = try store()
    let list = await openList(store)
    #expect(store.outsideChangeDetection == .events)
    let helper = try #require(BuildFolder.program("StoreKillHelper"))
    for number in 1...3 as ClosedRange<Int64> {
      _ = try Program.run(helper.path, [mode, folder.path(), "\(number)"])
      try await wait(list, for: Array(1...number))
    }
  }

  /// The log is watched although the last closing connection deletes it, and a checkpoint empties it.
  @Test func theLogIsEmptiedAndMadeAgain() async throws {
    try write("PRAGMA journal_mode = WAL")
    let queue = try DatabaseQueue(path: folder.path())
    try await queue.write {
      try $0.execute(
        sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY NOT NULL, batch INTEGER NOT NULL, text TEXT NOT NULL)")
    }
    let store = try Store(queue, schema: [Entry.self], liveInterval: .zero)
    let list = await openList(store)
    try write("INSERT INTO entry VALUES (1, 1, 'a')")
    try await wait(list, for: [1])
    try await store.checkpoint(.truncate)
    try write("INSERT INTO entry VALUES (2, 1, 'a')")
    try await wait(list, for: [1, 2])
    try write("PRAGMA wal_checkpoint(TRUNCATE); INSERT INTO entry VALUES (3, 1, 'a'); PRAGMA wal_checkpoint(RESTART)")
    try await wait(list, for: [1, 2, 3])
    try queue.close()
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "MEMORY"])
  func aRollbackJournal(_ mode: String) async throws {
    let queue = try DatabaseQueue(path: folder.path())
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = \(mode)")
      try db.execute(
        sql: "CREATE TABLE entry (id INTEGER PRIMARY KEY NOT NULL, batch INTEGER NOT NULL, text TEXT NOT NULL)")
    }
    let store = try Store(queue, schema: [Entry.self], liveInterval: .zero)
    let list = await openList(store)
    for number in 1...3 as ClosedRange<Int64> {
      try write("PRAGMA journal_mode = \(mode); INSERT INTO entry VALUES (\(number), 1, 'a')")
      try await wait(list, for: Array(1...number))
    }
  }

  @Test func aReadOnlyStoreFollowsTheWriter() async throws {
    let writer = try store()
    var configuration = Store.defaultConfiguration
    configuration.readonly = true
    let reader = try Store(path: folder.path(), schema: [Entry.self], configuration: configuration, liveInterval: .zero)
    let list = await openList(reader)
    try await writer.write { try $0.insert(Entry(id: 1, batch: 1, text: "a")) }
    try await wait(list, for: [1])
  }

  @Test func aLinkToTheFile() async throws {
    let path = folder.path("real.sqlite")
    _ = try store(path)
    let link = folder.url.appending(path: "links").path
    try FileManager.default.createDirectory(atPath: link, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: "\(link)/link.sqlite", withDestinationPath: path)
    let list = await openList(try store("\(link)/link.sqlite"))
    try write("INSERT INTO entry VALUES (1, 1, 'a')", path)
    try await wait(list, for: [1])
  }

  @Test func erasingKeepsTheWatch() async throws {
    let store = try store()
    let list = await openList(store)
    try await store.write { try $0.insert(Entry(id: 1, batch: 1, text: "a")) }
    try await store.erase()
    await store.settled()
    #expect(store.outsideChangeDetection == .events)
    try write("INSERT INTO entry VALUES (2, 1, 'a')")
    try await wait(list, for: [2])
  }

  @Test func aLostDirectoryIsAskedOnceASecond() async throws {
    let inner = folder.url.appending(path: "inner")
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    let store = try store(inner.appending(path: "store.sqlite").path)
    let list = await openList(store)
    try FileManager.default.moveItem(at: inner, to: folder.url.appending(path: "moved"))
    let deadline = ContinuousClock.now + .seconds(60)
    while store.outsideChangeDetection == .events, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(store.outsideChangeDetection == .polling)
    _ = list.rows
  }

  /// Outside changes are noticed by polling on file systems without events.
  @Test func withoutEvents() async throws {
    let pool = try DatabasePool(path: folder.path(), configuration: Store.defaultConfiguration)
    let schema = try StoreSchema([Entry.self])
    let contents = StoreContents()
    try SchemaMigration.open(pool, schema: schema, contents: contents)
    var options = LiveOptions(clock: StoreClock(ContinuousClock()), interval: .zero, audit: .off)
    options.watchesFiles = false
    let store = Store(
      try StoreConnection(pool, ownsWriter: true, schema: schema), path: folder.path(), schema: schema,
      contents: contents,
      tracing: .ownStatements, liveOptions: options)
    let list = await openList(store)
    #expect(store.outsideChangeDetection == .polling)
    try write("INSERT INTO entry VALUES (1, 1, 'a')")
    try await wait(list, for: [1])
  }

  @Test func turnedOffAndOn() async throws {
    let store = try store()
    #expect(store.outsideChangeDetection == .inactive)
    store.detectsOutsideChanges = false
    let list = await openList(store)
    #expect(store.outsideChangeDetection == .off)
    try write("INSERT INTO entry VALUES (1, 1, 'a')")
    #expect(await !store.hasSeenOutsideChanges())
    #expect(list.elements.isEmpty)
    await store.settled()
    #expect(list.elements.map(\.id) == [1])
    try write("INSERT INTO entry VALUES (2, 1, 'b')")
    #expect(await !store.hasSeenOutsideChanges())
    store.detectsOutsideChanges = true
    try await wait(list, for: [1, 2])
    #expect(store.outsideChangeDetection == .events)
  }

  @Test func storesInMemoryAreNotWatched() async throws {
    let store = try Store(inMemory: [Entry.self])
    let list = await openList(store)
    #expect(list.state.isCurrent)
    #expect(store.outsideChangeDetection == .inactive)
  }

  /// The app's suspension ends the watch. Nothing is read while the app is suspended.
  @Test func aSuspendedApp() async throws {
    var configuration = Store.defaultConfiguration
    configuration.observesSuspensionNotifications = true
    let store = try Store(path: folder.path(), schema: [Entry.self], configuration: configuration, liveInterval: .zero)
    let list = await openList(store)
    NotificationCenter.default.post(name: Database.suspendNotification, object: nil)
    defer { NotificationCenter.default.post(name: Database.resumeNotification, object: nil) }
    #expect(store.outsideChangeDetection == .inactive)
    try write("INSERT INTO entry VALUES (1, 1, 'a')")
    #expect(list.elements.isEmpty)
    NotificationCenter.default.post(name: Database.resumeNotification, object: nil)
    try await wait(list, for: [1])
    #expect(store.outsideChangeDetection == .events)
  }

  #if os(Linux)
    /// Each watch has one file descriptor, which is closed when the store is closed or released.
    @Test func descriptorsAreClosed() async throws {
      func watches() -> Int {
        let folder = "/proc/self/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { name in
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == "anon_inode:inotify"
        }.count
      }
      /// Waits for the release of a store's own watch: the tests of other suites have watches, too.
      func expectClosed(_ watch: WeakWatch) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while watch.object != nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
        #expect(watch.object == nil)
      }
      var closed: Store? = try store()
      var list: LiveList<Entry>? = await openList(try #require(closed))
      #expect(watches() > 0)
      let first = WeakWatch(closed?.live.outside)
      try closed?.close()
      #expect(closed?.outsideChangeDetection == .inactive)
      (closed, list) = (nil, nil)
      try await expectClosed(first)
      var released: Store? = try store()
      list = await openList(try #require(released))
      let second = WeakWatch(released?.live.outside)
      (released, list) = (nil, nil)
      try await expectClosed(second)
      _ = list
    }

    private final class WeakWatch {
      weak var object: OutsideWatch?
      init(_ object: OutsideWatch?) { self.object = object }
    }
  #endif

  /// The store's own commits cause file events, for which no list is reloaded.
  @Test func ownCommitsAreNotReadAgain() async throws {
    let store = try store()
    let list = await openList(store)
    let before = store.live.unreportedCount
    for number in 1...80 as ClosedRange<Int64> {
      try await store.write { try $0.insert(Entry(id: number, batch: 1, text: "a")) }
    }
    try await wait(list, for: Array(1...80))
    #expect(store.live.unreportedCount == before)
  }

  /// Two stores in one process follow each other.
  @Test func twoStores() async throws {
    let (one, two) = (try store(), try store())
    let (first, second) = (await openList(one), await openList(two))
    try await one.write { try $0.insert(Entry(id: 1, batch: 1, text: "a")) }
    try await wait(second, for: [1])
    try await two.write { try $0.insert(Entry(id: 2, batch: 1, text: "a")) }
    try await wait(first, for: [1, 2])
  }
}
