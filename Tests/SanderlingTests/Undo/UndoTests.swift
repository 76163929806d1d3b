import Foundation
import GRDB
import Testing

@testable import Sanderling

/// Writes that are undone and redone.
@Suite struct UndoTests {
  let folder = TemporaryFolder()

  private static let (home, garden) = (UUID(1), UUID(2))

  private func todoStore(_ kind: StoreKind = .file) throws -> Store {
    let store = try folder.store(kind, schema: todoSchema)
    try store.writeBlocking("given") { tx in
      for id in [Self.home, Self.garden] { try tx.insert(Project(id: id, name: "p")) }
      for number in 10..<20 {
        let project = number < 15 ? Self.home : Self.garden
        let task = TodoTask(id: UUID(UInt64(number)), projectID: project, title: "t\(number)")
        try tx.insert(task)
        try tx.insert(
          Comment(id: UUID(UInt64(number + 100)), projectID: project, taskID: task.id, text: "c", createdAt: .now))
      }
    }
    return store
  }

  // MARK: Rows, children and keys

  @Test(arguments: StoreKind.allCases)
  func aCascadeIsPutBack(kind: StoreKind) async throws {
    let store = try todoStore(kind)
    let before = try store.dump()
    let written = try await store.writeUndoably("delete project") { try $0.delete(Project.self, key: Self.home) }
    let after = try store.dump()
    #expect(written.value)
    #expect(written.inverse.name == "delete project" && written.inverse.rowCount == 11)
    let redo = try await store.undo(written.inverse)
    #expect(try store.dump() == before)
    #expect(redo.rowCount == 11 && redo.name == "delete project")
    let undo = try await store.undo(redo)
    #expect(try store.dump() == after)
    try await store.undo(undo)
    #expect(try store.dump() == before)
    #expect(try await store.numbers("PRAGMA foreign_keys") == [1])
    #expect(try await store.numbers("SELECT count(*) FROM pragma_foreign_key_check") == [0])
  }

  @Test func inverseOfNoChangeIsEmpty() async throws {
    let store = try todoStore()
    let written = try await store.writeUndoably { tx in
      try tx.insert(Project(id: UUID(9), name: "short"))
      try tx.update(TodoTask.query, .set(\.isCompleted, to: true))
      try tx.update(TodoTask.query, .set(\.isCompleted, to: false))
      try tx.delete(Project.self, key: UUID(9))
      struct Failure: Error {}
      try? tx.savepoint {
        try tx.delete(TodoTask.query)
        throw Failure()
      }
    }
    #expect(written.inverse.isEmpty)
    #expect(written.inverse.name.hasPrefix("inverseOfNoChangeIsEmpty(), line "))
    #expect(try await store.undo(written.inverse).isEmpty)
  }

  /// Undoing moves a row back from a new project before it removes the project, so that the row isn't deleted with it.
  @Test func aChildThatMovedIsMovedBack() async throws {
    let store = try todoStore()
    let before = try store.dump()
    let written = try await store.writeUndoably { tx in
      try tx.insert(Project(id: UUID(3), name: "new"))
      try tx.update(TodoTask.where { $0.projectID == Self.home }, .set(\.projectID, to: UUID(3)))
    }
    try await store.undo(written.inverse)
    #expect(try store.dump() == before)
  }

  /// Undoing puts back two rows whose unique values were swapped, and a row whose value was given to a new row.
  @Test func uniqueValuesChangePlaces() async throws {
    let store = try folder.store()
    try await store.write { try $0.insert(contentsOf: ["a", "b", "c"].map { Bird(ring: $0, species: "knot") }) }
    let before = try store.dump()
    let written = try await store.writeUndoably { tx in
      try tx.execute("UPDATE bird SET ring = 'x' WHERE id = 1")
      try tx.execute("UPDATE bird SET ring = 'a' WHERE id = 2")
      try tx.execute("UPDATE bird SET ring = 'b' WHERE id = 1")
      try tx.delete(Bird.self, key: 3)
      try tx.insert(Bird(id: 9, ring: "c", species: "stint"))
    }
    let after = try store.dump()
    let redo = try await store.undo(written.inverse)
    #expect(try store.dump() == before)
    try await store.undo(redo)
    #expect(try store.dump() == after)
  }

  /// Each value is restored to the byte, even if no Swift string holds it.
  @Test func valuesAreRestoredToTheByte() async throws {
    let store = try folder.store()
    try store.writer.run(
      "INSERT INTO bird VALUES (1, CAST(X'FF00C3' AS TEXT), CAST(X'610062' AS TEXT), -0.0), (2, X'01', 'é', 1e300)")
    let before = try store.dump()
    let written = try await store.writeUndoably { try $0.delete(Bird.query) }
    try await store.undo(written.inverse)
    #expect(try store.dump() == before)
  }

  // MARK: Refusals

  @Test func rowsThatChangedSinceAreNamed() async throws {
    let store = try todoStore()
    let written = try await store.writeUndoably { tx in
      try tx.update(TodoTask.query, .set(\.isCompleted, to: true))
      try tx.delete(Comment.where { $0.taskID == UUID(10) })
    }
    try await store.write { tx in
      try tx.update(TodoTask.self, key: UUID(12)) { $0.title = "secret" }
      try tx.delete(TodoTask.self, key: UUID(13))
    }
    let before = try store.dump()
    let error = await #expect(throws: UndoError.self) { try await store.undo(written.inverse) }
    let keys = [12, 13].map { [UUID.encode(UUID($0))] }
    #expect(error == .changedSince([.init(table: "todoTask", keys: keys)]))
    #expect(
      error.map { "\($0)" } == """
        Later writes changed rows that the undo restores or needs: 2 of table todoTask. Undo those writes first, or drop \
        this step.
        """)
    #expect(try store.dump() == before)
    #expect(try await store.numbers("PRAGMA foreign_keys") == [1])
  }

  @Test func childrenThatCameSinceAreNotDeleted() async throws {
    let store = try todoStore()
    let written = try await store.writeUndoably { try $0.insert(Project(id: UUID(3), name: "new")) }
    try await store.write { try $0.insert(TodoTask(id: UUID(30), projectID: UUID(3), title: "later")) }
    let error = await #expect(throws: UndoError.self) { try await store.undo(written.inverse) }
    #expect(error == .changedSince([.init(table: "todoTask", keys: [[UUID.encode(UUID(30))]])]))
    #expect(try await store.count(TodoTask.query) == 11)
  }

  @Test func aParentThatWentSinceIsNamed() async throws {
    let store = try todoStore()
    let written = try await store.writeUndoably { tx in
      try tx.delete(TodoTask.where { $0.projectID == Self.home })
    }
    try await store.write { try $0.delete(Project.self, key: Self.home) }
    let error = await #expect(throws: UndoError.self) { try await store.undo(written.inverse) }
    #expect(error == .changedSince([.init(table: "project", keys: [[UUID.encode(Self.home)]])]))
  }

  @Test func takenUniqueValueIsAViolation() async throws {
    let store = try folder.store()
    try await store.write { try $0.insert(Bird(ring: "a", species: "knot")) }
    let written = try await store.writeUndoably { try $0.delete(Bird.self, key: 1) }
    try await store.write { try $0.insert(Bird(id: 7, ring: "a", species: "stint")) }
    let error = await #expect(throws: StoreError.self) { try await store.undo(written.inverse) }
    guard case .constraint(let violation) = error else { throw try #require(error) }
    #expect(violation.table == "bird" && violation.columns == ["ring"])
    #expect(try await store.birds.map(\.species) == ["stint"])
  }

  @Test func tablesThatCantBePutBack() async throws {
    let queue = try DatabaseQueue()
    try queue.run(
      """
      CREATE TABLE bird (id INTEGER PRIMARY KEY AUTOINCREMENT, ring TEXT NOT NULL UNIQUE, species TEXT NOT NULL,
        sightings INTEGER NOT NULL);
      CREATE TABLE birdTag (birdID INTEGER NOT NULL REFERENCES bird ON DELETE CASCADE, tag TEXT NOT NULL, weight INTEGER NOT NULL,
        note TEXT, PRIMARY KEY (birdID, tag)) WITHOUT ROWID;
      CREATE TABLE photo (id INTEGER PRIMARY KEY, birdID REFERENCES bird ON DELETE CASCADE);
      INSERT INTO bird VALUES (5, 'a', 'knot', 1), (6, 'b', 'knot', 1);
      INSERT INTO birdTag VALUES (5, 'x', 1, 'n'); INSERT INTO photo VALUES (1, 6);
      """)
    let store = try Store(queue, schema: birdSchema)
    let error = await #expect(throws: UndoError.self) {
      try await store.writeUndoably { try $0.delete(Bird.self, key: 5) }
    }
    guard case .unsupported = error else { throw try #require(error) }
    #expect(try await store.count(Bird.query) == 2)
    // Changes of columns outside the inverse don't prevent the undo.
    let written = try await store.writeUndoably { try $0.update(Bird.self, key: 6) { $0.species = "stint" }.species }
    try await store.undo(written.inverse)
    #expect(try await store.fetch(Bird.self, key: 6)?.species == "knot")
    let added = try await store.writeUndoably { try $0.insert(Bird(ring: "c", species: "knot")) }
    #expect(added.value == 7)
    try await store.undo(added.inverse)
    #expect(try await store.count(Bird.query) == 2)
  }

  @Test func tooLargeUndoIsRefused() throws {
    let store = try folder.store()
    let error = #expect(throws: UndoError.self) {
      try store.writer.writeWithoutTransaction { db in
        let recording = try UndoRecording(birdSchema.map { RecordType($0) }, limit: 1000, on: db, of: store.writer)
        defer { recording.end(db, of: store.writer) }
        try db.inTransaction {
          let tx = WriteTransaction(db, recorder: nil)
          try tx.insert(contentsOf: (0..<100).map { Bird(ring: "\($0)", species: "knot") })
          _ = try recording.inverse(tx, name: "import")
          return .commit
        }
      }
    }
    #expect(error == .tooLarge(tables: ["bird"]))
  }

  // MARK: Objects that are left behind

  private func triggers(_ store: Store) throws -> [String] {
    try store.writer.writeWithoutTransaction { try String.fetchAll($0, sql: "SELECT name FROM temp.sqlite_schema") }
  }

  @Test(arguments: StoreKind.allCases)
  func undoableWritesLeaveNoTriggers(kind: StoreKind) async throws {
    struct ChangeOfMind: Error {}
    let store = try todoStore(kind)
    let before = try store.dump()
    await #expect(throws: ChangeOfMind.self) {
      try await store.writeUndoably { tx in
        try tx.delete(Project.query)
        throw ChangeOfMind()
      }
    }
    #expect(try triggers(store) == [])
    await #expect(throws: (any Error).self) {
      try await Task {
        try await store.writeUndoably { tx in
          try tx.delete(Project.query)
          withUnsafeCurrentTask { $0?.cancel() }
          try tx.delete(Comment.query)
        }
      }.value
    }
    #expect(try triggers(store) == [])
    #expect(try store.dump() == before)
    let written = try await store.writeUndoably { try $0.delete(Project.query) }
    try await store.undo(written.inverse)
    #expect(try triggers(store) == [])
    #expect(try store.dump() == before)
  }

  /// A task is cancelled while the triggers are created, so that only some tables have theirs. GRDB doesn't let a
  /// cancelled task drop them.
  @Test(arguments: [1, 4, 9])
  func cancellationDuringTheirCreationLeavesNoTriggers(count: Int) async throws {
    let made = Lock(0)
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      db.trace(options: .statement) { event in
        guard "\(event)".hasPrefix("CREATE TEMP TRIGGER") else { return }
        let isLast = made.withLock { made in
          made += 1
          return made == count
        }
        if isLast { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    let store = try folder.store(schema: todoSchema, configuration: configuration, tracing: .ownStatements)
    await #expect(throws: CancellationError.self) {
      try await Task { try await store.writeUndoably { _ = try $0.delete(Project.query) } }.value
    }
    #expect(made.withLock { $0 } == count)
    try store.writeBlocking("after") { tx in
      try tx.insert(Project(id: Self.home, name: "home"))
      try tx.insert(TodoTask(id: UUID(10), projectID: Self.home, title: "dig"))
      try tx.insert(Comment(id: UUID(20), projectID: Self.home, taskID: UUID(10), text: "c", createdAt: .now))
    }
    #expect(try triggers(store) == [])
  }

  // MARK: Touched columns, triggers, plans

  @Test func touchedColumnsAreRestored() async throws {
    let store = try Store(inMemory: touchSchema)
    try await store.write { try $0.insert(contentsOf: [Memo(slug: "a"), Memo(slug: "b")]) }
    try store.setBack()
    try store.writer.run("UPDATE memo SET createdAt = NULL, version = 1 WHERE id = 2")
    let before = try store.dump()
    let written = try await store.writeUndoably { tx in
      try tx.update(Memo.self, key: 1) { $0.text = "new" }
      try tx.delete(Memo.self, key: 2)
      try tx.insert(Memo(slug: "c"))
    }
    let after = try store.dump()
    let redo = try await store.undo(written.inverse)
    #expect(try store.dump() == before)
    try await store.undo(redo)
    #expect(try store.dump() == after)
  }

  /// Undoing puts back rows with NULL in touched columns under a unique index. A trigger first gives each such row the
  /// same version or time, until the row's NULL is put back. Another row may have that version, too.
  @Test(arguments: ["", " WHERE page > 1", " WHERE page < 3", " WHERE page = 2"])
  func touchedColumnsMayBeUnique(deleted: String) async throws {
    let store = try Store(inMemory: touchSchema)
    try store.writer.run(
      """
      INSERT INTO stamp (album, page, version, plain, iso) VALUES ('a', 1, 1, 1.5, '1'), ('a', 2, 2, 2.5, '2'), ('a', 3, 3, 3.5, '3'),
        ('b', 3, 4, 4.5, '4');
      UPDATE stamp SET version = NULL, plain = NULL, iso = NULL WHERE page > 1;
      CREATE UNIQUE INDEX oneVersion ON stamp (version);
      CREATE UNIQUE INDEX oneTime ON stamp (plain);
      CREATE UNIQUE INDEX oneText ON stamp (iso);
      """)
    let before = try store.dump()
    let written = try await store.writeUndoably { try $0.execute("DELETE FROM stamp\(raw: deleted)") }
    let after = try store.dump()
    let redo = try await store.undo(written.inverse)
    #expect(try store.dump() == before)
    let undo = try await store.undo(redo)
    #expect(try store.dump() == after)
    try await store.undo(undo)
    #expect(try store.dump() == before)
  }

  /// A count that the app's triggers maintain is also right after an undo.
  @Test func triggersOfTheAppRunToo() async throws {
    let store = try folder.store()
    try store.writer.run(
      """
      CREATE TRIGGER added AFTER INSERT ON birdTag BEGIN UPDATE bird SET sightings = sightings + 1 WHERE id = NEW.birdID; END;
      CREATE TRIGGER removed AFTER DELETE ON birdTag BEGIN UPDATE bird SET sightings = sightings - 1 WHERE id = OLD.birdID; END;
      """)
    try await store.write { tx in
      try tx.insert(Bird(ring: "a", species: "knot"))
      try tx.insert(contentsOf: ["x", "y"].map { BirdTag(birdID: 1, tag: $0) })
    }
    let before = try store.dump()
    let written = try await store.writeUndoably { try $0.delete(BirdTag.query) }
    try await store.undo(written.inverse)
    #expect(try store.dump() == before)
    #expect(try await store.birds.map(\.sightings) == [2])
  }

  @Test func eachStatementUsesAnIndex() async throws {
    let store = try todoStore()
    let written = try await store.writeUndoably { try $0.delete(Project.self, key: Self.home) }
    let (_, statements) = try await store.record {
      let redo = try await store.undo(written.inverse)
      try await store.undo(redo)
    }
    let sql = Set(statements.sql.filter { $0.contains(#"main.""#) && !$0.hasPrefix("CREATE") })
    #expect(sql.contains { $0.hasPrefix("DELETE") } && sql.contains { $0.hasPrefix("SELECT 1") })
    for sql in sql {
      let plan = try await store.plan(SQLStatement(sql: sql.replacing(#/\?\d*/#, with: "'x'"), arguments: []))
      #expect(plan.allSatisfy { $0.hasPrefix("SEARCH") }, "\(sql)")
    }
  }

  // MARK: Any transaction

  @Test @MainActor func randomTransactions() async throws {
    var generator = SeededGenerator()
    let seed: Testing.Comment = "SANDERLING_SEED=\(generator.seed)"
    let store = try Store(
      path: folder.path("random.sqlite"), schema: birdSchema + touchSchema, liveInterval: .zero,
      audit: .everyCommit { Issue.record("\($0)") })
    let list = store.liveList(Bird.order { ($0.species, $0.id) }, window: 10)
    let count = store.liveCount(Memo.where { $0.version > 2 })
    _ = (list.rows, count.value)
    var steps: [(inverse: InverseWrite, before: [String])] = []
    for _ in 0..<40 {
      let before = try store.dump()
      let changes = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        (
          Int.random(in: 0..<14, using: &generator), Int.random(in: 1...12, using: &generator),
          Int.random(in: 1...12, using: &generator)
        )
      }
      let written = try await store.writeUndoably { tx in
        for (kind, a, b) in changes { try? tx.savepoint { try Self.change(tx, kind, a, b) } }
      }
      let after = try store.dump()
      let redo = try await store.undo(written.inverse)
      #expect(try store.dump() == before, seed)
      let undo = try await store.undo(redo)
      #expect(try store.dump() == after, seed)
      steps.append((undo, before))
      await store.settled()
      #expect(try await list.elements == store.fetch(Bird.order { ($0.species, $0.id) }.limit(10)), seed)
      #expect(try await count.value == store.count(Memo.where { $0.version > 2 }), seed)
    }
    // All steps are undone in the opposite order.
    for (inverse, before) in steps.reversed() {
      try await store.undo(inverse)
      #expect(try store.dump() == before, seed)
    }
    await store.settled()
    #expect(list.elements.isEmpty)
  }

  private static func change(_ tx: WriteTransaction, _ kind: Int, _ a: Int, _ b: Int) throws {
    switch kind {
    case 0: try tx.insert(Bird(ring: "\(a)", species: "knot"), onConflict: .ignore)
    case 1: try tx.upsert(Bird(ring: "\(a)", species: "\(b)"), onConflict: \.ring)
    case 2: try tx.execute("INSERT OR REPLACE INTO bird VALUES (\(a), \("\(b)"), 'replaced', 0)")
    case 3: try tx.execute("UPDATE OR REPLACE bird SET ring = \("\(a)") WHERE id = \(b)")
    case 4:
      try tx.execute(
        "UPDATE OR REPLACE bird SET id = \(a) WHERE id = \(b) AND NOT EXISTS (SELECT 1 FROM birdTag WHERE birdID = \(b))"
      )
    case 5: try tx.delete(Bird.where { $0.id < Int64(a) && $0.id > Int64(b) })
    case 6: try tx.insert(BirdTag(birdID: Int64(a), tag: "\(b)"))
    case 7: try tx.execute("UPDATE birdTag SET tag = tag || 'x' WHERE birdID = \(a)")
    case 8: try tx.execute("UPDATE OR IGNORE birdTag SET birdID = \(a) WHERE birdID = \(b)")
    case 9: try tx.insert(Memo(slug: "\(a)"), onConflict: .ignore)
    case 10: try tx.update(Memo.where { $0.id < Int64(a) }, .set(\.text, to: "\(b)"))
    case 11: try tx.execute("REPLACE INTO memo (id, slug) VALUES (\(a), \("\(b)"))")
    case 12: try tx.upsert(Stamp(album: "\(a)", page: b % 3, note: "\(a + b)"))
    default: try tx.execute("UPDATE OR REPLACE stamp SET page = \(a), plain = plain WHERE page < \(b)")
    }
  }
}

extension Store {
  /// Returns all rows of the tables as SQLite literals.
  fileprivate func dump() throws -> [String] {
    try writer.writeWithoutTransaction { db in
      let tables = try String.fetchAll(
        db,
        sql:
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name <> 'sanderling_schema'"
      )
      return try tables.flatMap { table in
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")
        let values = columns.map { "typeof(\"\($0)\") || quote(CAST(\"\($0)\" AS BLOB))" }.joined(
          separator: " || ',' || ")
        return try String.fetchAll(db, sql: "SELECT '\(table): ' || \(values) FROM \"\(table)\"").sorted()
      }
    }
  }
}
