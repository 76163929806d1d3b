import Foundation

/// The reason why a history can't be kept or read.
public enum HistoryError: Error, Hashable, Sendable {
  /// The changes of a table can't be kept.
  case unsuitable(table: String, reason: String)
  /// Changes after the token were pruned. Read the rows themselves, and continue with ``Store/historyToken()``.
  case pruned(ChangeToken)
  /// The token is of another database, or of this one before it was erased. Read the rows themselves, and continue with
  /// ``Store/historyToken()``.
  case otherHistory(ChangeToken)
  /// No record of the store declares a ``ChangeHistory``, or the database is read-only and has none.
  case notKept
}

extension HistoryError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .unsuitable(let table, let reason):
      "The changes of the table \(table) can't be kept: \(reason). Leave changeHistory out of its record, or change the table."
    case .pruned(let token):
      "Changes after the token \(token) were pruned. Read the rows themselves, and continue with historyToken()."
    case .otherHistory(let token):
      "The token \(token) belongs to another history: the database was erased or replaced. Read the rows themselves, and continue with historyToken()."
    case .notKept:
      "This database has no history. Declare `static let changeHistory` in a record of the store."
    }
  }
}
