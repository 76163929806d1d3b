import Sanderling

/// Why a file can't be the demo's store.
enum DemoStoreError: CommandError, Equatable {
  case isDirectory(String)
  case noFolder(path: String, folder: String)
  case foreign(String)
  case notADatabase(String)
  case otherRepository(path: String, stored: String, current: String)
  case unusable(path: String, reason: String)
  case inUse(String)
  case otherVersion(String)

  var description: String {
    switch self {
    case .isDirectory(let path):
      "\(path.printable) is a folder. Name a file with --store; a missing file is created."
    case .noFolder(let path, let folder):
      "\(path.printable) can't be made: there is no folder \(folder.printable). Make it, or name another file with --store."
    case .foreign(let path):
      "\(path.printable) is a database that sanderling demo did not make, and it was left alone. Name another file with --store."
    case .notADatabase(let path):
      "\(path.printable) is no SQLite database, and it was left alone. Name another file with --store."
    case .otherRepository(let path, let stored, let current):
      "\(path.printable) holds the history of another repository, \(stored.printable), and not the history of \(current.printable). "
        + "Name another file with --store, or delete this one to start again."
    case .unusable(let path, let reason):
      "\(path.printable) can't be used as the store: \(reason.printable) "
        + "Check the permissions of the file and of its folder, or name another file with --store."
    case .otherVersion(let path):
      "\(path.printable) was made by another version of sanderling demo. Delete it, or name another file with --store."
    case .inUse(let path):
      "Another process is writing to \(path.printable). Wait until it is done and run again, or name another file with --store."
    }
  }

  /// Translates a store's error for users of the command; nil if the error's own message is clear.
  init?(_ error: StoreError, path: String) {
    switch error {
    case .cannotOpen, .readOnly:
      self = .unusable(path: path, reason: error.description)
    case .busy, .constraint:
      // Two concurrent imports into one store insert the same commits.
      self = .inUse(path)
    case .schemaMismatch, .newerSchema:
      self = .otherVersion(path)
    default:
      return nil
    }
  }
}
