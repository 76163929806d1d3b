import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Columns that the database sets by itself.
@Suite struct TouchTests {
  let folder = TemporaryFolder()

  private func store(_ kind: StoreKind = .file, recursiveTriggers: Bool = false) throws -> Store {
    var configuration = Store.defaultConfiguration
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA recursive_triggers = \(recursiveTriggers ? "ON" : "OFF")")
    }
    let store = try folder.store(kind, schema: touchSchema, configuration: configuration)
    try store.writeBlocking("given") { tx in
      try tx.insert(contentsOf: [Memo(slug: "a", text: "one"), Memo(slug: "b", text: "two")])
    }
    return store
  }

  // MARK: Insertions

  @Test(arguments: StoreKind.allCases)
  func insertionSetsOmittedColumns(kind: StoreKind) async throws {
    let before = Date().addingTimeInterval(-0.002)
    let store = try store(kind)
    try store.writer.run("INSERT INTO memo (slug) VALUES ('plain')")
    let memos = try await store.fetch(Memo.order { $0.id })
    #expect(memos.count == 3)
    for memo in memos {
      let created = try #require(memo.createdAt)
      #expect(created > before && created < Date().addingTimeInterval(0.002))
      #expect(abs(created.timeIntervalSince(memo.changedAt)) < 0.001)
      #expect(memo.version == 1)
    }
  }

  @Test func insertionKeepsGivenValues() async throws {
    let store = try store()
    let (created, changed) = (Date(timeIntervalSinceReferenceDate: 5), Date(timeIntervalSince1970: 7))
    let given = Memo(slug: "c", createdAt: created, changedAt: changed, version: 40)
    try await store.write("sync") { tx in
      #expect(try tx.insertAndFetch(given).with(id: nil) == given)
      let half = Memo(slug: "d", changedAt: Date(timeIntervalSince1970: 7))
      let stored = try tx.insertAndFetch(half)
      #expect(stored.changedAt == half.changedAt && stored.createdAt != nil && stored.version == 1)
      #expect(try tx.insert(contentsOf: (0..<100).map { Memo(slug: "\($0)") }).assignedKeys.count == 100)
      return
    }
    #expect(try await store.count(Memo.where { $0.createdAt == nil || $0.changedAt < created }) == 2)
  }

  // MARK: Updates

  /// An update touches the columns that it doesn't set, and keeps the values that it sets.
  @Test(arguments: [false, true])
  func statements(recursiveTriggers: Bool) throws {
    let store = try store(recursiveTriggers: recursiveTriggers)
    let cases = [
      ("UPDATE memo SET text = 'new'", "changed 11"),
      ("UPDATE memo SET text = text", "changed 11"),
      ("UPDATE memo SET text = 'new' WHERE id = 1", "changed 11"),
      ("UPDATE memo SET id = 1, slug = 'a' WHERE id = 1", "changed 11"),
      ("UPDATE memo SET text = 'new', changed = 1000", "11"),
      ("UPDATE memo SET changed = 1000, text = 'new'", "11"),
      ("UPDATE memo SET text = 'new', changed = changed", "11"),
      ("UPDATE memo SET text = 'new', changed = 2000", "changed 11"),
      ("UPDATE memo SET text = 'new', version = version", "changed 10"),
      ("UPDATE memo SET text = 'new', version = 40", "changed 40"),
      ("UPDATE memo SET text = 'new', version = 10, changed = 1000", "10"),
      ("UPDATE memo SET text = 'new', version = 10, changed = 1000, createdAt = 1", "10"),
      ("UPDATE memo SET changed = 1000", "10"), ("UPDATE memo SET version = 12", "12"),
      ("UPDATE memo SET createdAt = 2", "created 10"),
      ("UPDATE OR REPLACE memo SET slug = 'b' WHERE id = 1", "changed 11"),
      ("UPDATE OR IGNORE memo SET slug = 'b', changed = 1000 WHERE id = 1", "10"),
      ("UPDATE memo SET text = other.slug FROM memo AS other WHERE other.id = memo.id", "changed 11"),
      (
        "INSERT INTO memo (slug, text) VALUES ('a', 'new') ON CONFLICT (slug) DO UPDATE SET text = excluded.text",
        "changed 11"
      ),
      (
        """
        INSERT INTO memo (slug, text, changed) VALUES ('a', 'new', 1000)
        ON CONFLICT (slug) DO UPDATE SET text = excluded.text, changed = excluded.changed
        """, "11"
      ),
      ("INSERT OR REPLACE INTO memo (id, slug) VALUES (1, 'z')", "created changed 1"),
      ("INSERT OR REPLACE INTO memo (id, slug, createdAt, changed, version) VALUES (1, 'z', 1, 1000, 10)", "10"),
    ]
    for (sql, expected) in cases {
      try store.writer.run("DELETE FROM memo; INSERT INTO memo (id, slug) VALUES (1, 'a'), (2, 'b')")
      try store.setBack()
      try store.writer.run(sql)
      #expect(try store.touched() == expected, "\(sql)")
    }
  }

  /// A statement that skipped a row doesn't affect the next statement.
  @Test func skippedRowDoesNotAffectTheNextStatement() throws {
    let store = try store()
    try store.setBack()
    try store.writer.run("UPDATE OR IGNORE memo SET slug = 'b', changed = changed WHERE id = 1")
    try store.writer.run("UPDATE memo SET text = 'new' WHERE id = 1")
    #expect(try store.touched() == "changed 11")
  }

  /// SQLite first runs the trigger that was created last. Its documentation doesn't promise this order. An update that
  /// sets a touched column to its previous value depends on it.
  @Test func lastCreatedTriggerRunsFirst() throws {
    let queue = try DatabaseQueue(path: folder.path())
    try queue.run(
      """
      CREATE TABLE t (x, y); CREATE TABLE log (entry); INSERT INTO t VALUES (1, 1);
      CREATE TRIGGER b AFTER UPDATE OF x ON t BEGIN INSERT INTO log VALUES ('first made'); END;
      CREATE TRIGGER c AFTER UPDATE ON t BEGIN INSERT INTO log VALUES ('second made'); END;
      CREATE TRIGGER a AFTER UPDATE OF y ON t BEGIN INSERT INTO log VALUES ('last made'); END;
      """)
    func entries() throws -> [String] {
      try queue.run("DELETE FROM log; UPDATE t SET x = 2, y = 2")
      return try queue.read { try String.fetchAll($0, sql: "SELECT entry FROM log ORDER BY rowid") }
    }
    #expect(try entries() == ["last made", "second made", "first made"])
    try queue.vacuum()
    #expect(try entries() == ["last made", "second made", "first made"])
    // The order is the same when another connection reads the triggers from the file.
    let other = try DatabaseQueue(path: folder.path())
    try other.run("DELETE FROM log; UPDATE t SET x = 3, y = 3")
    #expect(
      try other.read { try String.fetchAll($0, sql: "SELECT entry FROM log ORDER BY rowid") }
        == ["last made", "second made", "first made"])
  }

  @Record struct Reply {
    var id: Int
    @References(Memo.self, onDelete: .setNull) var memoID: Int64?
    @Stored(touch: .version) var version: Int?
  }

  /// A foreign key action that sets a column is an update as well.
  @Test func actionsOfReferencesTouch() async throws {
    let store = try Store(inMemory: [Memo.self, Reply.self])
    try await store.write("add") { tx in
      try tx.insert(Memo(slug: "a"))
      try tx.insert(Reply(id: 1, memoID: 1))
      try tx.delete(Memo.self, key: 1)
    }
    let reply = try await store.fetch(Reply.self, key: 1)
    #expect(reply?.memoID == nil && reply?.version == 2)
  }

  // MARK: The library's writes

  @Test(arguments: StoreKind.allCases)
  func updatesOfRecords(kind: StoreKind) async throws {
    let store = try store(kind)
    try store.setBack()
    try await store.write("edit") { tx in
      let memo = try tx.update(Memo.self, key: 1) { $0.text = "new" }
      #expect(memo.version == 11 && memo.changedAt > Date(timeIntervalSince1970: 1000))
      #expect(try tx.find(Memo.self, key: 1) == memo)
      // A record without changes touches nothing.
      #expect(try tx.update(Memo.self, key: 1) { _ in } == memo)
      #expect(try !tx.update(memo))
      // A record that was read before the update has no newer values of the touched columns.
      var fresh = Memo(id: 1, slug: "a", text: "newer")
      #expect(try tx.update(fresh))
      #expect(try tx.find(Memo.self, key: 1).version == 12)
      fresh.version = 30
      fresh.changedAt = Date(timeIntervalSince1970: 9)
      #expect(try tx.update(fresh))
      let stored = try tx.find(Memo.self, key: 1)
      #expect(stored.version == 30 && stored.changedAt == fresh.changedAt)
      #expect(try tx.update(Memo.query, .set(\.text, to: "all")) == 2)
      #expect(try tx.find(Memo.self, key: 1).version == 31)
      try tx.update(Memo.query, .set(\.text, to: "all"), .set(\.version) { $0.version })
      #expect(try tx.find(Memo.self, key: 1).version == 31)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func upserts(kind: StoreKind) async throws {
    let store = try store(kind)
    try store.setBack()
    try await store.write("sync") { tx in
      let local = Memo(slug: "a", text: "one")
      #expect(try tx.upsert(local, onConflict: \.slug) == .unchanged)
      let changed = try tx.upsertAndFetch(Memo(slug: "a", text: "two"), onConflict: \.slug)
      #expect(changed.version == 11 && changed.changedAt > Date(timeIntervalSince1970: 1000))
      #expect(changed.createdAt == Date(timeIntervalSinceReferenceDate: 1))
      let named = try tx.upsertAndFetch(Memo(slug: "a", text: "three"), onConflict: \.slug, updating: \.text)
      #expect(named.version == 12)
      // A row from a server has values for all columns.
      let remote = Memo(
        slug: "a", text: "four", createdAt: Date(timeIntervalSinceReferenceDate: 3),
        changedAt: Date(timeIntervalSince1970: 4), version: 5)
      #expect(try tx.upsertAndFetch(remote, onConflict: \.slug) == remote.with(id: 1))
      var again = remote.with(id: 1)
      again.text = "five"
      #expect(try tx.upsertAndFetch(again) == again)
      #expect(try tx.upsert(again) == .unchanged)
      let new = try tx.upsertAndFetch(Memo(slug: "n"), onConflict: \.slug)
      #expect(new.version == 1 && new.createdAt != nil)
      return
    }
  }

  /// Each coding reads the times that the triggers wrote, and writes the same values again.
  @Test func timesReadBackToTheBit() async throws {
    let store = try store()
    let before = Date().addingTimeInterval(-0.002)
    let stamp = try await store.write("add") { try $0.insertAndFetch(Stamp(album: "x", page: 1)) }
    for date in [stamp.plain, stamp.text, stamp.iso, stamp.seconds, stamp.milliseconds] {
      let date = try #require(date)
      #expect(date > before && date < Date().addingTimeInterval(0.002))
    }
    #expect(stamp.version == 1)
    let columns = Stamp.table.columns.map(\.name.quotedIdentifier).joined(separator: ", ")
    let stored = try store.writer.read { try Row.fetchOne($0, sql: "SELECT \(columns) FROM stamp") }
    let row = try #require(stored)
    let values = try stamp.storageValues().map(\.databaseValue)
    #expect(Array(row.databaseValues) == values)
    let changed = try await store.write("edit") { tx in
      try tx.update(Stamp.self, key: Stamp.Key("x", 1)) { $0.note = "seen" }
    }
    #expect(changed.version == 2)
  }

  /// The SQL for the current time in each coding equals the encoded date, also at moments that are hard to round.
  @Test func theSQLOfEachCodingIsExact() throws {
    let queue = try DatabaseQueue()
    let codings: [any TimestampCoding.Type] = [
      Date.self, DateTextCoding.self, ISO8601Coding.self, UnixSecondsCoding.self, UnixMillisecondsCoding.self,
    ]
    try queue.read { db in
      for milliseconds in [0, 1, 999, 1_500_000_000_001, 1_795_377_600_123, 2_500_000_000_999, 4_102_444_799_999] {
        let moment = try CivilTime.text(milliseconds)
        for coding in codings {
          let sql = coding.currentTimeSQL.replacing("'now'", with: "'\(moment)'")
          let value = try #require(try DatabaseValue.fetchOne(db, sql: "SELECT \(sql)"))
          let expected = try coding.encode(Date(timeIntervalSince1970: Double(milliseconds) / 1000)).databaseValue
          if case .double(let double) = value.storage, case .double(let other) = expected.storage {
            #expect(abs(double - other) < 1e-6, "\(coding) \(milliseconds)")
          } else {
            #expect(value == expected, "\(coding) \(milliseconds)")
          }
        }
      }
    }
  }

  enum Minutes: TimestampCoding {
    static var columnType: ColumnType { .integer }
    static var currentTimeSQL: String { "(CAST(strftime('%s', 'now') AS INTEGER) / 60)" }
    static func encode(_ value: Date) -> StorageValue { .integer(Int64(value.timeIntervalSince1970 / 60)) }
    static func decode(_ stored: StorageValue) throws -> Date {
      Date(timeIntervalSince1970: 60 * Double(try Int.decode(stored)))
    }
  }

  @Record struct Tick {
    var id: Int
    @Stored(as: Minutes.self, touch: .onInsert) var at: Date?
  }

  @Test func aCodingOfTheAppsOwn() async throws {
    let store = try Store(inMemory: [Tick.self])
    let start = Date()
    let tick = try await store.write { try $0.insertAndFetch(Tick(id: 1)) }
    // The coding stores whole minutes, and the current minute may have begun before the test.
    #expect(try (start.addingTimeInterval(-60)...Date()).contains(#require(tick.at)))
  }

  /// A touch trigger finds its row by the key.
  @Test func theRowIsFoundByItsKey() throws {
    let store = try store()
    let statements = [
      "UPDATE memo SET changed = 1 WHERE id = 1": "SEARCH memo USING INTEGER PRIMARY KEY (rowid=?)",
      "UPDATE stamp SET version = 1 WHERE album = 'x' AND page = 1":
        "SEARCH stamp USING INDEX sqlite_autoindex_stamp_1 (album=? AND page=?)",
    ]
    for (sql, plan) in statements {
      let steps = try store.writer.read { db in
        try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN \(sql)").map { $0["detail"] as String }
      }
      #expect(steps == [plan])
    }
  }

  // MARK: Live results

  @Test @MainActor func liveResultsShowTouchedColumns() async throws {
    var generator = SeededGenerator()
    let store = try Store(
      path: folder.path("live.sqlite"), schema: touchSchema, liveInterval: .zero,
      audit: .everyCommit { Issue.record("\($0)") })
    let query = Memo.order { ($0.version.descending, $0.changedAt, $0.id) }
    let old = Memo.where { $0.version > 3 && $0.createdAt != nil }
    let (list, count) = (store.liveList(query, window: 20), store.liveCount(old))
    let sum = store.liveValue(Memo.select { $0.version.sum() })
    _ = (list.rows, count.value, sum.value)
    for _ in 0..<60 {
      let (key, slug) = (Int64.random(in: 1...30, using: &generator), "\(Int.random(in: 1...30, using: &generator))")
      let kind = Int.random(in: 0..<9, using: &generator)
      try await store.write("change") { tx in
        switch kind {
        case 0: try tx.insert(Memo(slug: slug), onConflict: .ignore)
        case 1: try tx.insert(contentsOf: (1...5).map { Memo(slug: "\(slug).\($0)") }, onConflict: .ignore)
        case 2: try tx.upsert(Memo(slug: slug, text: "\(key)"), onConflict: \.slug)
        case 3:
          let memo = Memo(slug: slug, text: "\(key)", version: 9)
          try tx.upsert(memo, onConflict: \.slug, updating: \.text, \.version)
        case 4: try tx.update(Memo.where { $0.id < key }, .set(\.text, to: slug))
        case 5: try tx.execute("UPDATE memo SET text = 'x', version = version WHERE id > \(key)")
        case 6: try tx.execute("INSERT OR REPLACE INTO memo (id, slug) VALUES (\(key), \(slug))")
        case 7: try tx.execute("UPDATE OR REPLACE memo SET slug = \(slug) WHERE id = \(key)")
        default: try tx.delete(Memo.self, key: key)
        }
      }
      await store.settled()
      #expect(try await list.elements == store.fetch(query.limit(20)))
      #expect(try await count.value == store.count(old))
      #expect(try await sum.value == store.fetchFirst(Memo.select { $0.version.sum() }))
    }
  }
}

extension Memo {
  fileprivate func with(id: Int64?) -> Memo {
    var copy = self
    copy.id = id
    return copy
  }
}

extension CivilTime {
  /// Returns a moment as a text that SQLite reads.
  fileprivate static func text(_ milliseconds: Int) throws -> String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return try CivilTime(date).text(separator: " ", fraction: 3, suffix: "")
  }
}
