public import Foundation
public import Sanderling

/// The errors of a synchronisation, and how to deal with them.
///
/// Messages name records and columns, never values. Errors of the source and of the store are thrown as they are.
public enum SyncError: Error, Hashable, Sendable {
  /// The records can't be synchronised together.
  case invalidRecords(String)
  /// Another synchronisation, with this name, already sends the changes of a table.
  case sentByAnother(table: String, name: String)
  /// A synchronisation of this name is already running, in this process or in another.
  case alreadyRunning(name: String)
  /// Another process took over the synchronisation, because this process gave no sign of life for too long.
  case takenOver(name: String)
  /// The store was erased during the run.
  case erased(name: String)
  /// A change doesn't fit its table, and ``SyncOptions/misfits`` is ``SyncOptions/Misfits/stop``.
  case misfit(record: String, key: [StorageValue], column: String?, reason: String)
  /// A source that lists all rows leaves out too many rows of a table: all of them, or more than half of 20 or more.
  /// Nothing was removed.
  ///
  /// - Parameters:
  ///   - unnamed: The number of rows that would have been removed.
  ///   - of: The number of the table's rows when the listing began.
  case massDeletion(table: String, unnamed: Int, of: Int)
  /// A source can't be read.
  case unreadableSource(path: String, reason: String)
  /// A source's content is malformed. The line and the column, in bytes, count from 1.
  case malformedSource(path: String, line: Int, column: Int, reason: String)
  /// The change is no longer in the quarantine.
  case notInQuarantine(id: Int64)

  /// The seconds without a sign of life after which another process may take over a synchronisation.
  static let lease = 15.0
}

extension SyncError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .invalidRecords(let reason):
      "These records can't be synchronised: \(reason)."
    case .sentByAnother(let table, let name):
      "The synchronisation \"\(name)\" already sends the changes of table \(table), and each change goes to one server. Use that name; or first "
        + "open \"\(name)\" without the record, when none of its changes is pending."
    case .alreadyRunning(let name):
      "The synchronisation \"\(name)\" is already running. Wait until it ends. After its process was killed, the name is free immediately; after a "
        + "process on another device or in another sandbox was killed, in \(Int(Self.lease)) seconds."
    case .takenOver(let name):
      "Another process took over the synchronisation \"\(name)\", since this process gave no sign of life. Run it again when that process ends."
    case .erased(let name):
      "The store was erased while the synchronisation \"\(name)\" was running. Run it again to load all rows again; end each run before you erase the store."
    case .misfit(let record, _, let column, let reason):
      "A row of \(record) doesn't fit\(column.map { ", column \($0)" } ?? ""): \(reason). Change the source or the record, or put "
        + "misfits into the quarantine (SyncOptions.misfits)."
    case .massDeletion(let table, let unnamed, let count):
      "The complete listing of the source lacks \(unnamed) of the \(count) rows of table \(table). No row was removed. Check that the source is "
        + "complete. If these rows were deleted, allow their removal (SyncOptions.allowsMassDeletion), and run it again."
    case .unreadableSource(let path, let reason):
      "\(path) can't be read: \(reason). Check the path and the permissions."
    case .malformedSource(let path, let line, let column, let reason):
      "\(path), line \(line), column \(column): \(reason). Correct the line; the lines before it are stored, and the next run continues here."
    case .notInQuarantine(let id):
      "There is no change \(id) in the quarantine. List the quarantine again: a newer change of the row may have taken its place."
    }
  }
}
