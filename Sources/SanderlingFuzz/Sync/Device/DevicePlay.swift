import Foundation
import GRDB
import Sanderling
import SanderlingSQLite
import SanderlingSync

/// The events on a device until it has done all its steps or is killed: edits, concurrent synchronisation, failing
/// statements and reopened stores.
struct DevicePlay {
  private var settings: DeviceSettings
  private var random: SeededGenerator
  private var device: FuzzDevice
  private var shown: ShownValues
  private var run: Task<SyncSummary, any Error>?
  /// Whether statements are made to fail.
  private var isFaulty = false

  init(_ settings: DeviceSettings, _ random: SeededGenerator) async throws {
    var random = random
    guard FaultFileSystem.isRegistered else { throw SyncFuzzFailure("SQLite doesn't take the fuzzer's file system") }
    // An update of the app is permanent.
    var settings = settings
    settings.isNew = try settings.isNew || Self.isMarked(settings.path)
    self.settings = settings
    device = try await FuzzDevice(settings, &random, follows: true)
    shown = await ShownValues(device)
    self.random = random
  }

  /// Whether the file was created by the next version of the app.
  private static func isMarked(_ path: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      try db.tableExists("remark") && db.columns(in: "remark").contains { $0.name == "mark" }
    }
  }

  mutating func play(steps: Int) async throws {
    for _ in 0..<steps {
      try await step()
      // The random pause varies the moment at which processes meet.
      usleep(UInt32(random.element(of: [0, 200, 2000, 8000])))
    }
    try await endRun()
    try await heal()
    try await shown.check()
    await shown.close()
    try device.store.close()
  }

  private mutating func step() async throws {
    switch random.number(0..<100) {
    case 0..<55: try await edit()
    case 55..<80:
      if run == nil {
        let session = device.session
        run = Task { try await session.run() }
      } else if random.chance(50) {
        try await endRun()
      }
    case 80..<83: device.session.cancel()
    case 83..<86:
      device.session.pause()
      usleep(UInt32(random.number(0..<10_000)))
      device.session.resume()
    case 86..<90: try await fail()
    case 90..<97:
      try await endRun()
      try await heal()
      try await shown.check()
    default: try await reopen()
    }
    if random.chance(20) { try await checkOwn() }
  }

  // MARK: Edits

  private mutating func edit() async throws {
    do {
      let next = try await device.store.read { try Int.fetchOne($0.database, sql: "SELECT next FROM mine") ?? 0 }
      var generator = EditGenerator(
        device: settings.name, skew: settings.skew, isNew: settings.isNew, SeededGenerator(seed: random.next()),
        next: next)
      let statements = random.chance(30) ? [generator.ownStatement()] : generator.statements()
      let (name, path) = (settings.name, settings.path)
      if random.chance(25), !isFaulty {
        try await Self.outside(path) { try EditJournal.run(statements, next: next + 100, device: name, $0) }
        try await device.store.noticeOutsideChanges()
      } else {
        try await device.store.write { tx in
          try EditJournal.run(statements, next: next + 100, device: name, tx.database)
        }
      }
    } catch {
      if !isFaulty { throw error }
    }
  }

  /// Writes as another process does.
  private static func outside(_ path: String, _ body: @escaping @Sendable (Database) throws -> Void) async throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try await queue.write(body)
    try queue.close()
  }

  private func checkOwn() async throws {
    do {
      let (written, shown) = try await device.ownNumbers()
      if written != shown { throw SyncFuzzFailure("its own number is \(shown), and the user wrote \(written)") }
      try await self.shown.noteHistory()
    } catch let failure as SyncFuzzFailure {
      throw failure
    } catch {
      if !isFaulty { throw error }
    }
  }

  // MARK: Runs

  private mutating func endRun() async throws {
    guard let task = run else { return }
    run = nil
    if settings.isFollowing || random.chance(20) { device.session.cancel() }
    do {
      _ = try await task.value
    } catch is WireError {
    } catch is HTTPError {
    } catch is CancellationError {
    } catch let error as StoreError {
      if !isFaulty { throw SyncFuzzFailure("a run failed: \(error)") }
    } catch let error as SyncError {
      throw SyncFuzzFailure("a run failed: \(error)")
    }
  }

  // MARK: Faults

  private mutating func fail() async throws {
    isFaulty = true
    if random.chance(50) {
      let pages = random.number(0..<4)
      try? await device.store.write { tx in
        let count = try Int.fetchOne(tx.database, sql: "PRAGMA page_count") ?? 0
        try tx.database.execute(sql: "PRAGMA max_page_count = \(count + pages)")
      }
    } else {
      let number = FaultSwitch.shared.begin()
      let operation = random.element(of: [Fault.Operation.read, .lock, .map, .write, .write, .sync])
      FaultSwitch.shared.arm(
        Fault(
          operation: operation, skipped: random.number(0..<30), count: random.number(1..<4), isFull: random.chance(50)),
        in: number)
    }
  }

  private mutating func heal() async throws {
    FaultSwitch.shared.disarm()
    guard isFaulty else { return }
    try await endRun()
    try await device.store.write { tx in
      try tx.database.execute(sql: "PRAGMA max_page_count = 1073741823")
    }
    // Live results that could not be read are read again.
    isFaulty = false
    try await reopen()
  }

  private mutating func reopen() async throws {
    try await endRun()
    FaultSwitch.shared.disarm()
    isFaulty = false
    await shown.close()
    try device.store.close()
    if random.chance(25) { settings.isNew = true }
    device = try await FuzzDevice(settings, &random, follows: true)
    shown = await ShownValues(device)
  }
}
