import Foundation
import GRDB
import Sanderling
import SanderlingSQLite

/// The log that commits are written to before they are moved into the database file.
///
/// SQLite moves what no reader needs after each commit that makes it longer than 1,000 pages, and begins it anew when a transaction begins
/// at a moment at which nobody reads. Beside readers that follow each other closely there may be no such moment for long.
enum WriteAheadLog {
  /// From how many bytes on it is to begin anew.
  static let limit = 16 << 20

  /// Has the log begin anew if it is long and no reader needs it just now. Waits for none.
  ///
  /// A store that is closed meanwhile is found by the next transaction.
  static func bound(_ store: Store) async {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.writer.path + "-wal")
    guard let size = attributes?[.size] as? Int, size > limit else { return }
    try? await store.writer.writeWithoutTransaction { db in
      guard let connection = db.sqliteConnection, !db.isInsideTransaction, case .timeout(let timeout) = db.waiting
      else {
        return
      }
      sqlite3_busy_timeout(connection, 0)
      defer { sqlite3_busy_timeout(connection, timeout) }
      // Readers are no error: the next batch comes soon.
      sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_RESTART, nil, nil)
    }
  }
}

extension Database {
  fileprivate enum Waiting {
    /// In milliseconds.
    case timeout(Int32)
    /// By a function of the app's, which would be lost.
    case other
  }

  fileprivate var waiting: Waiting {
    switch configuration.busyMode {
    case .immediateError: .timeout(0)
    case .timeout(let seconds): .timeout(Int32(clamping: Int64(seconds * 1000)))
    case .callback: .other
    }
  }
}
