import Foundation

/// Why `sanderling sync` can't bring a file into a database.
enum SyncCommandError: CommandError, Equatable {
  case noFile(String)
  case noTable(String)
  case noColumns(String)
  case noKey(String)
  case noColumn(String, origin: String)
  case noRows(String, origin: String)
  case noSecret(String)
  case otherHistory(database: String, directory: String)
  case database(path: String, reason: String)

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name a file of JSON lines or comma-separated values."
    case .noTable(let name):
      "There is no table \(name.printable), and standard input can't be read twice to make one. Make the table, or name a file."
    case .noColumns(let path): "\(path.printable) has no columns to make a table of. Name another one."
    case .noKey(let path):
      "\(path.printable) has no column id. Say with --key by which columns its rows are told apart."
    case .noColumn(let name, let origin):
      "\(origin.printable) has no column \(name.printable). --key needs columns that its rows have."
    case .noRows(let name, let origin):
      "There is no table \(name.printable), and \(origin.printable) has no rows of it that tell its columns. Make the table, and run this again."
    case .noSecret(let reason): "\(reason.printable)"
    case .otherHistory(let database, let directory):
      "\(database.printable) holds the history of another repository than \(directory.printable). Name another database with --into."
    case .database(let path, let reason):
      "\(path.printable) can't be opened: \(reason.printable). Name an SQLite database, or a new file."
    }
  }
}
