import Foundation
import GRDB
import Sanderling
import TestPrograms
import Testing

/// A process that is killed at any moment loses no acknowledged write.
@Suite(.serialized, .enabled(if: BuildFolder.program("StoreKillHelper") != nil))
struct KillTests {
  @Record
  struct Entry {
    var id: Int64
    var batch: Int
    var text: String
  }

  @Test func noAcknowledgedWriteIsLost() async throws {
    var random = SeededGenerator()
    let seed = random.seed
    let folder = try Folder()
    var acknowledged = -1
    for round in 0..<25 {
      let lines = try run("write", folder.path, acknowledged + 1, for: .random(in: 0...60_000, using: &random))
      acknowledged = lines.compactMap { Int($0) }.last ?? acknowledged
      let store = try Store(path: folder.path, schema: [Entry.self])
      #expect(try await store.integrityCheck() == [], "seed \(seed), round \(round)")
      let batches = try await store.fetch(Entry.group { $0.batch }.select { ($0.batch, $0.count()) }.order { $0.batch })
      // The file has all batches up to the last acknowledged batch, and perhaps the next, which was committed and not
      // announced yet.
      #expect(batches.allSatisfy { $0.1 == 10 }, "seed \(seed), round \(round)")
      #expect(batches.map(\.0) == Array(0..<batches.count), "seed \(seed), round \(round)")
      #expect(
        (acknowledged + 1...acknowledged + 2).contains(batches.count),
        "seed \(seed), round \(round): \(acknowledged) was acknowledged, and there are \(batches.count) batches")
      acknowledged = batches.count - 1
      try store.close()
    }
    #expect(acknowledged > 0, "no round lasted long enough to write anything")
  }

  /// A migration that is killed while it rebuilds a table leaves the old table or the new one, and nothing in between.
  @Test func killedMigrationIsCompleteOrAbsent() async throws {
    var random = SeededGenerator()
    let seed = random.seed
    var finished = 0
    for round in 0..<12 {
      let folder = try Folder()
      let entries = (0..<2000).map { Entry(id: Int64($0), batch: $0, text: String(repeating: "x", count: 200)) }
      let store = try Store(path: folder.path, schema: [Entry.self])
      try await store.write("fill") { try $0.insert(contentsOf: entries) }
      try store.close()

      let lines = try run("migrate", folder.path, 0, for: .random(in: 0...200_000, using: &random))
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.read { db in
        #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok", "seed \(seed), round \(round)")
        #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM entry") == 2000, "seed \(seed), round \(round)")
        let columns = try db.columns(in: "entry").map(\.name)
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        #expect(columns == ["id", "batch", "text"] || columns == ["id", "batch", "text", "rank"])
        #expect(tables == ["entry", "sanderling_schema"], "seed \(seed), round \(round)")
      }
      if lines.contains("migrated 2000") { finished += 1 }
      try queue.close()
      // Another attempt completes the migration that the first one began.
      #expect(try run("migrate", folder.path, 0, for: nil).last == "migrated 2000", "seed \(seed), round \(round)")
    }
    print("seed \(seed): \(finished) of 12 migrations finished before they were killed")
  }

  /// A process that is killed while it creates the file leaves all of the first rows, or no database yet.
  @Test func killedSeedIsCompleteOrAbsent() async throws {
    var random = SeededGenerator()
    let seed = random.seed
    for round in 0..<12 {
      let folder = try Folder()
      _ = try run("seed", folder.path, 0, for: .random(in: 0...60_000, using: &random))
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.read { db in
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        #expect(tables == [] || tables == ["entry", "sanderling_schema"], "seed \(seed), round \(round)")
        if !tables.isEmpty {
          #expect(try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM entry") == 2000, "seed \(seed), round \(round)")
        }
      }
      try queue.close()
      #expect(try run("seed", folder.path, 0, for: nil).last == "seeded 2000", "seed \(seed), round \(round)")
    }
  }

  /// A process that ends during an erasure leaves all of the old rows or all of the new ones, and never none. It ends
  /// itself while it writes the new rows, or is killed at a random moment.
  @Test(arguments: ["erase-and-end", "erase"])
  func killedErasureIsCompleteOrAbsent(mode: String) async throws {
    var random = SeededGenerator()
    let seed = random.seed
    for round in 0..<12 {
      let folder = try Folder()
      #expect(try run("seed", folder.path, 0, for: nil).last == "seeded 2000")
      let isKilled = mode == "erase"
      let lines = try run(mode, folder.path, 1, for: isKilled ? .random(in: 0...60_000, using: &random) : nil)
      let queue = try DatabaseQueue(path: folder.path)
      try await queue.read { db in
        let counts = try Row.fetchOne(db, sql: "SELECT sum(batch = 0), sum(batch = 1) FROM entry")
        let (old, new) = (try #require(counts)[0] as Int, try #require(counts)[1] as Int)
        #expect(old == 2000 && new == 0 || isKilled && old == 0 && new == 2000, "seed \(seed), round \(round)")
        if lines.contains("erased") { #expect(new == 2000, "seed \(seed), round \(round)") }
      }
      try queue.close()
      if !isKilled { break }
    }
  }

  /// Runs `StoreKillHelper` and returns the lines that it wrote. It is killed the given number of microseconds after
  /// its first line.
  private func run(_ mode: String, _ path: String, _ first: Int, for microseconds: UInt32?) throws -> [String] {
    let helper = try #require(BuildFolder.program("StoreKillHelper"))
    let (output, _) = try Program.run(helper.path, [mode, path, String(first)]) { output, program in
      guard let microseconds else { return Data() }
      let beginning = output.availableData
      // A random moment of death is the purpose of this test. The test waits for no result.
      usleep(microseconds)
      program.signal(SIGKILL)
      return beginning
    }
    // The kill may have cut off the last line.
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map(String.init)
  }

  /// A folder for a database, removed with this object.
  private final class Folder {
    let path: String
    private let url: URL

    init() throws {
      url = FileManager.default.temporaryDirectory.appending(path: "sanderling-kill-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      path = url.appending(path: "store.sqlite").path
    }

    deinit {
      try? FileManager.default.removeItem(at: url)
    }
  }
}
