import Foundation

/// Why `sanderling sync` can't bring a file into a database.
enum SyncCommandError: CommandError, Equatable {
  case noFile(String)
  case noTable(String)
  case noColumns(String)
  case noKey(String)
  case noColumn(String, file: String)
  case noTableOfServer(String)
  case noSecret(String)
  case database(path: String, reason: String)

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name a file of JSON lines or comma-separated values."
    case .noTable(let name):
      "There is no table \(name.printable), and standard input can't be read twice to make one. Make the table, or name a file."
    case .noColumns(let path): "\(path.printable) has no columns to make a table of. Name another file."
    case .noKey(let path):
      "\(path.printable) has no column id. Say with --key by which columns its rows are told apart."
    case .noColumn(let name, let file):
      "\(file.printable) has no column \(name.printable). --key needs columns of the file."
    case .noTableOfServer(let name):
      "There is no table \(name.printable). Make it with the columns and the primary key that its rows are to have, and run this again."
    case .noSecret(let reason): "\(reason.printable)"
    case .database(let path, let reason):
      "\(path.printable) can't be opened: \(reason.printable). Name an SQLite database, or a new file."
    }
  }
}
