import Foundation
import GRDB
import Sanderling
import SanderlingSQLite

/// The log that commits are written to before they are moved into the database file.
///
/// SQLite moves what no reader needs after each commit that makes it longer than 1,000 pages, and begins it anew when a transaction begins
/// at a moment at which nobody reads. Whoever commits then, waits for the disk: a user's write too. So a run moves what it wrote before it
/// is as much, in turns of their own between its transactions. Beside readers that follow each other closely there may be no moment at which
/// the log begins anew for long.
struct WriteAheadLog {
  /// After how many pages they are moved.
  static let pages: Int32 = 400
  /// From how many bytes on it is to begin anew.
  static let limit = 16 << 20

  /// How many pages the writer had written when they were moved.
  private var moved: Int32 = 0

  /// Moves what the writer has written into the database file, if it is much. Waits for no reader.
  ///
  /// - Parameter written: How many pages that are.
  mutating func move(_ store: Store, written: Int32) async {
    // Another connection counts anew.
    if written < moved { moved = 0 }
    guard written - moved >= Self.pages else { return }
    moved = written
    await Self.checkpoint(store, SQLITE_CHECKPOINT_PASSIVE)
  }

  /// Has the log begin anew if it is long and no reader needs it just now. Waits for none.
  static func bound(_ store: Store) async {
    let attributes = try? FileManager.default.attributesOfItem(atPath: store.writer.path + "-wal")
    guard let size = attributes?[.size] as? Int, size > limit else { return }
    await checkpoint(store, SQLITE_CHECKPOINT_RESTART)
  }

  /// A store that is closed meanwhile is found by the next transaction.
  private static func checkpoint(_ store: Store, _ mode: Int32) async {
    try? await store.writer.writeWithoutTransaction { db in
      guard let connection = db.sqliteConnection, !db.isInsideTransaction, case .timeout(let timeout) = db.waiting
      else {
        return
      }
      sqlite3_busy_timeout(connection, 0)
      defer { sqlite3_busy_timeout(connection, timeout) }
      // Readers are no error: the next transaction comes soon.
      sqlite3_wal_checkpoint_v2(connection, "main", mode, nil, nil)
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

  /// How many pages the connection has written since it was opened, what is not committed yet left out.
  var pagesWritten: Int32 {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_CACHE_WRITE, &current, &highest, 0)
    return current
  }

  fileprivate var waiting: Waiting {
    switch configuration.busyMode {
    case .immediateError: .timeout(0)
    case .timeout(let seconds): .timeout(Int32(clamping: Int64(seconds * 1000)))
    case .callback: .other
    }
  }
}
