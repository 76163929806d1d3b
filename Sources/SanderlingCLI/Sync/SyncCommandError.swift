import Foundation
import Sanderling
import SanderlingSync

/// Why `sanderling sync` can't bring a file into a database.
enum SyncCommandError: CommandError, Equatable {
  case noFile(String)
  case isFolder(String)
  case noTable(String)
  case noColumns(String)
  case noKey(String)
  case noColumn(String, origin: String)
  case noRows(String, origin: String)
  case noSecret(String)
  case malformed(path: String, line: Int, column: Int, reason: String)
  case unreadableRow(path: String, line: Int, column: Int, reason: String)
  case unreadable(path: String, reason: String)
  case misfit(file: String, record: String, key: [StorageValue], column: String?, reason: String)
  case massDeletion(file: String, table: String, unnamed: Int, count: Int)
  case locked(String)
  case noSpace(String)
  case status(path: String, code: Int, message: String)
  case unauthorized(String)
  case answer(path: String, reason: String)
  case redirected(path: String, to: String)
  case wait(address: String, Duration, until: Date)
  case database(path: String, reason: String)
  case refused(path: String, reason: String)

  /// An error of the library, with what the command's user can do about it.
  ///
  /// - Parameters:
  ///   - file: The input that was read: a file or an address.
  ///   - database: The path of the database.
  /// - Returns: nil for others, which say it themselves.
  init?(_ error: any Error, file: String = "", database: String) {
    switch error {
    case SyncError.misfit(let record, let key, let column, let reason):
      self = .misfit(file: file, record: record, key: key, column: column, reason: reason)
    case SyncError.malformedSource(let path, let line, let column, let reason):
      self = .unreadableRow(path: path, line: line, column: column, reason: reason)
    case SyncError.unreadableSource(let path, let reason): self = .unreadable(path: path, reason: reason)
    case SyncError.massDeletion(let table, let unnamed, let count):
      self = .massDeletion(file: file, table: table, unnamed: unnamed, count: count)
    case StoreError.busy: self = .locked(database)
    case HTTPError.status(let path, let code, let message): self = .status(path: path, code: code, message: message)
    case HTTPError.unauthorized(let path): self = .unauthorized(path)
    case HTTPError.malformed(let path, let reason): self = .answer(path: path, reason: reason)
    case HTTPError.redirected(let path, let address): self = .redirected(path: path, to: address)
    case StoreError.constraint(let violation): self = .refused(path: database, reason: violation.description)
    case StoreError.database(_, let message, _): self = .refused(path: database, reason: "SQLite says: \(message).")
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path.printable). Name a file of JSON lines or comma-separated values."
    case .isFolder(let path): "\(path.printable) is a folder. Name a file, or - for standard input."
    case .noTable(let name):
      "There is no table \(name.printable) any more: somebody dropped it meanwhile. Run this again."
    case .noColumns(let path): "\(path.printable) has no columns to make a table of. Name another one."
    case .noKey(let path):
      "\(path.printable) has no column id. Say with --key by which columns its rows are told apart, and with --delimiter what stands between them, if that isn't a comma."
    case .noColumn(let name, let origin):
      "\(origin.printable) has no column \(name.printable). --key needs columns that its rows have."
    case .noRows(let name, let origin):
      "There is no table \(name.printable), and \(origin.printable) has no rows that tell what its columns hold. Make the table, and run this again."
    case .noSecret(let reason): "\(reason.printable)"
    case .malformed(let path, let line, let column, let reason):
      "\(path.printable), line \(line), column \(column): \(reason.inCommandWords.printable). Nothing is stored, and no table made: mend it, and run this again."
    case .unreadableRow(let path, let line, let column, let reason):
      "\(path.printable), line \(line), column \(column): \(reason.inCommandWords.printable). Mend it and run this again; what came before it is stored. "
        + "Without --strict, rows that can't be read are put aside."
    case .unreadable(let path, let reason):
      "\(path.printable) can't be read: \(reason.inCommandWords.printable). Check the path and the permissions, and run this again."
    case .misfit(let file, let record, let key, let column, let reason):
      "The row \(key.map(\.shown).joined(separator: ", ").printable) of \(record.printable) doesn't fit"
        + "\(column.map { ", column \($0.printable)" } ?? ""): \(reason.inCommandWords.printable). Mend it\(file.isEmpty ? "" : " in \(file.printable)") and run this again, or leave --strict out: such rows are "
        + "put aside then. Of the rows before it some are stored."
    case .massDeletion(let file, let table, let unnamed, let count):
      "\(file.printable) leaves out \(unnamed.grouped) of the \(count.grouped) rows of \(table.printable): they would be removed, and nothing was. Look whether it is whole; "
        + "if these rows are really gone, run this again with --allow-mass-deletion."
    case .locked(let path):
      "\(path.printable) is locked by another program. Run this again when that is done; what came so far is stored."
    case .noSpace(let path):
      "No copy of what comes in, by which the table is made, can be written to \(path.printable). Make room there, or set TMPDIR to another folder."
    case .status(let path, let code, let message):
      "\(path.printable): the server answered \(code)\(message.isEmpty ? "" : ", \(message.printable)"). "
        + ([429, 500, 502, 503, 504].contains(code)
          ? "Run this again later; what came so far is stored."
          : "Look whether the address, --record and the rights on the server are as they should be.")
    case .unauthorized(let path):
      "\(path.printable): the server doesn't let this token or password in. Give another one in SANDERLING_SYNC_TOKEN or by --token-file."
    case .answer(let path, let reason):
      "\(path.printable): the answer can't be used: \(reason.printable). Look whether --server, --rows and the address are right; nothing of this answer is stored."
    case .redirected(let path, let address):
      "\(path.printable): the server sends the request on to \(address.printable), which isn't followed, since the token would go along. "
        + "If that is the server's own address, name it in place of the one that you gave; else ask who runs the server."
    case .wait(let address, let duration, let until):
      "\(address.printable): the server asks to be left alone for \(duration.brief), and --max-wait allows less. Run this again at "
        + "\(until.clockTime); what came so far is stored."
    case .refused(let path, let reason):
      "\(path.printable) refuses a row, and it can't be put aside. \(reason.printable) Look at the table's references and triggers, and run this again; what came before is stored."
    case .database(let path, let reason):
      "\(path.printable) can't be opened: \(reason.printable). Name an SQLite database, or a new file."
    }
  }
}
