import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// Brings devices to rest after all faults have ended. It also acts for the user: it corrects rows that the server
/// refuses, and renames one of two records that must not share a name.
struct SyncHealing {
  private let settings: [DeviceSettings]
  private var random: SeededGenerator

  private static let passes = 12

  init(_ settings: [DeviceSettings], _ random: inout SeededGenerator) {
    self.settings = settings.map { settings in
      var settings = settings
      settings.isNew = true
      return settings
    }
    self.random = SeededGenerator(seed: random.next())
  }

  /// - Parameter tidy: The work of the server's owner; returns whether there was any.
  /// - Returns: The paths of the devices' databases, by the devices' names.
  mutating func heal(_ tidy: () async throws -> Bool = { false }) async throws -> [DeviceSettings] {
    var devices: [FuzzDevice] = []
    for settings in settings { devices.append(try await FuzzDevice(settings, &random)) }
    var told: [String] = []
    for pass in 1...Self.passes {
      var (isAtRest, hasLeft) = (true, false)
      for device in devices {
        let summary = try await device.session.run()
        let isMended = try await mend(device)
        let settled = summary.sent.map { $0.acknowledged + $0.refused } ?? 0
        let counts = summary.counts
        let isQuiet = settled + counts.written + counts.removed + counts.quarantined == 0 && !isMended
        if !isQuiet { isAtRest = false }
        // Changes that wait for a missing parent, or that conflict with one, stay pending until the server's owner has
        // tidied up.
        let left = summary.sent?.left ?? 0
        if left > 0 { hasLeft = true }
        if !isQuiet || left > 0 {
          told.append("pass \(pass), \(device.settings.name): \(summary)\(isMended ? ", mended" : "")")
        }
      }
      if isAtRest, try await !tidy(), !hasLeft {
        for device in devices {
          let shown = await ShownValues(device)
          try await shown.check()
          await shown.close()
          try device.store.close()
        }
        return settings
      }
    }
    throw SyncFuzzFailure("the devices don't come to rest in \(Self.passes) passes:\n\(told.joined(separator: "\n"))")
  }

  /// - Returns: Whether there was anything to correct.
  private func mend(_ device: FuzzDevice) async throws -> Bool {
    let name = device.settings.name
    let hasRefused = try await device.store.write { tx in
      let db = tx.database
      let refused = try Row.fetchAll(
        db, sql: "SELECT record, key FROM sanderling_sync_quarantine WHERE direction = 'push'")
      let next = try Int.fetchOne(db, sql: "SELECT next FROM mine") ?? 0
      var statements: [String] = []
      for (number, row) in refused.enumerated() {
        let (record, key) = (row[0] as String, "json_extract('\(row[1] as String)', '$[0]')")
        let text = "'\(name)-\(next + number + 1)'"
        switch record {
        case "tag": statements.append("UPDATE tag SET name = \(text) WHERE id = \(key)")
        case "folder": statements.append("UPDATE folder SET name = \(text) WHERE id = \(key)")
        case "note":
          let body = "CASE WHEN body IS NOT NULL THEN \(text) END"
          statements.append("UPDATE note SET title = \(text), body = \(body) WHERE id = \(key)")
        default: statements.append("UPDATE remark SET text = \(text), mark = \(text) WHERE id = \(key)")
        }
      }
      try EditJournal.run(statements, next: next + 1000, device: name, db)
      return !refused.isEmpty
    }
    let waiting = try await device.session.quarantine().filter { $0.direction == .pulled }
    for change in waiting {
      // The change may have left the quarantine together with another change.
      guard case .row(let values) = change.change.content, case .text(let wanted)? = values["name"],
        case .text(let key)? = change.change.key.first
      else { throw SyncFuzzFailure("\(name) has in its quarantine: \(change)") }
      try await device.store.write { tx in
        let next = try Int.fetchOne(tx.database, sql: "SELECT next FROM mine") ?? 0
        try EditJournal.run(
          ["UPDATE tag SET name = '\(name)-\(next + 1)' WHERE name = '\(wanted)' AND id <> '\(key)'"], next: next + 2,
          device: name, tx.database)
      }
      do { _ = try await device.session.retry(change.id) } catch SyncError.notInQuarantine {}
    }
    return hasRefused || !waiting.isEmpty
  }
}
