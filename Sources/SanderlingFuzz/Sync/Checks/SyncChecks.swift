import Foundation
import GRDB
import Sanderling

/// The checks of devices and their server when all are at rest.
struct SyncChecks {
  private let server: ServerImage
  private let devices: [DeviceSettings]

  init(_ server: ServerImage, _ devices: [DeviceSettings]) {
    self.server = server
    self.devices = devices
  }

  static func conflictCount(_ device: DeviceSettings) throws -> Int {
    let queue = try DatabaseQueue(path: device.path)
    defer { try? queue.close() }
    return try queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sanderling_sync_conflicts") ?? 0 }
  }

  func run() throws {
    if let problem = server.problem { throw SyncFuzzFailure(problem) }
    let rows = server.cells
    var counted: [String: Int] = [:]
    var journals: [DeviceJournal] = []
    for device in devices {
      let queue = try DatabaseQueue(path: device.path)
      try queue.read { db in
        try checkRows(device, rows, db)
        try checkLeftovers(device, db)
        let journal = try DeviceJournal(device.name, db)
        for (key, count) in journal.counted { counted[key, default: 0] += count }
        journals.append(journal)
      }
      try queue.close()
    }
    let history = try server.history(journals)
    for journal in journals {
      try journal.checkNothingIsLost(history)
      try journal.checkNothingIsUndone(journals)
    }
    if server.rule != .lastWins, server.knowsWriters { try history.checkOverwritten(journals) }
    // Counters are compared only if the server applies each mutation once. Otherwise it may count a mutation twice.
    if server.rule == .matchOnce {
      for key in ServerTables.counters + ["c4"] {
        let count = rows[["counter", key, "count"]] ?? "0"
        if count != "\(counted[key] ?? 0)" {
          throw SyncFuzzFailure("counter \(key) is \(count), and the devices counted \(counted[key] ?? 0)")
        }
      }
    }
  }

  // MARK: Rows

  private func checkRows(_ device: DeviceSettings, _ expected: [[String]: String], _ db: Database) throws {
    var found: [[String]: String] = [:]
    for (record, columns) in DeviceRecords.columns {
      for row in try Row.fetchAll(
        db, sql: "SELECT \(columns.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \(record)")
      {
        let key: String = row["id"]
        for (column, value) in row { found[[record, key, column]] = EditJournal.text(value) }
      }
    }
    let cells = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }
      .sorted { $0.lexicographicallyPrecedes($1) }
    if cells.isEmpty { return }
    let list = cells.prefix(12).map {
      "\($0.joined(separator: ".")): \(found[$0] ?? "nothing") here, \(expected[$0] ?? "nothing") at the server"
    }
    throw SyncFuzzFailure("\(device.name) isn't as the server is: \(list.joined(separator: "; "))")
  }

  /// Checks that no change is pending and that no temporary entry is left.
  private func checkLeftovers(_ device: DeviceSettings, _ db: Database) throws {
    let tables = try String.fetchAll(
      db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'sanderling_sync_*'")
    for table in tables {
      let isTemporary =
        ["parked", "parents", "quarantine"].contains { table == "sanderling_sync_\($0)" }
        || ["seen", "changes", "extra"].contains { table.hasPrefix("sanderling_sync_\($0)_") }
      if !isTemporary { continue }
      let rows = try Row.fetchAll(db, sql: "SELECT * FROM \"\(table)\" LIMIT 3")
      if !rows.isEmpty { throw SyncFuzzFailure("\(device.name) has left in \(table): \(rows)") }
    }
    let state = try Row.fetchOne(db, sql: "SELECT restarting, holder FROM sanderling_sync_state")
    if state?[0] != 0 || state?[1] as String? != nil {
      throw SyncFuzzFailure("\(device.name) isn't at its end: \(state.map { "\($0)" } ?? "no state")")
    }
    if try Int.fetchOne(db, sql: "SELECT applying FROM sanderling_sync_control") != 0 {
      throw SyncFuzzFailure("\(device.name) notes no changes any more")
    }
    if let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") {
      throw SyncFuzzFailure("\(device.name) has a reference that leads nowhere: \(row)")
    }
    if let problem = try String.fetchOne(db, sql: "PRAGMA integrity_check"), problem != "ok" {
      throw SyncFuzzFailure("\(device.name) has a damaged database: \(problem)")
    }
    // If a device has a row and the version of the row, the server must have the same version. A server with the rule
    // `lastWins` acknowledges changes without versions, so no versions are compared then.
    if server.rule == .lastWins { return }
    for (record, _) in DeviceRecords.columns {
      let known = try Row.fetchAll(
        db, sql: "SELECT k0, version FROM sanderling_sync_versions_\(record) WHERE k0 IN (SELECT id FROM \(record))")
      for row in known {
        let (key, version) = (row[0] as String, row[1] as String)
        let present = server.versions[[record, key]]
        if present != version {
          throw SyncFuzzFailure(
            "\(device.name) knows \(record) \(key) as version \(version), and the server as \(present ?? "nothing")")
        }
      }
    }
  }
}
