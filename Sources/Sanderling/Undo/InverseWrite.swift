import Foundation

/// The inverse of a write: the rows of the store's records that it changed, as they were before and after it.
///
/// It holds values only and can be kept for as long as wanted: ``Store/undo(_:priority:)`` compares it with the database first. It takes
/// as much memory as the rows.
public struct InverseWrite: Sendable {
  /// The name of the write that it undoes.
  public let name: String
  /// In the order in which the write came to them.
  let rows: [InverseRow]

  /// How many rows the write changed, those of cascades and triggers included.
  public var rowCount: Int { rows.count }

  /// Whether the write left everything as it was.
  public var isEmpty: Bool { rows.isEmpty }
}

/// The change of one row.
struct InverseRow: Sendable {
  let key: RowKey
  let layout: CaptureLayout
  /// The row before; nil when there was none.
  let before: RowImage?
  /// The row after; nil when there was none any more.
  let after: RowImage?

  var table: RecordTable { layout.table.table }
}

/// The value that a write returned, and the inverse of the write.
public struct UndoableWrite<Value: Sendable>: Sendable {
  /// The value that the write returned.
  public let value: Value
  /// The commit of the write.
  public let commit: Commit
  /// The changes that undo the write.
  public let inverse: InverseWrite
}

/// Why a write can't be undone, or can't be recorded to be undone. Nothing was changed.
public enum UndoError: Error, Hashable, Sendable {
  /// Rows in question were changed by others since, or refer to rows that would go.
  case changedSince([ChangedRows])
  /// The write changes a table whose rows can't be put back, for the reason given.
  case unsupported(table: String, reason: String)
  /// The write changes more than is kept to undo it, about 64 MB.
  case tooLarge(tables: [String])
  /// Triggers of the app keep changing the rows that are put back.
  case unstable(table: String)

  /// The rows of one table that stand in the way.
  public struct ChangedRows: Hashable, Sendable {
    /// The table of the rows.
    public let table: String
    /// The stored values of each row's key, in the order of the key's columns. Messages don't show them.
    public let keys: [[StorageValue]]
  }
}

extension UndoError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .changedSince(let rows):
      let tables = rows.map { "\($0.keys.count) of table \($0.table)" }.joined(separator: ", ")
      return
        "Rows were changed since, so that undoing would lose these changes: \(tables). Undo these changes first, or drop the step."
    case .unsupported(let table, let reason):
      return "Table \(table) can't be put back: \(reason). Write to it without undoing."
    case .tooLarge(let tables):
      return
        "The write changes too much to be undone, in \(tables.joined(separator: ", ")). Use write(_:), or several writes."
    case .unstable(let table):
      return
        "Triggers change the rows of table \(table) whenever they are put back. Have them do so for the app's own changes only."
    }
  }
}
