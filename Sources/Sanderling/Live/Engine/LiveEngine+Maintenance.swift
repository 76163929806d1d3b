import Foundation
import GRDB

/// What happens to the database as a whole while it is followed.
extension LiveEngine {
  /// Runs a migration, during which nothing is captured: SQLite drops no column that a trigger names.
  func migrating(_ body: () async throws -> Void) async throws {
    send(LiveCommand { $0.beginMigration() })
    defer { send(LiveCommand { $0.endMigration() }) }
    try await writer.writeWithoutTransaction { [capture] db in
      try db.throwIfClosed()
      try capture.uninstall(keeping: [], on: db)
    }
    try await body()
  }

  /// Reads again what could not be read while the app was suspended.
  func observeResumption() {
    // The observation lasts as long as the process, and holds nothing.
    _ = NotificationCenter.default.addObserver(forName: Database.resumeNotification, object: nil, queue: nil) {
      [weak self] _ in self?.send(LiveCommand { $0.retryFailed() })
    }
  }

  /// Ends the capture of tables some time after nobody watches them any more.
  func scheduleSweep() {
    guard beginSweep() else { return }
    Task { [weak self, clock] in
      try? await clock.sleep(LiveCore.unwatchedTime)
      self?.sweep()
    }
  }

  private func sweep() {
    endSweep()
    send(
      LiveCommand { [weak self] core in
        let (removed, kept) = core.takeUnwatched()
        guard let self, !removed.isEmpty else { return }
        writer.asyncWriteWithoutTransaction { [capture] db in
          // What can't be removed stays captured, which does no harm.
          if (try? db.throwIfClosed()) != nil { try? capture.uninstall(keeping: kept, on: db) }
          self.send(LiveCommand { $0.uninstalled() })
        }
      })
  }
}

extension LiveEngine {
  /// How many different queries are followed, once everything that was asked for is done. For tests.
  func followedQueryCount() async -> Int {
    await withCheckedContinuation { continuation in
      send(LiveCommand { continuation.resume(returning: $0.allQueries.count) })
    }
  }
}
