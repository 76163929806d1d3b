import Foundation
import GRDB
@testable import Sanderling
import TestPrograms
import Testing

/// Moves of stores of Core Data to new databases.
struct StoreMoveTests {
  @Test func everyRowIsMovedAndTheOldStoreStays() async throws {
    let fixture = try MoveFixture(books: 25_000)
    let before = try fixture.oldFiles
    #expect(before[1].count > 0 && fixture.move.isNeeded && !fixture.move.isFinished)
    let log = MoveProgressLog()
    let report = try await fixture.move.run { log.add($0) }
    #expect(try fixture.differences() == [])
    #expect(try fixture.oldFiles == before)
    #expect(
      try fixture.files.subtracting(["Library.sqlite-shm"]) == ["Library.sqlite", "Library.sqlite-wal", "new.sqlite"])
    #expect(!fixture.move.isNeeded && fixture.move.isFinished)

    #expect(report.problemCount == 0 && report.problems.isEmpty && report.leftOutCount == 0)
    #expect(report.entities.map(\.table) == ["book", "book", "author", "tag", "bookTag"])
    #expect(report.entities.map(\.entity) == ["Book", "Novel", nil, nil, nil])
    #expect(report.entities.prefix(4).map(\.rowCount) == [12_500, 12_500, 2500, 3])
    #expect("\(report)".hasPrefix("Book: 12500 rows moved\nNovel: 12500 rows moved\nauthor: 2500 rows moved\n"))

    // Progress grows in each phase, and ends with all rows.
    let total = report.entities.map(\.rowCount).reduce(0, +)
    for phase in [StoreMove.Progress.Phase.copying, .checking] {
      let rows = log.all.filter { $0.phase == phase }
      #expect(rows.count > 4 && rows.map(\.rowCount) == rows.map(\.rowCount).sorted())
      #expect(rows.last?.rowCount == total && rows.allSatisfy { $0.total == total && $0.attempt == 1 })
    }
    #expect(log.all.map(\.fraction) == log.all.map(\.fraction).sorted() && log.all.last?.fraction == 1)

    // The new database is one that a store has made, with its indexes.
    let store = try await Store.open(path: fixture.new, schema: MovedLibrary.schema)
    #expect(try await store.integrityCheck() == [])
    let fresh = try Store(inMemory: MovedLibrary.schema)
    let objects = "SELECT type || name || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
    #expect(
      try await store.writer.read { try String.fetchAll($0, sql: objects) }
        == fresh.writer.read { try String.fetchAll($0, sql: objects) })
    try await store.write { try $0.insert(MovedLibrary.Tag.new) }
    try store.close()
  }

  /// A move that is finished is not run again, and only then deletes the old store.
  @Test func mistakes() async throws {
    let fixture = try MoveFixture(books: 100)
    let move = fixture.move
    #expect(throws: StoreMoveError.notFinished(path: fixture.new)) { try move.deleteOldStore() }
    _ = try await move.run()
    await #expect(throws: StoreMoveError.exists(path: fixture.new)) { _ = try await move.run() }
    #expect(try await move.problems() == [])
    try fixture.addExternalFile("A", Data([1]))
    try move.deleteOldStore()
    #expect(try fixture.files == ["new.sqlite"])
    #expect(!move.isNeeded)
    try FileManager.default.removeItem(atPath: fixture.new)
    await #expect(throws: StoreError.cannotOpen(path: fixture.old, reason: "there is no such file; check the path")) {
      _ = try await move.run()
    }
  }

  @Test func onlyOneRunAtATime() async throws {
    let fixture = try MoveFixture(books: 100)
    let move = fixture.move
    let other = ErrorBox()
    _ = try await move.run { progress in
      if progress.phase == .copying, progress.rowCount < 200 {
        let done = DispatchSemaphore(value: 0)
        Task.detached {
          do { _ = try await move.run() } catch { other.error.withLock { $0 = error } }
          done.signal()
        }
        done.wait()
      }
    }
    #expect(other.error.withLock { $0 as? StoreMoveError } == .underWay(path: fixture.new))
    #expect(try fixture.differences() == [])
  }

  @Test func aCancelledMoveLeavesNothing() async throws {
    let fixture = try MoveFixture(books: 30_000)
    let before = try fixture.oldFiles
    for count in [0, 15_000, 30_000] {
      let (move, box) = (fixture.move, TaskBox())
      let task = Task {
        while box.task.withLock({ $0 == nil }) { await Task.yield() }
        _ = try await move.run { progress in
          if progress.rowCount > count { box.task.withLock { $0?.cancel() } }
        }
      }
      box.task.withLock { $0 = task }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try fixture.files.subtracting(["Library.sqlite-shm"]) == ["Library.sqlite", "Library.sqlite-wal"])
    }
    #expect(try fixture.oldFiles == before)
    _ = try await fixture.move.run()
    #expect(try fixture.differences() == [])
  }

  @Test func aStoreWithoutAWriteAheadLog() async throws {
    let fixture = try MoveFixture(books: 500)
    try CoreDataFixture.change(fixture.old, "PRAGMA journal_mode = DELETE")
    let before = try Data(contentsOf: URL(filePath: fixture.old))
    _ = try await fixture.move.run()
    #expect(try fixture.differences() == [])
    #expect(try Data(contentsOf: URL(filePath: fixture.old)) == before)
    #expect(try fixture.files == ["Library.sqlite", "new.sqlite"])
  }

  // MARK: Other writers

  /// A widget saves a book while the move runs: the new database has the book.
  @Test(.enabled(if: Program.canRun))
  func anotherProcessWritesTheOldStore() async throws {
    let fixture = try MoveFixture(books: 30_000)
    let old = fixture.old
    let log = MoveProgressLog()
    _ = try await fixture.move.run { progress in
      log.add(progress)
      // Once while rows are copied, and once while the finished file is read.
      let isMoment =
        progress.attempt == 1 && progress.phase == .copying && progress.rowCount < 20_000
        || progress.attempt == 2 && progress.phase == .checking
      if isMoment { Self.writeAsAnotherProcess(old, "UPDATE ZBOOK SET ZTITLE = ZTITLE || '!' WHERE Z_PK = 3") }
    }
    #expect(Set(log.all.map(\.attempt)) == [1, 2, 3])
    #expect(try fixture.differences() == [])
  }

  @Test(.enabled(if: Program.canRun))
  func aBusyWriterEndsTheMove() async throws {
    let fixture = try MoveFixture(books: 1000)
    let old = fixture.old
    let error = await #expect(throws: StoreMoveError.self) {
      _ = try await fixture.move.run(attempts: 2) { progress in
        if progress.phase == .checking {
          Self.writeAsAnotherProcess(old, "UPDATE ZBOOK SET ZTITLE = ZTITLE || '!' WHERE Z_PK = 3")
        }
      }
    }
    #expect(error == .oldStoreChanges(path: old, attempts: 2))
    #expect(
      error?.description
        == "\(old) was written during each of 2 attempts to move it. Close the store in other processes, "
        + "or run the move again later; until then, use the old store.")
    #expect(!fixture.move.isFinished)
    #expect(try fixture.files.allSatisfy { $0.hasPrefix("Library") })
  }

  private static func writeAsAnotherProcess(_ path: String, _ sql: String) {
    if let shell = Program.first(of: ["/usr/bin/sqlite3"]) {
      _ = try? Program.run(shell, [path, sql])
    } else {
      try? CoreDataFixture.change(path, sql)
    }
  }

  // MARK: Stores that can't be moved

  @Test(arguments: [
    ("UPDATE Z_PRIMARYKEY SET Z_ENT = 9 WHERE Z_NAME = 'Tag'", "its entity Tag has another number than 4"),
    ("ALTER TABLE ZBOOK RENAME COLUMN ZPAGES TO ZLENGTH", "ZBOOK can't be read (no such column: ZPAGES)"),
    ("DROP TABLE Z_2TAGS", "Z_2TAGS can't be read (no such table: old.Z_2TAGS)"),
    ("UPDATE Z_METADATA SET Z_VERSION = 2", "the unknown version 2"),
  ])
  func anotherModel(change: String, reason: String) async throws {
    let fixture = try MoveFixture(books: 10, change)
    let before = try fixture.oldFiles
    do {
      _ = try await fixture.move.run()
      Issue.record("the move is refused")
    } catch {
      #expect("\(error)".contains(reason) && "\(error)".contains(fixture.old), "\(error)")
    }
    #expect(try fixture.oldFiles == before)
    #expect(try !fixture.files.contains { $0.hasPrefix("new") })
  }

  @Test func declarationsThatDontFit() async throws {
    typealias Library = MovedLibrary
    func reason(_ tables: [StoreMove.Table], _ schema: [any StoredRecord.Type] = Library.schema) async -> String {
      let move = StoreMove(from: "/tmp/none", to: "/tmp/none-new", schema: schema, entities: [:], tables: tables)
      do {
        _ = try move.plans()
        return "none"
      } catch {
        return "\(error)"
      }
    }
    let tag = StoreMove.Table(Library.Tag.self, from: "ZTAG", ["id": "Z_PK"])
    #expect(await reason([tag]) == "none")
    #expect(await reason([tag, tag]).contains("it is moved twice"))
    #expect(await reason([tag], [OldEntry.self]).contains("it is no table of the schema"))
    #expect(
      await reason([.init(Library.Tag.self, from: "ZTAG", ["id": "Z_PK", "title": "ZNAME"])])
        .contains("the record has no column title"))
    #expect(
      await reason([.init(Library.Tag.self, from: "ZTAG", ["name": "ZNAME"])]).contains(
        "the column id has no expression"))
    #expect(
      await reason([.init(Library.Tag.self, from: "ZTAG", entity: "kind", ["id": "Z_PK"])])
        .contains("the column of the entity has no expression"))
  }

  @Test func equalValuesInAUniqueIndex() async throws {
    let fixture = try MoveFixture(books: 100, "UPDATE ZBOOK SET ZUUID = zeroblob(16) WHERE Z_PK < 5")
    let error = await #expect(throws: StoreMoveError.self) { _ = try await fixture.move.run() }
    #expect(error == .duplicates(table: "book", reason: "UNIQUE constraint failed: book.uuid"))
    #expect(try !fixture.files.contains { $0.hasPrefix("new") })
  }

  /// The log of a former database at the place would be taken for that of the new one.
  @Test func leftoversOfAFormerDatabaseAreRemoved() async throws {
    let fixture = try MoveFixture(books: 100)
    for ending in ["-wal", "-shm", ".moving", ".moving-journal"] {
      try Data(repeating: 7, count: 5000).write(to: URL(filePath: fixture.new + ending))
    }
    _ = try await fixture.move.run()
    #expect(try fixture.files.filter { $0.hasPrefix("new") } == ["new.sqlite"])
    #expect(try fixture.differences() == [])
  }
}

/// A task that cancels itself.
private final class TaskBox: Sendable {
  let task = Lock<Task<Void, any Error>?>(nil)
}

private final class ErrorBox: Sendable {
  let error = Lock<(any Error)?>(nil)
}
