import Foundation

/// The reasons for which a table can't be synchronised.
public enum SyncTableError: Error, Hashable, Sendable {
  /// The changes of the table can't be recorded.
  case unsuitable(table: String, reason: String)
  /// The number of values in a change's key differs from the number of the key's columns.
  case wrongKey(record: String)
  /// A lost change can't be restored: the record has changed since, or its kind is not synchronised.
  case notUndoable(record: String, reason: String)
}

extension SyncTableError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .unsuitable(let table, let reason):
      "Changes of table \(table) can't be recorded: \(reason). Correct the table, or synchronise without the record."
    case .wrongKey(let record):
      "A key of record \(record) has another number of values than its table's key has columns. Correct the source."
    case .notUndoable(let record, let reason):
      "The conflict about a record of \(record) can't be undone: \(reason). Write the record with the values that you want."
    }
  }
}
