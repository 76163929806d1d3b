import Foundation
import GRDB
import Synchronization
import Testing

@testable import Sanderling

/// Live results while their store is migrated, replaced, shared or closed: no result that claims to be current may be
/// stale.
@MainActor
@Suite(.serialized) struct LiveLifeTests {
  @Record
  struct Item: Hashable {
    var id: Int64?
    var name: String
    var n: Int = 0
  }

  @Record
  struct Other: Hashable {
    var id: Int64?
    var name: String
  }

  private let folder = TemporaryFolder()
  private nonisolated static let tables = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE other (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    """

  private func store(_ name: String = "store.sqlite") throws -> Store {
    try Store(path: folder.path(name), schema: [Item.self, Other.self], liveInterval: .zero)
  }

  private func pool() throws -> DatabasePool {
    let pool = try DatabasePool(path: folder.path("app.sqlite"))
    try pool.write { try $0.execute(sql: Self.tables) }
    return pool
  }

  private func add(_ name: String, to store: Store) async throws {
    try await store.write("add") { try $0.insert(Item(id: nil, name: name)) }
  }

  /// Returns the names of the store's triggers and functions on a connection.
  private nonisolated func traces(_ writer: any DatabaseWriter) async throws -> [String] {
    try await writer.writeWithoutTransaction { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM temp.sqlite_schema WHERE name LIKE 'sanderling%'
          UNION ALL SELECT name FROM pragma_function_list WHERE name LIKE 'sanderling%'
          """)
    }
  }

  // MARK: Changes of the whole database

  @Test func anErasedStoreIsFollowed() async throws {
    let store = try store()
    let list = store.liveList(Item.order { $0.id })
    let count = store.liveCount(Item.query)
    _ = (list.rows, count.value)
    try await add("a", to: store)
    await store.settled()
    #expect(list.elements.map(\.name) == ["a"])
    for name in ["b", "c"] {
      try await store.erase()
      await store.settled()
      #expect(list.elements.isEmpty && count.value == 0)
      try await add(name, to: store)
      await store.settled()
      #expect(list.elements.map(\.name) == [name] && count.value == 1 && list.state.isCurrent)
    }
  }

  /// A migrator of GRDB blocks the pool's readers and waits for the writer. No task may wait for the readers while it
  /// holds the writer, or the reverse.
  @Test(.timeLimit(.minutes(10)))
  func migrationsAndSnapshotsDoNotDeadlock() async throws {
    let store = try store()
    let count = store.liveCount(Item.query)
    _ = count.value
    await store.settled()
    let writes = Task.detached {
      for number in 0..<300 { try await self.add("\(number)", to: store) }
    }
    for number in 0..<60 {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("step \(number)") { try $0.execute(sql: "CREATE TABLE step_\(number) (id INTEGER)") }
      try migrator.migrate(store.writer)
      await store.settled()
    }
    try await writes.value
    await store.settled()
    #expect(count.value == 300)
  }

  @Test(arguments: ["extra.remote", "temp.scratch"])
  func attachedAndTemporaryTablesMayComeAndGo(_ table: String) async throws {
    let queue = try DatabaseQueue(path: folder.path("app.sqlite"))
    try await queue.write { try $0.execute(sql: Self.tables) }
    try await queue.writeWithoutTransaction { try $0.execute(sql: "ATTACH ':memory:' AS extra") }
    let store = try Store(queue, schema: [Item.self], liveInterval: .zero)
    func run(_ sql: String...) async throws {
      for sql in sql { try await queue.writeWithoutTransaction { try $0.execute(sql: sql) } }
      await store.settled()
    }
    // A maintained count, whose triggers are temporary objects, too.
    let count = store.liveCount(Item.query)
    let list = store.liveList(RawQuery("SELECT value FROM \(raw: table) ORDER BY value", as: Int.self))
    _ = (list.rows, count.value)
    await store.settled()
    #expect(list.state.error != nil)
    for value in 1...2 {
      try await run("CREATE TABLE \(table) (id INTEGER PRIMARY KEY, value)")
      #expect(list.state.isCurrent && list.rows.isEmpty)
      try await run("INSERT INTO \(table) VALUES (1, \(value))")
      #expect(list.elements == [value] && list.state.isCurrent)
      try await run("DROP TABLE \(table)")
      #expect(list.state.error != nil)
      try await run("CREATE TABLE \(table) (id INTEGER PRIMARY KEY, value)", "INSERT INTO \(table) VALUES (1, 7)")
      #expect(list.elements == [7] && list.state.isCurrent)
      try await run("DROP TABLE \(table)")
    }
    #expect(count.value == 0 && count.state.isCurrent)
  }

  @Test func aMigrationMayDropColumnsUnderLiveResults() async throws {
    let store = try store()
    let list = store.liveList(Item.order { $0.name })
    _ = list.rows
    try await add("a", to: store)
    await store.settled()
    try await store.writer.write { try $0.execute(sql: "ALTER TABLE item ADD COLUMN extra INTEGER") }
    var migrator = DatabaseMigrator()
    migrator.registerMigration("drop") { db in try db.execute(sql: "ALTER TABLE item DROP COLUMN extra") }
    migrator.registerMigration("index") { db in try db.execute(sql: "CREATE INDEX i ON item (n)") }
    try await store.migrate(migrator)
    try await add("b", to: store)
    await store.settled()
    #expect(list.elements.map(\.name) == ["a", "b"] && list.state.isCurrent)
    // A migration that fails ends the same way.
    migrator.registerMigration("wrong") { db in try db.execute(sql: "ALTER TABLE missing DROP COLUMN extra") }
    await #expect(throws: StoreError.self) { try await store.migrate(migrator) }
    try await add("c", to: store)
    await store.settled()
    #expect(list.elements.map(\.name) == ["a", "b", "c"] && list.state.isCurrent)
  }

  @Test func listsRecoverWhenTheirTableReturns() async throws {
    let store = try store()
    let list = store.liveList(Item.order { $0.name })
    let byHand = store.liveList(RawQuery("SELECT name FROM item ORDER BY name", as: String.self))
    _ = (list.rows, byHand.rows)
    try await add("a", to: store)
    await store.settled()
    try await store.writer.write { try $0.execute(sql: "ALTER TABLE item RENAME TO old") }
    await store.settled()
    #expect(list.state.error != nil && byHand.state.error != nil)
    let opened = store.liveList(Item.order { $0.name })
    _ = opened.rows
    await store.settled()
    try await store.writer.write { db in
      try db.execute(
        sql: """
          CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT NOT NULL, n INTEGER NOT NULL DEFAULT 0);
          INSERT INTO item SELECT * FROM old; DROP TABLE old
          """)
    }
    await store.settled()
    #expect(list.elements.map(\.name) == ["a"] && list.state.isCurrent)
    try await add("b", to: store)
    await store.settled()
    for shown in [list, opened] { #expect(shown.elements.map(\.name) == ["a", "b"] && shown.state.isCurrent) }
    #expect(byHand.elements == ["a", "b"])
  }

  @Test func aBackupIntoTheOpenDatabaseIsFollowed() async throws {
    let store = try store()
    let list = store.liveList(Item.order { $0.name })
    _ = list.rows
    try await add("a", to: store)
    await store.settled()
    let source = try DatabaseQueue()
    try await source.write { db in
      try db.execute(sql: Self.tables + "INSERT INTO item VALUES (1, 'copied', 0)")
    }
    try source.backup(to: store.writer)
    _ = try await store.noticeOutsideChanges()
    try await add("z", to: store)
    await store.settled()
    #expect(list.elements.map(\.name) == ["copied", "z"] && list.state.isCurrent)
  }

  // MARK: Stores that share a writer, or leave it

  @Test func storesOnOneWriterEachFollowIt() async throws {
    let pool = try pool()
    let one = try Store(pool, schema: [Item.self], liveInterval: .zero)
    let two = try Store(AnyDatabaseWriter(pool), schema: [Item.self, Other.self], liveInterval: .zero)
    let (first, second) = (one.liveList(Item.order { $0.id }), two.liveList(Item.order { $0.id }))
    _ = first.rows
    await one.settled()
    _ = second.rows
    await two.settled()
    try await add("a", to: one)
    try await add("b", to: two)
    await one.settled()
    await two.settled()
    #expect(first.elements.map(\.name) == ["a", "b"] && second.elements.map(\.name) == ["a", "b"])

    try one.close()
    try await add("c", to: two)
    await two.settled()
    #expect(second.elements.map(\.name) == ["a", "b", "c"])
    await one.settled()
    #expect(first.state.error as? StoreError == .closed)
    await #expect(throws: StoreError.closed) { try await one.fetch(Item.query) }
    try two.close()
    #expect(try await traces(pool).isEmpty)
    // Closing the stores leaves the app's writer open.
    #expect(try await pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 3)
  }

  @Test(.timeLimit(.minutes(10))) func releasedStoreLeavesNoTraces() async throws {
    let pool = try pool()
    do {
      let store = try Store(pool, schema: [Item.self], liveInterval: .zero)
      let list = store.liveList(Item.order { $0.id })
      _ = list.rows
      try await add("a", to: store)
      await store.settled()
      #expect(try await !traces(pool).isEmpty)
    }
    // A turn under way releases the engine at its end.
    while try await !traces(pool).isEmpty { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test func aPoolThatTheAppClosesEndsItsResults() async throws {
    let pool = try pool()
    let store = try Store(pool, schema: [Item.self], liveInterval: .zero)
    let list = store.liveList(Item.order { $0.id })
    _ = list.rows
    try await add("a", to: store)
    await store.settled()
    try pool.close()
    let later = store.liveList(Item.order { $0.name })
    _ = later.rows
    await store.settled()
    #expect(later.state.error != nil)
  }

  // MARK: Writes of other connections

  @Test func aReadOnlyStoreNoticesTheFirstOutsideChange() async throws {
    let app = try store()
    try await add("a", to: app)
    var configuration = Configuration()
    configuration.readonly = true
    let widget = try Store(
      path: app.path, schema: [Item.self], configuration: configuration, liveInterval: .zero)
    let list = widget.liveList(Item.order { $0.name })
    _ = list.rows
    await widget.settled()
    for name in ["b", "c"] {
      try await add(name, to: app)
      #expect(try await widget.noticeOutsideChanges())
      await widget.settled()
      #expect(list.elements.last?.name == name)
    }
    #expect(try await !widget.noticeOutsideChanges())
  }

  // MARK: Turns

  /// The tables of released queries are no longer followed.
  @Test func tablesOfReleasedQueriesAreNotFollowed() async throws {
    let store = try store()
    do {
      let list = store.liveList(RawQuery("SELECT name FROM other", as: String.self))
      _ = list.rows
      await store.settled()
    }
    #expect(await store.live.followedQueryCount() == 0)
    await store.settled()
    // The writer removes the triggers when it is free, and a turn follows.
    var before = -1
    while store.live.turnCount != before {
      before = store.live.turnCount
      try await Task.sleep(for: .milliseconds(20))
    }
    for _ in 0..<5 { try await store.write("other") { try $0.insert(Other(id: nil, name: "x")) } }
    #expect(store.live.turnCount == before)
  }
}
