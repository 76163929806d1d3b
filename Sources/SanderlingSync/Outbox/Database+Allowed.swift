import GRDB
import SanderlingSQLite

extension Database {
  /// Whether a reference that is checked at the commit is broken. O(1).
  var hasBrokenReferences: Bool {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(sqliteConnection, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// Runs statements in a savepoint, because a constraint may forbid them.
  ///
  /// - Returns: Whether all constraints allowed the statements. If not, their changes are undone.
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
