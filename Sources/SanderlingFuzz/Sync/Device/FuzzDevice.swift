import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// The settings with which a device is started.
struct DeviceSettings: Sendable {
  var name: String
  var path: String
  var port: UInt16
  var rule: FuzzServer.Rule
  /// The server behind the port; nil for the fuzzer's own server.
  var access: ServerAccess?
  /// Whether runs follow changes at a real server.
  var isFollowing = false
  var policy: DevicePolicy
  /// The error of its clock in seconds.
  var skew = 0.0
  /// Whether the app's version knows all columns.
  var isNew: Bool
}

/// An open store of a device.
struct FuzzDevice: Sendable {
  let settings: DeviceSettings
  let store: Store
  let session: SyncSession

  /// - Parameter follows: Whether its source may follow changes for a while as they happen.
  init(_ settings: DeviceSettings, _ random: inout SeededGenerator, follows: Bool = false) async throws {
    self.settings = settings
    store = try Store(path: settings.path, schema: DeviceRecords.schema(isNew: settings.isNew))
    var options = SyncOptions()
    options.backoff = .init(first: .milliseconds(2), greatest: .milliseconds(20), attempts: random.number(1..<4))
    options.firstSlice = random.element(of: [1, 3, 64])
    options.pushBatchSize = random.element(of: [1, 4, 100])
    // The server's users may delete most of its few rows, after which the source restarts.
    options.allowsMassDeletion = true
    options.shows = random.element(of: [.changes, .checkpoints])
    let records = DeviceRecords.synced(isNew: settings.isNew, settings.policy)
    let (pageSize, followingCount) = (random.element(of: [3, 20, 1000]), random.element(of: [0, 3, 100]))
    do {
      let connection: any SyncSource & SyncSink =
        try settings.access?.adapter(port: settings.port, records: records, isFollowed: follows && settings.isFollowing)
        ?? DeviceConnection(
          port: settings.port, knowsNumbers: settings.rule != .match, pageSize: pageSize,
          followingCount: follows ? followingCount : 0)
      session = try await SyncSession(
        "fuzz", store: store, records: records, source: connection, sink: connection, options: options)
      try await store.write { tx in
        try EditJournal.create(tx.database)
        try DeviceTrace.create(tx.database)
      }
    } catch {
      try? store.close()
      throw error
    }
  }

  /// The number that the user last wrote to the device's own row, and the number that it shows.
  func ownNumbers() async throws -> (written: Int, shown: Int) {
    try await store.read { tx in
      let row = try Row.fetchOne(
        tx.database,
        sql: "SELECT n, coalesce((SELECT n FROM own WHERE id = ?), 0) FROM mine", arguments: [settings.name])
      return (row?[0] ?? 0, row?[1] ?? 0)
    }
  }
}

/// The failure that a check found.
struct SyncFuzzFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
