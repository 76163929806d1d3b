import Foundation
import GRDB
import Sanderling
import SanderlingSync

/// A note of the demo.
@Record("notes")
struct SyncDemoNote: Hashable {
  @PrimaryKey var id: String
  var title: String
  var body: String
  var isDone: Bool
  var rank: Int
}

/// Two devices and a server.
struct SyncDemo: Sendable {
  let url: URL
  let bucket: String
  let edits: Int
  let isQuiet: Bool

  private struct Device: Sendable {
    let name: String
    let store: Store
    let session: SyncSession
  }

  /// - Throws: `HTTPError`, `SyncError`, `StoreError`, `CancellationError`.
  func run() async throws -> SyncDemoReport {
    let stores = try TemporaryStores(for: "demo-sync")
    // The folder stays until the stores are closed.
    defer { withExtendedLifetime(stores) {} }
    let devices = [try await device("Device A", stores), try await device("Device B", stores)]
    var report = SyncDemoReport(server: url.absoluteString)

    say("Both devices load all notes at the same time.")
    report.first = try await phase(devices) { device in _ = try await device.session.run() }
    report.notes = try await count(devices[0])

    say("Both change \(edits.grouped) notes, some of them the same, and synchronise at the same time.")
    let edits = edits
    report.edits = try await phase(devices) { device in
      try await withThrowingTaskGroup { group in
        group.addTask { try await Self.edit(device.store, edits, device.name) }
        group.addTask { _ = try await device.session.run() }
        try await group.waitForAll()
      }
    }

    say("They synchronise until nothing is left.")
    report.last = try await phase(devices) { device in
      // Changes that the other device sends meanwhile arrive in a later run.
      var quietRuns = 0
      while quietRuns < 3 { quietRuns = try await device.session.run().isUnchanged ? quietRuns + 1 : 0 }
    }
    report.conflicts = try await conflicts(devices)

    say("A third device reads the server from the beginning.")
    let fresh = try await device("Fresh device", stores)
    report.check = try await phase([fresh]) { device in _ = try await device.session.run() }
    let all = try await [devices[0], devices[1], fresh].asyncMap {
      try await $0.store.fetch(SyncDemoNote.order { $0.id })
    }
    report.finalNotes = all[2].count
    report.areEqual = all[0] == all[2] && all[1] == all[2] && !all[2].isEmpty
    for device in devices + [fresh] { try device.store.close() }
    return report
  }

  private func device(_ name: String, _ stores: TemporaryStores) async throws -> Device {
    let path = stores.path(name.replacingOccurrences(of: " ", with: "-") + ".sqlite")
    let store = try Store(path: path, schema: [SyncDemoNote.self])
    let records = [SyncedRecord(SyncDemoNote.self)]
    let adapter = try KintoAdapter(
      url: url, bucket: bucket, records: records, authorization: .basic(user: "demo", password: "demo"), batchSize: 100)
    let session = try await SyncSession("demo", store: store, records: records, source: adapter, sink: adapter)
    return Device(name: name, store: store, session: session)
  }

  private static func edit(_ store: Store, _ count: Int, _ name: String) async throws {
    for number in 0..<count {
      // Every third edit changes a note that the other device changes, too.
      let place = number % 3 == 0 ? number + 1 : (name == "Device A" ? 1000 : 2000) + number
      try await store.write { tx in
        switch number % 10 {
        case 7:
          try tx.upsert(
            SyncDemoNote(
              id: "\(name.suffix(1))\(number)", title: "New on \(name)", body: "", isDone: false, rank: number))
        case 8: _ = try tx.delete(SyncDemoNote.where { $0.id == "n\(place)" })
        case 9: _ = try tx.update(SyncDemoNote.where { $0.id == "n\(place)" }, .set(\.isDone, to: true))
        default: _ = try tx.update(SyncDemoNote.where { $0.id == "n\(place)" }, .set(\.title, to: "Changed on \(name)"))
        }
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func count(_ device: Device) async throws -> Int { try await device.store.count(SyncDemoNote.query) }

  private func conflicts(_ devices: [Device]) async throws -> Int {
    var count = 0
    for device in devices {
      count += try await device.store.read {
        try Int.fetchOne($0.database, sql: "SELECT count(*) FROM sanderling_sync_conflicts") ?? 0
      }
    }
    return count
  }

  // MARK: Showing it

  private func say(_ text: String) {
    if !isQuiet { ProgressOutput.write(text + "\n") }
  }

  /// Runs work on all devices at once, and shows the live count of each meanwhile.
  ///
  /// - Returns: The duration in seconds.
  private func phase(
    _ devices: [Device], _ work: @escaping @Sendable (Device) async throws -> Void
  ) async throws -> Double {
    let began = ContinuousClock.now
    let shown = isQuiet ? nil : Task { await show(devices) }
    defer { shown?.cancel() }
    try await withThrowingTaskGroup { group in
      for device in devices { group.addTask { try await work(device) } }
      try await group.waitForAll()
    }
    shown?.cancel()
    await shown?.value
    return (.now - began) / .seconds(1)
  }

  @MainActor private func show(_ devices: [Device]) async {
    let counts = devices.map { ($0.name, $0.store.liveCount(SyncDemoNote.query)) }
    let output = ProgressOutput.standardError
    let began = ContinuousClock.now
    func line() -> String {
      let figures = counts.map { "\($0): \(($1.value ?? 0).grouped) notes" }
      return "  \((ContinuousClock.now - began).brief)  \(figures.joined(separator: "   "))"
    }
    guard let interval = output.interval else { return }
    while !Task.isCancelled {
      // Nothing is shown before all counts are loaded.
      if counts.allSatisfy({ $0.1.value != nil }) { output.show(line()) }
      try? await Task.sleep(for: interval)
    }
    output.clear()
    // This task is cancelled here, so each count catches up in a new task. The last line shows the final counts.
    for (_, count) in counts { await Task { try? await count.caughtUp() }.value }
    ProgressOutput.write(line() + "\n")
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async throws -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}

/// The results of the demo. Times are in seconds.
struct SyncDemoReport: Encodable {
  let server: String
  var notes = 0
  var first = 0.0
  var edits = 0.0
  var last = 0.0
  var check = 0.0
  var conflicts = 0
  var finalNotes = 0
  var areEqual = false

  var text: String {
    """
    Both devices loaded \(notes.grouped) notes in \(Duration.seconds(first).brief).
    Both changed them in \(Duration.seconds(edits).brief), and had each other's changes \(Duration.seconds(last).brief) later; \
    \(conflicts.grouped) values lost a conflict, and are in the log of conflicts.
    \(areEqual ? "Both devices and the server are equal" : "The devices and the server differ"): \(finalNotes.grouped) notes, read again in \
    \(Duration.seconds(check).brief) and compared one by one.

    """
  }
}
