import GRDB
import SanderlingSQLite

extension Database {
  /// Whether a reference leads nowhere that is looked at when the transaction is committed. O(1).
  var hasBrokenReferences: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// Runs statements that a constraint may forbid, in a savepoint.
  ///
  /// - Returns: Whether none did. Their changes are undone if one did.
  func isAllowed(_ body: () throws -> Void) throws -> Bool {
    let wasBroken = hasBrokenReferences
    var isAllowed = true
    do {
      try inSavepoint {
        try body()
        isAllowed = wasBroken || !hasBrokenReferences
        return isAllowed ? .commit : .rollback
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      return false
    }
    return isAllowed
  }
}
