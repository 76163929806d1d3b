import Foundation

/// The inverse of a write: the rows of the store's records that the write changed, as they were before and after it.
///
/// An inverse holds only values and can be kept for as long as needed. ``Store/undo(_:priority:)`` first compares it
/// with the database. It takes as much memory as the rows.
public struct InverseWrite: Sendable {
  /// The name of the write to undo.
  public let name: String
  /// The changed rows, in the order in which the write first changed them.
  let rows: [InverseRow]

  /// The number of rows that the write changed, including rows that cascades and triggers changed.
  public var rowCount: Int { rows.count }

  /// Whether the write left everything as it was.
  public var isEmpty: Bool { rows.isEmpty }
}

/// The change of one row.
struct InverseRow: Sendable {
  let key: RowKey
  let layout: CaptureLayout
  /// The row before the write; nil if there was none.
  let before: RowImage?
  /// The row after the write; nil if there was none.
  let after: RowImage?

  var table: RecordTable { layout.table.table }
}

/// The value that a write returned, and the inverse of the write.
public struct UndoableWrite<Value: Sendable>: Sendable {
  /// The value that the write returned.
  public let value: Value
  /// The commit of the write.
  public let commit: Commit
  /// The write that undoes this write.
  public let inverse: InverseWrite
}

/// The reason why a write can't be undone, or can't be recorded for undo. Nothing was changed.
public enum UndoError: Error, Hashable, Sendable {
  /// Rows to restore were changed since, or a reference would lead nowhere after the undo. The rows are the changed
  /// rows, the missing rows, or the rows that refer to deleted rows.
  case changedSince([ChangedRows])
  /// The write changes a table whose rows can't be restored, for the given reason.
  case unsupported(table: String, reason: String)
  /// The write changes more than the recording keeps, which is 64 MiB of keys and rows.
  case tooLarge(tables: [String])
  /// Triggers of the app keep changing the restored rows.
  case unstable(table: String)

  /// The rows of one table that prevent the undo.
  public struct ChangedRows: Hashable, Sendable {
    /// The table of the rows.
    public let table: String
    /// The stored values of each row's key, in the order of the key's columns. For a table without a key, and for
    /// missing rows, the values of the foreign key. Messages don't show them.
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
        "Later writes changed rows that the undo restores or needs: \(tables). Undo those writes first, or drop this step."
    case .unsupported(let table, let reason):
      return "Rows of table \(table) can't be restored: \(reason). Write to the table with write(_:), without undo."
    case .tooLarge(let tables):
      return
        "The write changes more rows than an undo can keep, in \(tables.joined(separator: ", ")). Use write(_:), or several smaller writes."
    case .unstable(let table):
      return
        "Triggers change rows of table \(table) each time the undo restores them. Restrict these triggers to changes by the app itself."
    }
  }
}
