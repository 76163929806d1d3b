import Foundation
import GRDB
import Sanderling

/// Synchronises a device with many pending changes, in processes that are killed at random moments, until one ends by
/// itself. The device and the server must then equal those after one undisturbed run, byte by byte.
package struct KillRun {
  private let seed: UInt64
  private let executable: URL
  private let folder: URL
  private var random: SeededGenerator

  private static let policy = DevicePolicy(rule: "merge", deletion: "change")

  package init(seed: UInt64, executable: URL) throws {
    self.seed = seed
    self.executable = executable
    random = SeededGenerator(seed: seed)
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// - Returns: Whether no failure was found.
  package mutating func run(kills: Int) async throws -> Bool {
    Console.print("sanderling-fuzz sync --seed \(seed) --kills \(kills)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await makeBeginning()
    let undisturbed = try run(limit: 0)
    var (done, rounds) = (0, 0)
    while done < kills {
      let disturbed = try run(limit: kills - done)
      done += disturbed.kills
      rounds += 1
      if disturbed.image != undisturbed.image {
        let lines = disturbed.image.symmetricDifference(undisturbed.image).sorted()
        Console.print("\nRound \(rounds) failed, after \(done) kills: \(lines.prefix(10).joined(separator: "\n"))")
        Console.print("To run it again: sanderling-fuzz sync --seed \(seed) --kills \(kills)")
        return false
      }
    }
    Console.print("\(done) kills in \(rounds) synchronisations: each ended as an undisturbed one")
    return true
  }

  private var device: URL { folder.appending(path: "beginning.sqlite") }
  private var server: URL { folder.appending(path: "server-beginning.sqlite") }

  /// A server with some hundred rows. The device knows the first ones and has edited them.
  private mutating func makeBeginning() async throws {
    let server = try FuzzServer(.matchOnce, path: server.path, SeededGenerator(seed: seed))
    try server.add(rows: 100)
    let listener = try FaultyListener(server, SeededGenerator(seed: seed))
    listener.calmDown()
    let open = try await FuzzDevice(settings(device, listener.port), &random)
    try await open.session.run()
    try await open.store.write { tx in
      try tx.database.execute(
        sql: """
          UPDATE note SET body = 'edited ' || id WHERE CAST(substr(id, 2) AS INTEGER) % 2 = 0;
          DELETE FROM note WHERE CAST(substr(id, 2) AS INTEGER) % 7 = 0;
          INSERT INTO folder SELECT 'g' || id, 'new ' || id, NULL FROM note LIMIT 20;
          INSERT INTO note SELECT 'm' || id, 'g' || id, 'new ' || id, NULL, 0, 1 FROM note LIMIT 20;
          UPDATE counter SET count = count + 3;
          """)
    }
    try open.store.close()
    listener.end()
    // Other clients edit the same rows and add many.
    try server.add(rows: 400)
    try server.close()
  }

  private func settings(_ file: URL, _ port: UInt16) -> DeviceSettings {
    DeviceSettings(name: "d1", path: file.path, port: port, rule: .matchOnce, policy: Self.policy, isNew: true)
  }

  /// Synchronises a copy of the beginning until a run ends by itself.
  private mutating func run(limit: Int) throws -> (image: Set<String>, kills: Int) {
    let files = FileManager.default
    let (copy, serverCopy) = (folder.appending(path: "device.sqlite"), folder.appending(path: "server.sqlite"))
    for file in [copy, serverCopy] {
      for end in ["", "-wal", "-shm"] { try? files.removeItem(atPath: file.path + end) }
    }
    try files.copyItem(at: device, to: copy)
    try files.copyItem(at: server, to: serverCopy)
    let open = try FuzzServer(reopening: serverCopy.path, .matchOnce, SeededGenerator(seed: seed))
    let listener = try FaultyListener(open, SeededGenerator(seed: seed))
    listener.calmDown()
    defer { listener.end() }
    var kills = 0
    let most = limit == 0 ? 0 : random.number(1..<min(limit, 12) + 1)
    while true {
      let process = try DeviceProcess(settings(copy, listener.port), seed: seed, steps: 0, executable: executable)
      if kills == most {
        if let complaint = process.complaint() { throw SyncFuzzFailure(complaint) }
        break
      }
      process.waitForLine()
      usleep(UInt32(random.number(0..<random.element(of: [2_000, 20_000, 200_000]))))
      guard process.isRunning else {
        if let complaint = process.complaint() { throw SyncFuzzFailure(complaint) }
        break
      }
      process.kill()
      kills += 1
    }
    let image = try Self.image(copy).union(open.read { db in try Self.serverImage(db) })
    try open.close()
    return (image, kills)
  }

  // MARK: What is compared

  /// Every row of the records and of the synchronisation's tables for them, as SQL literals.
  private static func image(_ file: URL) throws -> Set<String> {
    let queue = try DatabaseQueue(path: file.path)
    defer { try? queue.close() }
    return try queue.read { db in
      var lines: Set<String> = []
      let names = DeviceRecords.columns.map(\.0)
      let kept = ["changes", "extra", "seen"].flatMap { kind in names.map { "sanderling_sync_\(kind)_\($0)" } }
      for table in names + kept + ["sanderling_sync_parked", "sanderling_sync_quarantine", "sanderling_sync_parents"] {
        let columns = try db.columns(in: table).map { "quote(\"\($0.name)\")" }.joined(separator: " || ',' || ")
        for line in try String.fetchAll(db, sql: "SELECT \(columns) FROM \"\(table)\"") {
          lines.insert("device \(table): \(line)")
        }
      }
      return lines
    }
  }

  /// The server's rows without their versions: the order of mutations depends on where the runs are cut.
  private static func serverImage(_ db: Database) throws -> Set<String> {
    Set(
      try String.fetchAll(
        db, sql: "SELECT 'server ' || record || ' ' || key || ': ' || coalesce(row, 'nothing') FROM rows"))
  }
}
