import Foundation

/// The reason why a store could not be moved. The old store is unchanged, and the new database doesn't exist.
public enum StoreMoveError: Error, Hashable, Sendable {
  /// Another connection wrote the old store during each attempt.
  case oldStoreChanges(path: String, attempts: Int)
  /// The old store is of another version of the model.
  case otherModel(path: String, reason: String)
  /// There is a file at the place of the new database.
  case exists(path: String)
  /// Another process, or another task, runs the move.
  case underWay(path: String)
  /// The move is not finished, so that the old store can't be deleted.
  case notFinished(path: String)
  /// The tables of the move don't fit the records.
  case declaration(table: String, reason: String)
  /// Rows of the table have equal values in a unique index or in the key.
  case duplicates(table: String, reason: String)
  /// The finished file doesn't have the contents of the old store: a fault of the disk, or of the library.
  case different(table: String, reason: String)
}

extension StoreMoveError: LocalizedError, CustomStringConvertible {
  public var errorDescription: String? { description }

  public var description: String {
    switch self {
    case .oldStoreChanges(let path, let attempts):
      "\(path) was written during \(attempts == 1 ? "the attempt" : "each of \(attempts) attempts") to move it. "
        + "Close the store in other processes, or run the move again later; until then, use the old store."
    case .otherModel(let path, let reason):
      "\(path) is not of the model that the move was printed for: \(reason). Open the store with Core Data and the latest model, "
        + "which migrates it, and then run the move."
    case .exists(let path):
      "\(path) exists already. Run the move only if isNeeded, and before a store is opened at this path."
    case .underWay(let path):
      "Another process or task moves the store to \(path). Wait until its file exists."
    case .notFinished(let path):
      "The old store is not deleted, since \(path) doesn't exist. Run the move first."
    case .declaration(let table, let reason):
      "The move of the table \(table) doesn't fit the record: \(reason). Print the move again, or correct its columns."
    case .duplicates(let table, let reason):
      "Rows of the table \(table) have equal values where the record allows none: \(reason). Leave out the unique index, or the second rows "
        + "in the old store."
    case .different(let table, let reason):
      "The moved table \(table) differs from the old store: \(reason). The file was removed; run the move again."
    }
  }
}
