import Foundation
import GRDB

/// One run of a move: its attempts, and the switch.
struct MoveRun {
  let move: StoreMove
  let control: MoveControl
  let progress: @Sendable (StoreMove.Progress) -> Void

  func run(attempts: Int) throws -> StoreMove.Report {
    let files = MoveFiles(path: move.path)
    try move.old.checkExistence()
    let lock = try MoveLock(for: move.path)
    defer { withExtendedLifetime(lock) {} }
    if move.isFinished { throw StoreMoveError.exists(path: move.path) }
    let plans = try move.plans()
    do {
      for number in 1...max(1, attempts) {
        try control.check()
        if let report = try attempt(number, plans, files) { return report }
      }
      throw StoreMoveError.oldStoreChanges(path: move.old.path, attempts: max(1, attempts))
    } catch {
      try? files.removePartial()
      if control.isCancelled { throw CancellationError() }
      throw error
    }
  }

  /// - Returns: Nil if another connection wrote the old store meanwhile.
  private func attempt(_ number: Int, _ plans: [MovePlan], _ files: MoveFiles) throws -> StoreMove.Report? {
    try files.removePartial()
    // The watch begins before the snapshot. A commit between both only costs another attempt.
    let watch = try MoveWatch(move.old)
    let attempt = MoveAttempt(move: move, plans: plans, path: files.partial, number: number, owner: self, watch: watch)
    guard let report = try attempt.run(), try !watch.hasChanged() else { return nil }
    try control.check()
    try files.publish()
    // A commit after the last look is in no file: the new one is not known to anybody yet.
    if try !watch.hasChanged() { return report }
    try files.withdraw()
    return nil
  }
}

/// Notices commits to the old store.
struct MoveWatch {
  private let queue: DatabaseQueue
  private let file: CoreDataFile
  private let version: Int

  init(_ file: CoreDataFile) throws {
    let start = ContinuousClock.now
    self.file = file
    do {
      let queue = try DatabaseQueue(path: file.path, configuration: CoreDataFile.readOnly(nil))
      try queue.read { try file.check($0) }
      self.queue = queue
      version = try Self.version(queue)
    } catch {
      throw file.explaining(error, since: start)
    }
  }

  /// Whether another connection has committed since the watch began.
  func hasChanged() throws -> Bool {
    do {
      return try Self.version(queue) != version
    } catch {
      throw StoreError.wrapping(error, path: file.path)
    }
  }

  private static func version(_ queue: DatabaseQueue) throws -> Int {
    try queue.unsafeRead { try Int.fetchOne($0.cachedStatement(sql: "PRAGMA data_version")) } ?? 0
  }
}
