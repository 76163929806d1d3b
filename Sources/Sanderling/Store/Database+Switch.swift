import GRDB
import SanderlingSQLite

extension Database {
  /// Sets a pragma of SQLite that is on or off, such as `foreign_keys`. SQLite ignores it inside of a transaction.
  ///
  /// It restores a setting in any case: a C call needs no permission, while GRDB runs no statement of a cancelled task
  /// or a suspended app.
  func turn(_ pragma: String, on isOn: Bool) {
    guard let sqliteConnection else { return }
    sqlite3_exec(sqliteConnection, "PRAGMA \(pragma) = \(isOn ? "ON" : "OFF")", nil, nil, nil)
  }
}
