import GRDB
import SanderlingSQLite

extension Database {
  /// Turns on or off what a pragma of SQLite switches, such as `foreign_keys`, which SQLite leaves as it is inside of a transaction.
  ///
  /// For a setting that was switched for a while and has to be as before in any case. A C call asks for no permission, where GRDB runs no
  /// statement of a cancelled task or a suspended app.
  func turn(_ pragma: String, on isOn: Bool) {
    guard let sqliteConnection else { return }
    sqlite3_exec(sqliteConnection, "PRAGMA \(pragma) = \(isOn ? "ON" : "OFF")", nil, nil, nil)
  }
}
