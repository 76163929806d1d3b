import Foundation
import GRDB

extension DatabasePool {
  /// The longest time that opening waits for another connection that opens the same file.
  private static let openingLimit: Duration = .seconds(10)

  /// Opens a pool whose commits have the given durability.
  static func opening(path: String, configuration: GRDB.Configuration, durability: Durability) throws -> DatabasePool {
    guard durability == .full else { return try opening(path: path, configuration: configuration) }
    var configuration = configuration
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON")
    }
    let pool = try opening(path: path, configuration: configuration)
    if !configuration.readonly {
      // The pool sets its own level after `prepareDatabase`, so the level is set again here.
      try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    }
    return pool
  }

  /// Opens a pool, even while another process opens the same new file.
  ///
  /// The first connection of a file switches it to write-ahead logging. SQLite doesn't call the busy handler for that,
  /// so the second connection fails with SQLITE_BUSY at once (see [PRAGMA
  /// journal_mode](https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode)).
  static func opening(path: String, configuration: GRDB.Configuration) throws -> DatabasePool {
    let start = ContinuousClock.now
    while true {
      do {
        return try DatabasePool(path: path, configuration: configuration)
      } catch let error as DatabaseError
        where error.resultCode == .SQLITE_BUSY && start.duration(to: .now) < openingLimit
      {
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }
}
