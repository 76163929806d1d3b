import Foundation
import GRDB
import Sanderling

/// A device with many pending changes, and a server that other clients have edited since. Each run begins with copies
/// of both.
struct SyncBeginning {
  /// The folder of the beginning and the copies. The run that created it removes it.
  let folder: URL
  private let seed: UInt64

  private static let policy = DevicePolicy(rule: "merge", deletion: "change")

  /// Creates a server with some hundred rows. The device knows the first of them, and has edited those.
  init(seed: UInt64, _ random: inout SeededGenerator) async throws {
    self.seed = seed
    folder = FileManager.default.temporaryDirectory.appending(path: "sanderling-beginning-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let server = try FuzzServer(.matchOnce, path: server.path, SeededGenerator(seed: seed))
    try server.add(rows: 100)
    let listener = try FaultyListener(server, SeededGenerator(seed: seed))
    listener.calmDown()
    let open = try await FuzzDevice(Self.settings(device, listener.port), &random)
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

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Copies the beginning, lets a device synchronise with the server behind a listener, and reads the final state of
  /// both.
  ///
  /// - Parameters:
  ///   - listen: Puts a listener before the server.
  ///   - synchronise: Runs the device with these settings until it has synchronised.
  func end<Value>(
    listen: (FuzzServer) throws -> FaultyListener, synchronise: (DeviceSettings, FaultyListener) async throws -> Value
  ) async throws -> (image: Set<String>, value: Value) {
    let files = FileManager.default
    let (copy, serverCopy) = (folder.appending(path: "device.sqlite"), folder.appending(path: "server.sqlite"))
    for file in [copy, serverCopy] {
      for end in ["", "-wal", "-shm"] { try? files.removeItem(atPath: file.path + end) }
    }
    try files.copyItem(at: device, to: copy)
    try files.copyItem(at: server, to: serverCopy)
    let open = try FuzzServer(reopening: serverCopy.path, .matchOnce, SeededGenerator(seed: seed))
    let listener = try listen(open)
    defer { listener.end() }
    let value = try await synchronise(Self.settings(copy, listener.port), listener)
    let image = try Self.image(copy).union(open.read { db in try Self.serverImage(db) })
    try open.close()
    return (image, value)
  }

  private var device: URL { folder.appending(path: "beginning.sqlite") }
  private var server: URL { folder.appending(path: "server-beginning.sqlite") }

  private static func settings(_ file: URL, _ port: UInt16) -> DeviceSettings {
    DeviceSettings(name: "d1", path: file.path, port: port, rule: .matchOnce, policy: policy, isNew: true)
  }

  // MARK: Images

  /// Every row of the records and of the synchronisation's tables about them, as SQL literals.
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

  /// The server's rows without their versions: the order of mutations depends on the places of the cuts.
  private static func serverImage(_ db: Database) throws -> Set<String> {
    Set(
      try String.fetchAll(
        db, sql: "SELECT 'server ' || record || ' ' || key || ': ' || coalesce(row, 'nothing') FROM rows"))
  }
}
