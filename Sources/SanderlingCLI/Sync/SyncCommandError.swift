import Foundation
import Sanderling
import SanderlingSync

/// The reason why `sanderling sync` failed.
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

  /// Translates an error of the library to a message for the command's user.
  ///
  /// - Parameters:
  ///   - file: The file or address that was read.
  ///   - database: The path of the database.
  /// - Returns: Nil for other errors, whose own messages say enough.
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
      "There is no table \(name.printable) any more: another program dropped it. Run this again."
    case .noColumns(let path): "\(path.printable) has no columns to make a table of. Name another file or collection."
    case .noKey(let path):
      "\(path.printable) has no column id. Name the columns of the key with --key, and with --delimiter a separator other than the comma."
    case .noColumn(let name, let origin):
      "\(origin.printable) has no column \(name.printable). --key needs columns that its rows have."
    case .noRows(let name, let origin):
      "There is no table \(name.printable), and \(origin.printable) has no rows that show the types of its columns. Make the table, and run this again."
    case .noSecret(let reason): "\(reason.printable)"
    case .malformed(let path, let line, let column, let reason):
      "\(path.printable), line \(line), column \(column): \(reason.inCommandWords.printable). Nothing is stored, and no table is created. Correct the file, and run this again."
    case .unreadableRow(let path, let line, let column, let reason):
      "\(path.printable), line \(line), column \(column): \(reason.inCommandWords.printable). Correct the row, and run this again; the rows before it are stored. "
        + "Without --strict, rows that can't be read are quarantined."
    case .unreadable(let path, let reason):
      "\(path.printable) can't be read: \(reason.inCommandWords.printable). Check the path and the permissions, and run this again."
    case .misfit(let file, let record, let key, let column, let reason):
      "The row \(key.map(\.shown).joined(separator: ", ").printable) of \(record.printable) doesn't fit"
        + "\(column.map { ", column \($0.printable)" } ?? ""): \(reason.inCommandWords.printable). Correct it\(file.isEmpty ? "" : " in \(file.printable)") and run this again, or leave --strict out, so that "
        + "the row is quarantined. Some of the rows before it are stored."
    case .massDeletion(let file, let table, let unnamed, let count):
      "\(file.printable) lacks \(unnamed.grouped) of the \(count.grouped) rows of \(table.printable). No row was removed. Check that the file is complete; "
        + "to remove these rows, run this again with --allow-mass-deletion."
    case .locked(let path):
      "\(path.printable) is locked by another program. Run this again when that program is done; the rows so far are stored."
    case .noSpace(let path):
      "To find the columns of the table, the input is copied first, but no copy can be written to \(path.printable). Free space there, or set TMPDIR to another folder."
    case .status(let path, let code, let message):
      "\(path.printable): the server answered \(code)\(message.isEmpty ? "" : ", \(message.printable)"). "
        + ([429, 500, 502, 503, 504].contains(code)
          ? "Run this again later; the rows so far are stored."
          : "Check the address, --record and the rights on the server.")
    case .unauthorized(let path):
      "\(path.printable): the server doesn't accept the token or password. Give another token or password in SANDERLING_SYNC_TOKEN or by --token-file."
    case .answer(let path, let reason):
      "\(path.printable): the answer can't be used: \(reason.printable). Check --server, --rows and the address; nothing of this answer is stored."
    case .redirected(let path, let address):
      "\(path.printable): the server redirects the request to \(address.printable). The redirection isn't followed, since the token would go along. "
        + "If that is the server's own address, give it in place of this address; otherwise ask the owner of the server."
    case .wait(let address, let duration, let until):
      "\(address.printable): the server asks for a pause of \(duration.brief), and --max-wait allows less. Run this again at "
        + "\(until.clockTime); the rows so far are stored."
    case .refused(let path, let reason):
      "\(path.printable) refuses a row, and the row can't be quarantined. \(reason.printable) Check the table's references and triggers, and run this again; the rows before it are stored."
    case .database(let path, let reason):
      "\(path.printable) can't be opened: \(reason.printable). Name an SQLite database, or a new file."
    }
  }
}
