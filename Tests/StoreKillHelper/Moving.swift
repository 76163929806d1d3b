import Foundation
import Sanderling
import TestPrograms

/// The move that is killed.
enum Moving {
  /// The new database is beside the old one.
  static func move(from path: String) -> StoreMove {
    let new = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "new.sqlite").path
    return MovedLibrary.move(from: path, to: new)
  }
}
