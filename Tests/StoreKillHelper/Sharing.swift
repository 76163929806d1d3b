import GRDB
import SanderlingSQLite

/// The configurations with which an app and its extension share a database, as in the guide "Opening a database".
enum Sharing {
  static func writing(keepsFiles: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(5)
    guard keepsFiles else { return configuration }
    configuration.prepareDatabase { db in
      if db.configuration.readonly { return }
      var keeps: CInt = 1
      let code = sqlite3_file_control(db.sqliteConnection, nil, SQLITE_FCNTL_PERSIST_WAL, &keeps)
      guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
    return configuration
  }

  static var reading: Configuration {
    var configuration = Configuration()
    configuration.readonly = true
    return configuration
  }
}
