import Foundation

/// Why a table can't be synchronised.
public enum SyncTableError: Error, Hashable, Sendable {
  /// Its changes can't be noted, for the reason given.
  case unsuitable(table: String, reason: String)
  /// A change has another number of values than the key of the record has columns.
  case wrongKey(record: String)
  /// A resolved conflict can't be reversed: the record has changed since, or its kind is not synchronised.
  case notUndoable(record: String, reason: String)
}

extension SyncTableError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .unsuitable(let table, let reason):
      "Changes of table \(table) can't be recorded: \(reason). Correct it, or synchronise without the record."
    case .wrongKey(let record):
      "A key of record \(record) has another number of values than its table's key has columns. Correct the source."
    case .notUndoable(let record, let reason):
      "The conflict about a record of \(record) can't be undone: \(reason). Write the record with the values that you want."
    }
  }
}
