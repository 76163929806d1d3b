import GRDB
import SanderlingSQLite

extension Database {
  /// Sets a pragma of SQLite that is on or off, such as `foreign_keys`. SQLite ignores the pragma inside of a
  /// transaction.
  ///
  /// The C call always works. GRDB runs no statement of a cancelled task or a suspended app, and so could not restore a
  /// setting.
  func turn(_ pragma: String, on isOn: Bool) {
    guard let sqliteConnection else { return }
    sqlite3_exec(sqliteConnection, "PRAGMA \(pragma) = \(isOn ? "ON" : "OFF")", nil, nil, nil)
  }
}
