import Foundation

/// The reason why a database could not be read or a statement could not be run. Holds no value of the database and no
/// literal.
public enum DiagnosisError: Error, Equatable, Sendable {
  /// There is no file at the path.
  case fileMissing(path: String)
  /// The path leads to a folder.
  case isFolder(path: String)
  /// The path leads to a device, a socket or a pipe.
  case notAFile(path: String)
  /// The file is empty: a database without tables.
  case fileEmpty(path: String)
  /// Also an encrypted database: without its key, the two look the same.
  case notADatabase(path: String)
  /// The database file is damaged.
  case corrupt(path: String)
  /// This user may not read the file.
  case permissionDenied(path: String)
  /// Another connection held a lock for the whole permitted waiting time.
  case locked(path: String)
  /// A process died within a transaction. Reading would have to roll it back, which writes.
  case needsRecovery(path: String)
  /// SQLite can't open the file, for another reason.
  case cannotOpen(path: String, reason: String)
  /// A copy of the database takes more bytes than ``Diagnosis/Options`` allow.
  case diskBudget(path: String, bytes: Int64, budget: Int64)
  /// A copy of the database takes more bytes than the folder has free.
  case diskFull(folder: String, bytes: Int64, free: Int64)
  /// No temporary folder can be made at the path.
  case temporaryFolder(path: String, reason: String)
  /// SQLite refused the statement; `sql` is without its literals.
  case statement(sql: String, reason: String)
  /// The statement would have an effect that a statement of a log may never have.
  case notAllowed(sql: String, action: String)
  /// More statements follow the requested statement.
  case severalStatements(sql: String)
  /// The text has no SQL statement.
  case noStatement
  /// This SQLite can't read the table.
  case unavailable(sql: String, reason: String)
  /// A limit or a cancellation ended the statement.
  case stopped(StopReason)
  /// A trial left the copy changed, so that later measurements would be wrong.
  case trialNotUndone

  /// The limits that end a statement.
  public enum StopReason: String, Sendable {
    /// The work took longer than its time.
    case time = "its time"
    /// The work took more steps of SQLite's virtual machine than its budget.
    case steps = "its steps"
    /// The work took more memory than its budget.
    case memory = "its memory"
    /// The task was cancelled.
    case cancelled = "being cancelled"
  }
}

extension DiagnosisError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .fileMissing(let path): "There is no file at \(path). Check the path."
    case .isFolder(let path): "\(path) is a folder. Name the database file in it."
    case .notAFile(let path): "\(path) is no ordinary file. Name a database file."
    case .fileEmpty(let path):
      "\(path) is empty: a database without tables. Let the app create its schema, or name another file."
    case .notADatabase(let path):
      "\(path) is no SQLite database, or is encrypted. Name the database file, or export it decrypted first."
    case .corrupt(let path):
      "\(path) is damaged. Recover it with `sqlite3 \(Self.fileName(path)) .recover` or take a backup."
    case .permissionDenied(let path):
      "\(path) can't be read by this user. Allow reading, or copy the file to a place that you can read."
    case .locked(let path):
      "Another connection kept \(path) locked. Close the app that writes to the file, or wait for the end of its transaction."
    case .needsRecovery(let path):
      "\(path) has a transaction that a dead process left unfinished. Open it once with its app or with "
        + "`sqlite3 \(Self.fileName(path)) .schema`, which rolls it back, and try again."
    case .cannotOpen(let path, let reason): "\(path) can't be opened: \(reason). Check the file and its folder."
    case .diskBudget(let path, let bytes, let budget):
      "A copy of \(path) takes \(bytes) bytes, and \(budget) are allowed. Allow more disk, or diagnose a smaller copy."
    case .diskFull(let folder, let bytes, let free):
      "A copy takes \(bytes) bytes, and \(free) are free in \(folder). Free some space, or choose another temporary folder."
    case .temporaryFolder(let path, let reason):
      "No temporary folder can be made in \(path): \(reason). Choose another temporary folder."
    case .statement(let sql, let reason):
      "SQLite refuses `\(sql)`: \(reason). Check that the statement belongs to this database."
    case .notAllowed(let sql, let action):
      "`\(sql)` would \(action), which a diagnosis never does. Leave the statement out."
    case .severalStatements(let sql): "`\(sql)` has several statements. Give them one by one."
    case .noStatement: "The text has no SQL statement. Give a statement."
    case .unavailable(let sql, let reason): "`\(sql)` can't be planned here: \(reason)."
    case .trialNotUndone:
      "A trial could not be undone on the copy. Run the diagnosis again, and please report this error."
    case .stopped(.cancelled): "The diagnosis was cancelled. Run it again."
    case .stopped(let reason):
      "The statement exceeded the limit of \(reason.rawValue). Allow more, or give a statement that reads less."
    }
  }

  private static func fileName(_ path: String) -> String { (path as NSString).lastPathComponent }
}
